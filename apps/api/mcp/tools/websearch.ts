/** The services that search the web for the agent, apart from those that answer (§10.1, §21.3). */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import { TOOL_TYPE, websearchProviders } from "../../stores/websearch-config";
import { providerTools } from "../provider-tools";
import { idleTimeoutMs, totalTimeoutMs } from "./fields";

export const websearchTools = providerTools({
  family: "websearch",
  store: websearchProviders,
  what: "the web search providers",
  ownFields: "toolType, totalTimeoutMs, idleTimeoutMs, dailySearchLimit",
  input: {
    toolType: z
      .string()
      .regex(TOOL_TYPE)
      .optional()
      .describe("Decides the protocol: google_search speaks chat completions, the others Responses."),
    totalTimeoutMs,
    idleTimeoutMs,
    dailySearchLimit: z.int().min(0).max(LIMITS.dailyCalls).optional(),
  },
  output: { toolType: z.string(), totalTimeoutMs: z.int(), idleTimeoutMs: z.int(), dailySearchLimit: z.int() },
  withoutDefault: "No search provider is in use now; the agent does not have web_search.",
  faults: {},
});
