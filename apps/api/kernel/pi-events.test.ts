/** Our vocabulary is the installed pi's own: the list of events it declares, in both directions. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { TRACE_EVENTS } from "../../../shared/trace-events";
import { SANITISE_FIELDS } from "./sanitise";

const PACKAGE = "node_modules/@earendil-works/pi-coding-agent";

function declaredEvents(): string[] {
  const types = readFileSync(`${PACKAGE}/dist/core/extensions/types.d.ts`, "utf8");
  return [...types.matchAll(/\bon\(event: "([a-z_]+)"/g)].map(([, name]) => name ?? "");
}

test("every event of the installed pi is known, and no other is", () => {
  expect(declaredEvents().length).toBe(41);
  expect(Object.keys(TRACE_EVENTS).sort()).toEqual(declaredEvents().sort());
});

test("each known event has its row in the whitelist", () => {
  expect(Object.keys(SANITISE_FIELDS).sort()).toEqual(Object.keys(TRACE_EVENTS).sort());
});

test("an event whose handler may return something is not listed as notify, and the other way round", () => {
  const types = readFileSync(`${PACKAGE}/dist/core/extensions/types.d.ts`, "utf8");
  const deciding = [...types.matchAll(/\bon\(event: "([a-z_]+)", handler: (ExtensionHandler<\w+, \w+>|\w+)\)/g)].map(
    ([, name]) => name ?? "",
  );
  const ours = Object.entries(TRACE_EVENTS).flatMap(([name, mode]) => (mode === "notify" ? [] : [name]));
  // Headers are changed in place, so pi declares no result for them.
  expect(ours.filter((name) => name !== "before_provider_headers").sort()).toEqual(deciding.sort());
});
