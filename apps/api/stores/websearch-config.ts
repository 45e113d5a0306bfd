/** Services that search the web for the agent (§10.1). The tool that calls them takes `websearchProviders.loadDefault`. */
import { LIMITS } from "../../../shared/limits";
import { integerField, invalid } from "./owner-fields";
import { providerRows, type ProviderWrite } from "./provider-rows";
import { checkTimers, type ProviderTimers } from "./provider-timers";

interface WebsearchFields extends ProviderTimers {
  /** Alone decides the protocol (§10.3): `google_search`, else the Responses protocol. */
  toolType: string;
  /** Searches a day of all visitors together; 0 is no limit. */
  dailySearchLimit: number;
}
export type WebsearchProviderWrite = ProviderWrite<WebsearchFields>;

export const TOOL_TYPE = /^(web_search(_\d{4}_\d{2}_\d{2})?|google_search)$/;

export const websearchProviders = providerRows<WebsearchFields>({
  table: "websearch_config",
  hosts: "websearch",
  columns: {
    toolType: "tool_type",
    totalTimeoutMs: "total_timeout_ms",
    idleTimeoutMs: "idle_timeout_ms",
    dailySearchLimit: "daily_search_limit",
  },
  fresh: () => ({
    toolType: "web_search",
    totalTimeoutMs: LIMITS.searchTotalMs,
    idleTimeoutMs: LIMITS.searchIdleMs,
    dailySearchLimit: 0,
  }),
  check(row) {
    if (!TOOL_TYPE.test(row.toolType)) {
      throw invalid("toolType", "It is web_search, web_search_YYYY_MM_DD or google_search.");
    }
    checkTimers(row);
    integerField("dailySearchLimit", row.dailySearchLimit, LIMITS.dailyCalls);
  },
});
