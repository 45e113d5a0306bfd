import { describe, expect, it } from "bun:test";
import { LIMITS } from "../../../shared/limits";
import { Failures } from "./failures";

const MINUTE_MS = 60_000;
const START_MS = 1_800_000_000_000;

describe("failed attempts", () => {
  it("are written down one by one up to the twentieth, without delay", () => {
    const failures = new Failures(LIMITS);
    for (let i = 0; i < 20; i += 1) expect(failures.add("a", START_MS + i)).toEqual({ delayMs: 0, audit: 1 });
    expect(failures.add("a", START_MS + 20)).toEqual({ delayMs: 1_000 });
  });

  it("past that are late, and counted into one row a minute", () => {
    const failures = new Failures(LIMITS);
    for (let i = 0; i < 20; i += 1) failures.add("a", START_MS);
    const rows: [number, number][] = [];
    for (let second = 1; second <= 300; second += 1) {
      const { delayMs, audit } = failures.add("a", START_MS + second * 1_000);
      expect(delayMs).toBe(1_000);
      if (audit !== undefined) rows.push([second, audit]);
    }
    expect(rows).toEqual([60, 120, 180, 240, 300].map((second) => [second, 60]));
  });

  it("are forgotten after ten minutes, and those that no row told of are told then", () => {
    const failures = new Failures(LIMITS);
    for (let i = 0; i < 25; i += 1) failures.add("a", START_MS);
    expect(failures.add("a", START_MS + 10 * MINUTE_MS)).toEqual({ delayMs: 0, audit: 6 });
  });

  it("of one network cost another nothing", () => {
    const failures = new Failures(LIMITS);
    for (let i = 0; i < 50; i += 1) failures.add("a", START_MS);
    expect(failures.add("b", START_MS)).toEqual({ delayMs: 0, audit: 1 });
  });

  it("of however many networks write sixty rows a minute at most and hold a thousand entries", () => {
    const failures = new Failures(LIMITS);
    let rows = 0;
    for (let i = 0; i < 5_000; i += 1) rows += failures.add(`network ${i}`, START_MS + i).audit === undefined ? 0 : 1;
    expect([rows, failures.size]).toEqual([60, 1_000]);
    expect(failures.add("network 4999", START_MS + MINUTE_MS).audit).toBe(2);
  });
});
