/**
 * What the panel may claim: every event is shown or counted, a duration is the distance of two recorded events, and the
 * picture depends on the rows alone, not on how, in which order or in how many pieces they came.
 */
import { describe, expect, it } from "bun:test";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import askFrames from "../../../../shared/fixtures/ask-turn.json";
import recorded from "../../../../shared/fixtures/trace-turn.json";
import { TRACE_EVENTS, type JsonObject, type TraceRow } from "../../../../shared/trace-events";
import en from "../../messages/trace.en.json";
import { rowWriter, T0, wholeTurn } from "./__tests__/scripted-turn";
import { eventsIn } from "./event-facts";
import { TurnTrace } from "./index";
import { RowDetails } from "./row-details";
import { addRows, EMPTY_TRACE, type TraceState } from "./reduce";
import { filteredEvents } from "./trace-filter";
import type { LeafItem, ToolItem, TraceItem } from "./trace-model";

const RECORDED = recorded as unknown as TraceRow[];
const stateOf = (rows: readonly unknown[]) => addRows(EMPTY_TRACE, rows, T0);

function markup({ turns, clockOffsetMs }: TraceState): string {
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={en} timeZone="UTC">
      {turns.map((turn) => (
        <TurnTrace key={turn.turnSeq} turn={turn} running={false} clockOffsetMs={clockOffsetMs} onAskWhy={() => {}} />
      ))}
    </NextIntlClientProvider>,
  );
}

/** All rows opened. */
const opened = ({ turns }: TraceState): string =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={en} timeZone="UTC">
      {turns
        .flatMap(({ items }) => leavesOf(items))
        .map((item) => (
          <RowDetails key={item.key} item={item} onAskWhy={() => {}} />
        ))}
    </NextIntlClientProvider>,
  );

const leavesOf = (items: readonly TraceItem[]): LeafItem[] =>
  items.flatMap((item): LeafItem[] => {
    if (item.kind === "trip") return leavesOf(item.children);
    return item.kind === "tool" ? [item, ...leavesOf(item.children)] : [item];
  });
/** The rows that an item draws. */
const rowsOf = (item: LeafItem): TraceRow[] => {
  if (item.kind === "event") return [item.row];
  return item.kind === "run" ? item.rows : [item.startRow, item.endRow].filter((row) => row !== null);
};
const seqsOf = ({ turns }: TraceState): number[] =>
  turns
    .flatMap(({ items }) => leavesOf(items).flatMap(rowsOf))
    .map(({ seq }) => seq)
    .sort((a, b) => a - b);

describe("every event", () => {
  const names = [...Object.keys(TRACE_EVENTS), "an_event_of_tomorrow", "事件", "constructor"];

  it("of the vocabulary, and one that this page does not know, is a row with its name and its count", () => {
    const missing = names.filter((name) => {
      const write = rowWriter();
      const call = { toolCallId: "c", toolName: "a_tool" };
      const data = name.startsWith("tool_") ? call : {};
      const state = stateOf([write("input", 0), write("turn_start", 1), write(name, 2, data)]);
      const drawn = markup(state);
      const isCall = name === "tool_execution_start" || name === "tool_execution_end";
      return !drawn.includes(`>${isCall ? "a_tool" : name}<`) || !drawn.includes("3 events");
    });
    expect(missing).toEqual([]);
  });

  it("opens to its data, also with a name that every object has", () => {
    const odd = ["an_event_of_tomorrow", "constructor", "__proto__", "toString"];
    const html = opened(stateOf(odd.map((name, seq) => rowWriter(0, seq)(name, 1, { said: `of ${name}` }))));
    expect(odd.filter((name) => !html.includes(`of ${name}<`))).toEqual([]);
  });

  it("of a call that goes on says each of its words once, and a text as it grew", () => {
    const write = rowWriter();
    const call = { toolCallId: "c", toolName: "a_tool" };
    const went = ["running", "running", "running"].map((partialResultPreview) =>
      write("tool_execution_update", 1, { ...call, partialResultPreview }),
    );
    expect(opened(stateOf([write("tool_execution_start", 0, call), ...went]))).toContain(">running<");
  });

  it("is told to be unknown exactly when it is", () => {
    const told = names.filter((name) => markup(stateOf([rowWriter()(name, 0)])).includes("unknown to this page"));
    expect(told).toEqual(["an_event_of_tomorrow", "事件", "constructor"]);
  });

  it("of a real recording is drawn once, merged ones with their number", () => {
    const state = stateOf(RECORDED);
    expect(seqsOf(state)).toEqual(RECORDED.map(({ seq }) => seq));
    expect(state.eventCount).toBe(RECORDED.reduce((sum, row) => sum + eventsIn(row), 0));
    const runs = state.turns.flatMap(({ items }) => leavesOf(items)).filter((item) => item.kind === "run");
    expect(runs.length).toBeGreaterThan(1);
    expect(runs.map(({ count }) => count)).toEqual(
      runs.map(({ rows }) => rows.reduce((sum, row) => sum + eventsIn(row), 0)),
    );
  });
});

describe("a duration", () => {
  const timeOf = (row: TraceRow) => Date.parse(row.timestamp);
  const calls = stateOf(RECORDED)
    .turns.flatMap(({ items }) => leavesOf(items))
    .filter((item): item is ToolItem => item.kind === "tool");

  it("is that of the recorder: of the pair's own events, and of the chat's frame within 2 ms", () => {
    expect(calls.length).toBeGreaterThan(0);
    for (const { toolCallId, durationMs } of calls) {
      const pair = RECORDED.filter(
        ({ eventType, data }) => /^tool_execution_(start|end)$/.test(eventType) && data.toolCallId === toolCallId,
      );
      expect(durationMs).toBe(timeOf(pair[1]!) - timeOf(pair[0]!));
      const frame = askFrames.find(({ event, data }) => event === "tool_end" && data.toolCallId === toolCallId)!;
      expect(Math.abs(durationMs! - frame.data.durationMs!)).toBeLessThanOrEqual(2);
    }
  });

  it("of a round trip and of the turn is that between their first and last event", () => {
    const [turn] = stateOf(RECORDED).turns.filter(({ turnSeq }) => turnSeq !== null);
    const rows = RECORDED.filter(({ turnSeq }) => turnSeq === turn!.turnSeq);
    const at = (name: string) => rows.filter(({ eventType }) => eventType === name).map(timeOf);
    const ends = at("turn_end");
    expect(turn!.items.filter((item) => item.kind === "trip").map(({ durationMs }) => durationMs)).toEqual(
      at("turn_start").map((start, index) => ends[index]! - start),
    );
    expect(turn!.durationMs).toBe(at("agent_settled")[0]! - timeOf(rows[0]!));
  });
});

describe("live and stored", () => {
  it("are the same markup, whatever pieces the rows came in", () => {
    const rows = [...RECORDED, ...wholeTurn(8, 500), ...wholeTurn(10, 600)];
    const atOnce = markup(stateOf(rows));
    const random = seeded(3);
    for (let round = 0; round < 6; round++) {
      let state = EMPTY_TRACE;
      for (let from = 0; from < rows.length; ) {
        const to = from + 1 + Math.floor(random() * 12);
        state = addRows(state, rows.slice(Math.max(0, from - 2), to), T0);
        from = to;
      }
      expect(markup(state)).toBe(atOnce);
    }
  });

  it("an older recording, without handlers and without merged counts, is drawn like any other", () => {
    const old = wholeTurn().map((row): TraceRow => {
      const { handlers: _, mergedCount: __, ...data } = row.data as JsonObject;
      return { ...row, data };
    });
    const state = stateOf(old);
    expect([seqsOf(state), state.eventCount, state.decidedByMode.veto]).toEqual([
      old.map(({ seq }) => seq),
      old.length,
      0,
    ]);
    expect(markup(state)).not.toContain("let through");
  });
});

describe("rows that come as they like", () => {
  it("shuffled, repeated, missing, unknown, with a clock that jumps: one picture, each row once, nothing negative", () => {
    const random = seeded(11);
    const names = [...Object.keys(TRACE_EVENTS), "unheard_of"];
    const pick = <T,>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    for (let round = 0; round < 300; round++) {
      const write = rowWriter();
      const rows = Array.from({ length: 2 + Math.floor(random() * 60) }, () => {
        const call = { toolCallId: pick(["a", "b", "c"]), toolName: "t", mergedCount: pick([1, 3, -2, 0.5]) };
        const phase = { partialResultPreview: pick(["running", "Some text.", ""]) };
        const data: JsonObject = random() < 0.5 ? {} : { ...call, ...phase };
        return write(pick(names), Math.floor(random() * 9_000) - 2_000, data, pick([0, 0, 2, null]));
      }).filter(() => random() > 0.15);
      const inOrder = stateOf(rows);
      const mixed = [...rows, ...rows.slice(0, 5)].sort(() => random() - 0.5);
      const state = addRows(stateOf(mixed.slice(0, 9)), mixed, T0);
      expect(state.turns).toEqual(inOrder.turns);
      expect(seqsOf(state)).toEqual(rows.map(({ seq }) => seq));
      const modes = Object.values(state.countsByMode).reduce((sum, count) => sum + count, 0);
      const inTurns = state.turns.reduce((sum, { eventCount }) => sum + eventCount, 0);
      expect([modes, inTurns]).toEqual([state.eventCount, state.eventCount]);
      for (const turn of state.turns) {
        const nothing = { mode: null, name: "no such name" };
        expect(filteredEvents(turn, nothing)).toBe(turn.eventCount);
        const times = turn.items.flatMap((item) =>
          item.kind === "event" ? [item.atMs] : [item.startMs, item.durationMs],
        );
        expect(times.filter((ms) => ms !== null && ms < 0)).toEqual([]);
      }
    }
  });
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
