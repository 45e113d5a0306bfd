/** The models that answer visitors, and what visitors may spend on them (§8, §21.3). */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import { MODEL_APIS } from "../../../../shared/model-apis";
import { llmProviders } from "../../stores/llm-config";
import { providerTools } from "../provider-tools";

const price = z.int().min(0).max(LIMITS.modelPriceMicros);
const tokens = z.int().min(1).max(LIMITS.modelTokens).optional();

const model = z.strictObject({
  id: z.string().min(1).max(LIMITS.modelIdChars),
  contextWindow: tokens,
  maxOutput: tokens,
  price: z
    .strictObject({ input: price, output: price, cacheRead: price, cacheWrite: price })
    .optional()
    .describe("Micro-USD per million tokens."),
});

export const llmTools = providerTools({
  family: "llm",
  store: llmProviders,
  what: "the model providers",
  ownFields: "api, models, dailyTokenLimit, dailyCostLimitCents, maxTurnsPerSession",
  input: {
    api: z.enum(MODEL_APIS).optional().describe("Protocol; a new row takes the host's own."),
    models: z
      .array(model)
      .max(LIMITS.providerModels)
      .nullable()
      .optional()
      .describe("What is known of its models; replaces the list, null clears it."),
    dailyTokenLimit: z.int().min(0).max(LIMITS.dailyTokens).optional(),
    dailyCostLimitCents: z.int().min(0).max(LIMITS.dailyCostCents).optional(),
    maxTurnsPerSession: z.int().min(0).max(LIMITS.sessionTurns).optional(),
  },
  output: {
    api: z.string(),
    models: z.array(z.unknown()).nullable(),
    dailyTokenLimit: z.int(),
    dailyCostLimitCents: z.int(),
    maxTurnsPerSession: z.int(),
  },
  withoutDefault: "No model provider is in use now; visitors get the demo where it is on, else no answer.",
  faults: {
    unknown_api: "Its protocol is not known here; it is not used.",
    key_kind: "Its key is not one for its protocol; it is not used.",
  },
});
