/** The reducer and the layout behind it: any order, any repeats and any gaps give one honest picture of the turn. */
import { describe, expect, it } from "bun:test";
import recorded from "../../../../shared/fixtures/trace-turn.json";
import type { JsonValue, TraceRow } from "../../../../shared/trace-events";
import { rowWriter, T0, wholeTurn } from "./__tests__/scripted-turn";
import { addRows, EMPTY_TRACE } from "./reduce";
import type { TraceItem, TraceTurn } from "./trace-model";

let row = rowWriter();
function script(make: () => TraceRow[]): TraceRow[] {
  row = rowWriter();
  return make();
}
const turnsOf = (rows: unknown[]): TraceTurn[] => addRows(EMPTY_TRACE, rows, T0).turns;
const oneTurn = (rows: unknown[]): TraceTurn => turnsOf(rows)[0]!;

/** The picture as lines of text: one per row, indented by depth. */
function draw(items: readonly TraceItem[]): string[] {
  return items.flatMap((item): string[] => {
    if (item.kind === "trip") {
      const head = `trip ${item.number} ${item.startMs}-${item.endMs ?? "?"} ${item.durationMs ?? "-"} (${item.eventCount})`;
      return [head, ...draw(item.children)];
    }
    const pad = "  ".repeat(item.depth);
    const wait = "waitedFromMs" in item && item.waitedFromMs !== null ? ` waited ${item.waitedFromMs}` : "";
    if (item.kind === "run") {
      return [`${pad}${item.eventType} ×${item.count} ${item.startMs}-${item.endMs} ${item.durationMs ?? "-"}${wait}`];
    }
    if (item.kind === "tool") {
      const mark = item.blockedBy !== null ? ` blocked by ${item.blockedBy}` : item.failed ? " failed" : "";
      const head = `${pad}${item.name} ${item.startMs}-${item.endMs ?? "?"} ${item.durationMs ?? "-"}${mark}`;
      return [head, ...draw(item.children)];
    }
    return [`${pad}${item.row.eventType} ${item.atMs}${wait}${item.waiting ? " waiting" : ""}`];
  });
}

const WHOLE_PICTURE = [
  "input 0",
  "before_agent_start 5",
  "agent_start 8",
  "trip 1 10-270 260 (37)",
  "  turn_start 10",
  "  context 12",
  "  before_provider_headers 13",
  "  before_provider_request 14",
  "  after_provider_response 114 waited 14",
  "  message_start 115",
  "  provider_stream_event ×7 116-216 100",
  "  message_update ×12 120-220 100",
  "  message_end 221",
  "  notes_search 230-262 32",
  "    tool_call 231",
  "    tool_execution_update ×3 240-250 10",
  "    tool_result 260",
  "  skill_run 232-241 9 blocked by xray-guard",
  "    tool_call 233",
  "  turn_end 270",
  "trip 2 271-410 139 (4)",
  "  turn_start 271",
  "  before_provider_request 272",
  "  message_update ×1 400-400 - waited 272",
  "  turn_end 410",
  "agent_end 411",
  "agent_settled 412",
];

describe("one turn", () => {
  it("pairs, merges and nests by what the kernel says, and draws a duration only for a pair", () => {
    expect(draw(oneTurn(wholeTurn()).items)).toEqual(WHOLE_PICTURE);
  });

  it("counts merged events as events, and trips, calls and the whole duration once", () => {
    const turn = oneTurn(wholeTurn());
    const { eventCount, roundTrips, toolCalls, durationMs, blockedCount, number } = turn;
    expect({ eventCount, roundTrips, toolCalls, durationMs, blockedCount, number }).toEqual({
      eventCount: 46,
      roundTrips: 2,
      toolCalls: 2,
      durationMs: 412,
      blockedCount: 1,
      number: 1,
    });
  });

  it("is the same picture whatever order the rows come in and however often", () => {
    const rows = wholeTurn();
    const shuffled = [...rows].sort((a, b) => ((a.seq * 7) % 30) - ((b.seq * 7) % 30));
    let state = addRows(EMPTY_TRACE, shuffled.slice(0, 11), T0);
    state = addRows(state, [...shuffled.slice(5), ...shuffled], T0);
    state = addRows(state, rows, T0);
    expect(draw(state.turns[0]!.items)).toEqual(WHOLE_PICTURE);
    expect([state.lastSeq, state.eventCount, state.turns[0]!.rows.length]).toEqual([29, 46, 30]);
  });

  it("is the same picture at once and row by row", () => {
    const state = wholeTurn().reduce((before, next) => addRows(before, [next], T0), EMPTY_TRACE);
    expect(draw(state.turns[0]!.items)).toEqual(WHOLE_PICTURE);
    expect(state.turns).toEqual(turnsOf(wholeTurn()));
  });
});

it("lays out a turn that the kernel really recorded: every pair is whole", () => {
  const turns = turnsOf(recorded);
  // Times and merge counts are the recording's own; what is nested where, and what waited, is not.
  const shape = (items: readonly TraceItem[]) => draw(items).map((line) => line.replace(/ [×\d(][-\d()]*/g, ""));
  expect(turns.map(({ turnSeq }) => turnSeq)).toEqual([null, 0]);
  expect(shape(turns[0]!.items)).toEqual(["session_start", "resources_discover"]);
  expect(shape(turns[1]!.items)).toEqual([
    "input",
    "before_agent_start",
    "agent_start",
    "trip",
    "  turn_start",
    "  message_start",
    "  message_end",
    "  message_start",
    "  message_end",
    "  context",
    "  context_with_system",
    "  before_provider_headers",
    "  after_provider_response waited",
    "  message_start",
    "  message_update",
    "  message_end",
    "  notes_search",
    "    tool_call",
    "    tool_result",
    "  message_start",
    "  message_end",
    "  turn_end",
    "trip",
    "  turn_start",
    "  context",
    "  context_with_system",
    "  before_provider_headers",
    "  after_provider_response waited",
    "  message_start",
    "  message_update",
    "  message_end",
    "  turn_end",
    "agent_end",
    "agent_before_settle",
    "agent_settled",
  ]);
  const { durationMs, roundTrips, toolCalls, eventCount, rows } = turns[1]!;
  expect([roundTrips, toolCalls, durationMs]).toEqual([
    2,
    1,
    Date.parse(rows.at(-1)!.timestamp) - Date.parse(rows[0]!.timestamp),
  ]);
  expect(eventCount).toBeGreaterThan(rows.length);
});

describe("what is not there", () => {
  it("leaves an unfinished turn open: no end, no duration, the wait still running", () => {
    const rows = script(() => [row("input", 0), row("turn_start", 1), row("before_provider_request", 2)]);
    const turn = oneTurn(rows);
    expect(draw(turn.items)).toEqual([
      "input 0",
      "trip 1 1-? - (2)",
      "  turn_start 1",
      "  before_provider_request 2 waiting",
    ]);
    expect(turn.durationMs).toBeNull();
  });

  it("marks the trailing run as open, and no earlier one", () => {
    const rows = script(() => [
      row("turn_start", 0),
      row("message_update", 1),
      row("message_end", 2),
      row("message_update", 3),
    ]);
    const trip = oneTurn(rows).items[0]!;
    const runs = trip.kind === "trip" ? trip.children.filter((child) => child.kind === "run") : [];
    expect(runs.map((run) => run.kind === "run" && run.open)).toEqual([false, true]);
  });

  it("gives a call without its start no duration, and one without its end neither", () => {
    const rows = script(() => [
      row("tool_execution_end", 5, { toolCallId: "a", toolName: "x", isError: false }),
      row("tool_execution_start", 6, { toolCallId: "b", toolName: "y" }),
    ]);
    expect(draw(oneTurn(rows).items)).toEqual(["x 0-0 -", "y 1-? -"]);
  });

  it("closes a round trip that lost its turn_end when the next one begins or the agent ends", () => {
    const rows = script(() => [row("turn_start", 0), row("turn_start", 9), row("agent_end", 20)]);
    expect(draw(oneTurn(rows).items)).toEqual([
      "trip 1 0-? - (1)",
      "  turn_start 0",
      "trip 2 9-? - (1)",
      "  turn_start 9",
      "agent_end 20",
    ]);
  });

  it("stops waiting when the round trip ends without an answer", () => {
    const rows = script(() => [row("turn_start", 0), row("before_provider_request", 1), row("turn_end", 9)]);
    expect(draw(oneTurn(rows).items)).toEqual([
      "trip 1 0-9 9 (3)",
      "  turn_start 0",
      "  before_provider_request 1",
      "  turn_end 9",
    ]);
  });

  it("keeps rows outside any turn in a turn of their own, before the others", () => {
    const rows = script(() => [
      row("input", 0, {}, 2),
      row("session_start", 1, { reason: "startup" }, null),
      row("input", 2, {}, 0),
    ]);
    expect(turnsOf(rows).map(({ turnSeq, number }) => [turnSeq, number])).toEqual([
      [null, null],
      [0, 1],
      [2, 2],
    ]);
  });
});

describe("a call's progress", () => {
  const call = { toolCallId: "a", toolName: "skill_run" };
  const update = (atMs: number, text: JsonValue, mergedCount = 1) =>
    row("tool_execution_update", atMs, { ...call, partialResultPreview: text, mergedCount });

  it("is one row for each phase it names, and one for whatever else follows each other", () => {
    const rows = script(() => [
      row("tool_execution_start", 0, call),
      update(1, "validated"),
      update(5, "running", 2),
      update(9, "running"),
      update(20, "Line 1 of the output"),
      update(30, "Line 2 of the output"),
      update(40, "finished"),
      row("tool_execution_end", 41, call),
    ]);
    const [tool] = oneTurn(rows).items;
    const runs = tool!.kind === "tool" ? tool!.children : [];
    expect(runs.map((run) => run.kind === "run" && [run.phase, run.count, run.startMs])).toEqual([
      ["validated", 1, 1],
      ["running", 3, 5],
      [null, 2, 20],
      ["finished", 1, 40],
    ]);
  });

  it("ends once: a second end is an event of its own and changes nothing", () => {
    const rows = script(() => [
      row("tool_execution_start", 0, call),
      row("tool_execution_end", 10, { ...call, isError: false }),
      row("tool_execution_end", 90, { ...call, isError: true }),
    ]);
    expect(draw(oneTurn(rows).items)).toEqual(["skill_run 0-10 10", "tool_execution_end 90"]);
  });
});

describe("rows the page cannot trust", () => {
  it("never makes a negative time or duration when the clock steps back", () => {
    const rows = script(() => [
      row("input", 0),
      row("turn_start", 100),
      row("message_update", 150),
      row("message_update", 90),
      row("tool_execution_start", 40, { toolCallId: "a", toolName: "x" }),
      row("tool_execution_end", 20, { toolCallId: "a", toolName: "x" }),
      row("turn_end", -50),
      row("agent_settled", -60),
    ]);
    expect(draw(oneTurn(rows).items)).toEqual([
      "input 0",
      "trip 1 100-100 - (6)",
      "  turn_start 100",
      "  message_update ×2 150-150 -",
      "  x 40-40 -",
      "  turn_end 0",
      "agent_settled 0",
    ]);
  });

  it("takes a duration from the recorded times, also where both lie before the turn's first", () => {
    const rows = script(() => [
      row("input", 100),
      row("turn_start", 10),
      row("tool_execution_start", 20, { toolCallId: "a", toolName: "calc" }),
      row("tool_execution_end", 50, { toolCallId: "a", toolName: "calc" }),
      row("turn_end", 60),
    ]);
    expect(draw(oneTurn(rows).items)).toEqual([
      "input 0",
      "trip 1 0-0 50 (4)",
      "  turn_start 0",
      "  calc 0-0 30",
      "  turn_end 0",
    ]);
  });

  it("takes an id that is used again for another call, and gives none a duration whose ends cannot be told apart", () => {
    const call = (eventType: string, atMs: number) => row(eventType, atMs, { toolCallId: "a", toolName: "calc" });
    const again = oneTurn(
      script(() => [
        row("input", 0),
        call("tool_execution_start", 10),
        call("tool_execution_end", 15),
        call("tool_execution_start", 20),
        call("tool_execution_end", 30),
      ]),
    );
    expect(draw(again.items)).toEqual(["input 0", "calc 10-15 5", "calc 20-30 10"]);
    expect([again.toolCalls, new Set(again.items.map(({ key }) => key)).size]).toEqual([2, 3]);
    const beside = oneTurn(
      script(() => [
        row("input", 0),
        call("tool_execution_start", 10),
        call("tool_execution_start", 12),
        call("tool_execution_end", 30),
      ]),
    );
    expect(draw(beside.items)).toEqual(["input 0", "calc 10-30 -", "tool_execution_start 12"]);
  });

  it("shows an event of a newer kernel as itself and says that it is unknown", () => {
    const turn = oneTurn(script(() => [row("quantum_leap", 3, { to: 7 })]));
    const item = turn.items[0]!;
    expect(item.kind === "event" && [item.unknown, item.row.eventType, item.row.mode]).toEqual([
      true,
      "quantum_leap",
      "notify",
    ]);
  });

  it("drops what cannot be placed and keeps the rest", () => {
    const good = script(() => [row("input", 0)]);
    const bad = [
      null,
      7,
      "x",
      {},
      { ...good[0], seq: -1 },
      { ...good[0], seq: 1.5 },
      { ...good[0], seq: 4, timestamp: "soon" },
      { ...good[0], seq: 5, eventType: 9 },
    ];
    const state = addRows(EMPTY_TRACE, [...bad, ...good], T0);
    expect([state.lastSeq, state.eventCount]).toEqual([0, 1]);
  });

  it("reads a row with broken data as a row without data", () => {
    const rows = script(() => [row("tool_call", 0)]).map((bare) => ({ ...bare, mode: "odd", data: [1], turnSeq: "0" }));
    const turn = oneTurn(rows);
    expect([turn.turnSeq, turn.rows[0]!.mode, turn.rows[0]!.data, turn.blockedCount]).toEqual([null, "veto", {}, 0]);
  });

  it("gives an event whose row names no mode, or one of tomorrow, the mode of the vocabulary, and its block its count", () => {
    const handlers: JsonValue = [{ extension: "g", returned: { block: true } }];
    const [call, next, strange] = script(() => [row("tool_call", 0, { handlers }), row("context", 1), row("later", 2)]);
    const { mode: _, ...bare } = call!;
    const state = addRows(EMPTY_TRACE, [bare, { ...next, mode: "quorum" }, { ...strange, mode: "quorum" }], T0);
    expect(state.turns[0]!.rows.map(({ mode }) => mode)).toEqual(["veto", "chain", "notify"]);
    expect(state.decidedByMode.veto).toBe(1);
  });

  it("takes a block only from a handler that returned one", () => {
    const handlers: JsonValue = [
      { extension: "a", returned: { block: false } },
      { extension: "b", returned: null },
      { block: true },
      3,
    ];
    const turn = oneTurn(script(() => [row("tool_call", 0, { toolCallId: "a", handlers })]));
    expect(turn.blockedCount).toBe(0);
  });
});

describe("state", () => {
  it("comes back untouched when nothing new arrives", () => {
    const state = addRows(EMPTY_TRACE, wholeTurn(), T0);
    expect(addRows(state, wholeTurn(), T0 + 99)).toBe(state);
    expect(addRows(state, [], T0 + 99)).toBe(state);
  });

  it("keeps the identity of other turns and of the rows that did not change", () => {
    const rows = wholeTurn();
    const before = addRows(addRows(EMPTY_TRACE, rows.slice(0, 27), T0), [{ ...rows[0], seq: 90, turnSeq: 2 }], T0);
    const after = addRows(before, rows.slice(27), T0);
    expect(after.turns[1]).toBe(before.turns[1]!);
    const kept = after.turns[0]!.items.map((item, index) => item === before.turns[0]!.items[index]);
    expect(kept).toEqual([true, true, true, true, false, false, false]);
  });

  it("counts by mode, merged events included", () => {
    expect(addRows(EMPTY_TRACE, wholeTurn(), T0).countsByMode).toEqual({ notify: 34, veto: 2, chain: 9, takeover: 1 });
  });

  it("learns the server's clock from the row that was on the way for the shortest time", () => {
    row = rowWriter();
    let state = addRows(EMPTY_TRACE, [row("input", 0)], T0 - 5_000 + 900);
    state = addRows(state, [row("agent_start", 1_000)], T0 + 1_000 - 5_000 + 40);
    state = addRows(state, [row("agent_end", 2_000)], T0 + 2_000 - 5_000 + 700);
    expect(state.clockOffsetMs).toBe(4_960);
  });

  it("learns the clock anew when it steps back, so that a second that was wrong is not added to every turn after it", () => {
    row = rowWriter();
    let state = addRows(EMPTY_TRACE, [row("input", 0), row("agent_start", 3_600_000)], T0);
    state = addRows(state, [row("input", 1_000, {}, 2)], T0 + 1_040);
    expect(state.clockOffsetMs).toBe(-40);
  });
});
