import { expect, it } from "bun:test";
import { answeringModel } from "./answering-model";

const row = { kind: "provider", provider: "p" } as const;

it.each([
  ["a row answers", row, false, row],
  ["a row turns the demo off", row, true, row],
  ["without a row the demo answers when it is allowed", null, true, { kind: "demo" } as const],
  ["without a row and demo nothing answers", null, false, undefined],
  ["a row whose key does not open never falls back to the demo", "undecryptable" as const, true, undefined],
  ["a row whose protocol is not offered never falls back to the demo", "unknown_api" as const, true, undefined],
  ["a row whose host is not allowed never falls back to the demo", "host_not_allowed" as const, true, undefined],
])("%s", (_case, provider, demoAllowed, expected) => {
  expect(answeringModel(provider, demoAllowed)).toEqual(expected);
});
