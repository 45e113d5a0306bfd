/** A provider row as the kernel gets it, with values that no answer of ours would hold by accident. */
import type { ModelSource } from "../../apps/api/kernel/kernel-types.ts";

export const KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
export const MODEL = "qq-17x";
export const ROW_NAME = "zz9-row";

export type ProviderRow = Extract<ModelSource, { kind: "provider" }>;

/** Speaks OpenAI's protocol unless told otherwise; a million tokens in cost 1 USD, out 2 USD. */
export function providerRow(baseUrl: string, changes: Partial<ProviderRow> = {}): ProviderRow {
  return {
    kind: "provider",
    provider: ROW_NAME,
    api: "openai-completions",
    baseUrl,
    apiKey: KEY,
    modelId: MODEL,
    contextWindow: 32_000,
    maxOutput: 2_048,
    price: { input: 1_000_000, output: 2_000_000, cacheRead: 0, cacheWrite: 0 },
    ...changes,
  };
}
