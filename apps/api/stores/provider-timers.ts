/** How long the agent waits for an outside service: for all of its answer, and for a sign of life within it. */
import { LIMITS } from "../../../shared/limits";
import { integerField, invalid } from "./owner-fields";

export interface ProviderTimers {
  totalTimeoutMs: number;
  /** At most the total. */
  idleTimeoutMs: number;
}

/** Throws a `StoreRefusal` for what the tables would not take. */
export function checkTimers({ totalTimeoutMs, idleTimeoutMs }: ProviderTimers): void {
  integerField("totalTimeoutMs", totalTimeoutMs, LIMITS.providerTotalMaxMs, LIMITS.providerTotalMinMs);
  integerField("idleTimeoutMs", idleTimeoutMs, LIMITS.providerIdleMaxMs, LIMITS.providerIdleMinMs);
  if (idleTimeoutMs > totalTimeoutMs) throw invalid("idleTimeoutMs", "It is at most totalTimeoutMs.");
}
