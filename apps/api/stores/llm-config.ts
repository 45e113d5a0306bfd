/** Model providers: written by the owner, loaded when a session is built. */
import { LIMITS } from "../../../shared/limits";
import { isKeyFor, isModelApi, MODEL_APIS, type ModelApi, usualApi } from "../../../shared/model-apis";
import type { Database } from "../database/pool";
import type { SecretBox } from "../lib/secret-box";
import { integerField, invalid, lineField } from "./owner-fields";
import { refuseKeyIn } from "./provider-fields";
import { type ProviderFault, providerRows, type ProviderWrite } from "./provider-rows";

/** Price per million tokens, in micro-USD. */
export interface TokenPrice {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}
export interface ModelFacts {
  id: string;
  contextWindow?: number;
  maxOutput?: number;
  price?: TokenPrice;
}
interface LlmFields {
  /** One of `MODEL_APIS`; a new row without it speaks what its address usually does. */
  api: string;
  /** What is known of its models; null forgets it. */
  models: ModelFacts[] | null;
  /** 0 means unlimited, for all three. */
  dailyTokenLimit: number;
  dailyCostLimitCents: number;
  maxTurnsPerSession: number;
}
export type LlmProviderWrite = ProviderWrite<LlmFields>;
export type LlmFault = ProviderFault | "unknown_api" | "key_kind";

/** A provider ready for the kernel. */
export interface LlmProvider {
  kind: "provider";
  provider: string;
  api: ModelApi;
  baseUrl: string;
  apiKey: string;
  modelId: string;
  contextWindow: number;
  maxOutput: number;
  price: TokenPrice;
  /** Changes with every write, also of the key. */
  updatedAt: string;
}

const FREE: TokenPrice = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export const llmProviders = providerRows<LlmFields, "unknown_api" | "key_kind">({
  table: "llm_config",
  hosts: "llm",
  columns: {
    api: "api",
    models: "models",
    dailyTokenLimit: "daily_token_limit",
    dailyCostLimitCents: "daily_cost_limit_cents",
    maxTurnsPerSession: "max_turns_per_session",
  },
  fresh: (url) => ({
    api: usualApi(url),
    models: null,
    dailyTokenLimit: 0,
    dailyCostLimitCents: 0,
    maxTurnsPerSession: 0,
  }),
  check(row, apiKey) {
    if (!isModelApi(row.api)) throw invalid("api", "There is no such protocol.", MODEL_APIS);
    if (apiKey !== undefined && !isKeyFor(row.api, apiKey)) {
      throw invalid(
        "apiKey",
        "This is the token of a subscription, not an API key; the provider's console makes those.",
      );
    }
    for (const { id } of row.models ?? []) {
      lineIn("models", id);
      refuseKeyIn("models", id, apiKey);
    }
    integerField("dailyTokenLimit", row.dailyTokenLimit, LIMITS.dailyTokens);
    integerField("dailyCostLimitCents", row.dailyCostLimitCents, LIMITS.dailyCostCents);
    integerField("maxTurnsPerSession", row.maxTurnsPerSession, LIMITS.sessionTurns);
  },
  faultOf({ api }, apiKey) {
    if (!isModelApi(api)) return "unknown_api";
    return isKeyFor(api, apiKey) ? undefined : "key_kind";
  },
});

/** A model's id as a provider spells it; it is not cleaned, since another spelling is another model. */
function lineIn(field: string, id: string): void {
  if (id === lineField(field, id, LIMITS.modelIdChars, 1)) return;
  throw invalid(field, "A model's id is one line without anything unseen.");
}

/**
 * The default provider with its key opened. Null: there is none. A word: why it cannot be used; `unknown_api` and
 * `key_kind` came in past the rules of a write.
 */
export async function loadDefaultProvider(
  db: Database,
  box: SecretBox,
  extraHosts: readonly string[],
): Promise<LlmProvider | null | LlmFault> {
  const row = await llmProviders.loadDefault(db, box, extraHosts);
  if (row === null || typeof row === "string") return row;
  const { provider, baseUrl, apiKey, modelId, models, updatedAt } = row;
  const facts = models?.find((model) => model.id === modelId);
  return {
    kind: "provider",
    provider,
    api: row.api as ModelApi,
    baseUrl,
    apiKey,
    modelId,
    contextWindow: facts?.contextWindow ?? LIMITS.unknownContextWindow,
    maxOutput: facts?.maxOutput ?? LIMITS.unknownMaxOutput,
    price: { ...FREE, ...facts?.price },
    updatedAt,
  };
}
