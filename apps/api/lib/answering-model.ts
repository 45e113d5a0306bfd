/**
 * Which model answers on this site: the default provider row, else the offline demo when it is switched on, else none.
 * A row that exists but cannot be used never falls back to the demo: the site would pretend to work.
 */
import { isSwitchedOn } from "./env";

/** `provider` is what the store found: the default row, none, or the reason why the row cannot be used. */
export function answeringModel<Provider extends object>(
  provider: Provider | null | string,
  demoAllowed = isSwitchedOn("XRAY_DEMO_MODEL"),
): Provider | { kind: "demo" } | undefined {
  if (typeof provider === "string") return undefined;
  return provider ?? (demoAllowed ? { kind: "demo" } : undefined);
}
