import { expect, it } from "bun:test";
import { wholeTurn } from "./__tests__/scripted-turn";
import { blockedCalls } from "./blocked-calls";
import { addRows, EMPTY_TRACE } from "./reduce";

it("names the call that was stopped, by whom and why, and no other; the same turn gives the same map", () => {
  const [turn] = addRows(EMPTY_TRACE, wholeTurn(), 0).turns;
  expect([...blockedCalls(turn)]).toEqual([["b", { by: "xray-guard", reason: "no such script" }]]);
  expect(blockedCalls(turn)).toBe(blockedCalls(turn));
});

it("has nothing to say of a turn that is not known, or in which nothing was stopped", () => {
  const calm = wholeTurn().filter(({ data }) => data.toolCallId !== "b");
  const [turn] = addRows(EMPTY_TRACE, calm, 0).turns;
  expect([blockedCalls(turn).size, blockedCalls(undefined).size]).toEqual([0, 0]);
});
