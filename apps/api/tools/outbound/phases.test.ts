import { expect, test } from "bun:test";
import { phaseReporter } from "./phases";

function reported(steps: readonly (readonly [atMs: number, phase: string])[]): string[] {
  const told: string[] = [];
  let nowMs = 0;
  const report = phaseReporter(
    (phase) => told.push(`${nowMs} ${phase}`),
    () => nowMs,
  );
  for (const [atMs, phase] of steps) {
    nowMs = atMs;
    report(phase);
  }
  return told;
}

test("phases are told a second apart, and one that came too soon when it comes again", () => {
  expect(
    reported([
      [0, "request"],
      [400, "accepted"],
      [999, "searching"],
      [1_000, "searching"],
      [1_500, "composing"],
      [2_000, "composing"],
    ]),
  ).toEqual(["0 request", "1000 searching", "2000 composing"]);
});

test("the same phase is told again as a sign of life only, every ten seconds", () => {
  const seconds = Array.from({ length: 31 }, (_, second) => [second * 1_000, "generating"] as const);
  expect(reported(seconds)).toEqual(["0 generating", "10000 generating", "20000 generating", "30000 generating"]);
});

test("of a thousand phases thirty are told", () => {
  const many = Array.from({ length: 1_000 }, (_, second) => [second * 1_000, `phase${second}`] as const);
  expect(reported(many).length).toBe(30);
});
