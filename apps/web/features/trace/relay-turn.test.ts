import { describe, expect, it } from "bun:test";
import { madeSession, rowWriter } from "../../../../tests/support/made-session.mts";
import type { JsonObject, TraceRow } from "../../../../shared/trace-events";
import { cutTrace } from "./cut-trace";
import { addRows, EMPTY_TRACE, type TraceState } from "./reduce";

const oneByOne = (rows: readonly TraceRow[]): TraceState =>
  rows.reduce((state, row) => addRows(state, [row], 0), EMPTY_TRACE);

describe("a turn that grows row by row", () => {
  it("becomes what its rows are at once, after each of them", () => {
    const { rows } = madeSession({ turns: 2, trips: 4, blocked: true });
    let state = EMPTY_TRACE;
    for (const [index, row] of rows.entries()) {
      state = addRows(state, [row], 0);
      expect(state).toEqual(addRows(EMPTY_TRACE, rows.slice(0, index + 1), 0));
    }
  });

  it("takes what comes late for a call of an earlier round trip to that call", () => {
    const write = rowWriter();
    const row = (eventType: string, data?: JsonObject) => write(0, eventType, 10, data);
    const call = { toolCallId: "late", toolName: "notes_search" };
    const rows = [
      row("input", { text: "Go" }),
      row("turn_start", { turnIndex: 0 }),
      row("tool_execution_start", call),
      row("turn_end", { turnIndex: 0 }),
      row("turn_start", { turnIndex: 1 }),
      row("tool_execution_update", { ...call, partialResultPreview: "running" }),
      row("tool_execution_end", { ...call, isError: true }),
      row("turn_end", { turnIndex: 1 }),
      row("agent_settled"),
    ];
    const whole = addRows(EMPTY_TRACE, rows, 0);
    expect(oneByOne(rows)).toEqual(whole);
    for (const [index, { seq }] of rows.entries()) {
      expect(cutTrace(whole, seq).turns).toEqual(addRows(EMPTY_TRACE, rows.slice(0, index + 1), 0).turns);
    }
  });

  it("reads its last round trip and not the hundreds before it", () => {
    const read = new Set<number>();
    const { rows } = madeSession({ turns: 1, trips: 200 });
    const watched = rows.map((row) => ({
      ...row,
      data: new Proxy(row.data, {
        get(data, key) {
          read.add(row.seq);
          return data[key as string];
        },
      }),
    }));
    const state = addRows(EMPTY_TRACE, watched.slice(0, -4), 0);
    read.clear();
    const grown = addRows(state, watched.slice(-4, -3), 0);
    expect(read.size).toBeGreaterThan(0);
    expect(read.size).toBeLessThan(30);
    expect(grown.turns[0]!.items[150]).toBe(state.turns[0]!.items[150]!);
    expect(cutTrace(grown, rows.length - 400).turns[0]!.items[150]).toBe(state.turns[0]!.items[150]!);
  });
});
