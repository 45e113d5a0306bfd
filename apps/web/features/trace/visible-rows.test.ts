/** Which rows are on the page, which of them are open, and what they are the other half of. */
import { expect, it } from "bun:test";
import { rowWriter, T0, wholeTurn } from "./__tests__/scripted-turn";
import { TRACE_MODES, type TraceMode } from "../../../../shared/trace-events";
import { madeSession } from "../../../../tests/support/made-session.mts";
import { addRows, EMPTY_TRACE } from "./reduce";
import type { TraceFilter } from "./trace-filter";
import { type VisibleRow, type VisibleRows, visibleRows } from "./visible-rows";

const turnOf = (rows: unknown[]) => addRows(EMPTY_TRACE, rows, T0).turns[0]!;
const nameOf = ({ item }: VisibleRow) =>
  item.kind === "trip"
    ? `trip ${item.number}`
    : item.kind === "tool"
      ? item.name
      : item.kind === "run"
        ? item.eventType
        : item.row.eventType;
const NONE = { choices: new Map<string, boolean>() };

/** A turn whose calls all went well, in two round trips. */
const goodTurn = () => turnOf(wholeTurn().filter(({ data }) => data.toolCallId !== "b"));

it("folds a finished round trip to one row and keeps its calls; the last one stays open", () => {
  expect(visibleRows(goodTurn(), NONE).rows.map(nameOf)).toEqual([
    "input",
    "before_agent_start",
    "agent_start",
    "trip 1",
    "notes_search",
    "trip 2",
    "turn_start",
    "before_provider_request",
    "message_update",
    "turn_end",
    "agent_end",
    "agent_settled",
  ]);
});

it("leaves a round trip open in which a call was stopped, and the stopped event opened", () => {
  const { rows } = visibleRows(turnOf(wholeTurn()), NONE);
  expect(rows.filter(({ item }) => item.kind === "trip").map(({ open }) => open)).toEqual([true, true]);
  const opened = rows.filter(({ item, open }) => item.kind !== "trip" && open);
  expect(opened.map(nameOf)).toEqual(["tool_call"]);
});

it("does what the reader chose instead", () => {
  const turn = turnOf(wholeTurn());
  const [first, last] = turn.items.filter(({ kind }) => kind === "trip");
  const { rows } = visibleRows(turn, {
    choices: new Map([
      [first!.key, false],
      [last!.key, false],
      ["event-0", true],
    ]),
  });
  expect(rows.map((row) => `${nameOf(row)} ${row.open ? "open" : "shut"}`)).toEqual([
    "input open",
    "before_agent_start shut",
    "agent_start shut",
    "trip 1 shut",
    "notes_search shut",
    "skill_run shut",
    "trip 2 shut",
    "agent_end shut",
    "agent_settled shut",
  ]);
});

it("links the question, each call and the answer once, wherever the folds put the answer", () => {
  const turn = turnOf(wholeTurn(6));
  const links = ({ rows }: VisibleRows) =>
    rows.filter(({ link }) => link !== null).map((row) => [nameOf(row), row.link]);
  const calls = [
    ["input", "6:user"],
    ["notes_search", "6:a"],
    ["skill_run", "6:b"],
  ];
  expect(links(visibleRows(turn, NONE))).toEqual([...calls, ["message_update", "6:answer"]]);
  const last = turn.items.findLast(({ kind }) => kind === "trip")!;
  expect(links(visibleRows(turn, { choices: new Map([[last.key, false]]) }))).toEqual([
    ...calls,
    ["trip 2", "6:answer"],
  ]);
});

it("leads from any row to the nearest thing in the chat, and from outside a turn nowhere", () => {
  const jumps = visibleRows(turnOf(wholeTurn()), NONE).rows.map((row) => `${nameOf(row)} ${row.jump}`);
  expect(jumps.slice(0, 5)).toEqual([
    "input 0:user",
    "before_agent_start 0:user",
    "agent_start 0:user",
    "trip 1 0:answer",
    "turn_start 0:answer",
  ]);
  expect(jumps.filter((jump) => jump.startsWith("tool_"))).toEqual([
    "tool_call 0:a",
    "tool_execution_update 0:a",
    "tool_result 0:a",
    "tool_call 0:b",
  ]);
  const outside = turnOf([rowWriter(null)("session_start", 0)]);
  expect(visibleRows(outside, NONE).rows.map(({ link, jump }) => [link, jump])).toEqual([[null, null]]);
});

const filterOf = (name: string, mode: TraceMode | null = null) => ({ mode, name });
const shownBy = (filter: TraceFilter, turn = turnOf(wholeTurn())) => visibleRows(turn, { ...NONE, filter });

it("keeps, under a filter, what matches and the round trip and call around it, and counts the rest", () => {
  const veto = shownBy(filterOf("", "veto"));
  expect(veto.rows.map(nameOf)).toEqual(["trip 1", "notes_search", "tool_call", "skill_run", "tool_call"]);
  expect(veto.filteredEvents).toBe(44);
  const named = shownBy(filterOf("Notes_Search"));
  expect(named.rows.map(nameOf)).toEqual(["trip 1", "notes_search"]);
  expect(named.filteredEvents).toBe(44);
  expect(shownBy(filterOf("takeover")).rows.map(nameOf)).toEqual(["input"]);
});

it("sends the links of filtered rows to the header of the turn, each once", () => {
  expect(shownBy(filterOf("takeover")).homeless).toEqual(["0:a", "0:b", "0:answer"]);
  expect(shownBy(filterOf("no such name"))).toEqual({
    rows: [],
    filteredEvents: 46,
    homeless: ["0:user", "0:a", "0:b", "0:answer"],
  });
  const requests = shownBy(filterOf("before_provider_request"));
  expect(requests.homeless).toEqual(["0:user", "0:a", "0:b"]);
  expect(requests.rows.find(({ link }) => link === "0:answer")!.item.kind).toBe("trip");
});

it("counts nothing as filtered while there is no filter, whatever is folded", () => {
  const folded = visibleRows(goodTurn(), { choices: new Map([["trip-3", false]]) });
  expect([folded.filteredEvents, folded.homeless]).toEqual([0, []]);
  expect(shownBy(filterOf("  ")).rows.length).toBe(visibleRows(turnOf(wholeTurn()), NONE).rows.length);
});

it("shows or counts every event, under any filter", () => {
  const turn = turnOf(wholeTurn());
  const shown = TRACE_MODES.map((mode) => turn.eventCount - shownBy(filterOf("", mode), turn).filteredEvents);
  expect(shown).toEqual([34, 2, 9, 1]);
  expect(turn.eventCount).toBe(46);
});

it("does not fold a round trip because another has begun while the reader is elsewhere", () => {
  const { rows } = visibleRows(goodTurn(), { ...NONE, openFrom: 1 });
  expect(rows.filter(({ item }) => item.kind === "trip").map(({ open }) => open)).toEqual([true, true]);
});

it("cuts a long list into stretches that stay what they are when the list grows", () => {
  const write = rowWriter();
  const events = Array.from({ length: 100 }, (_, index) => write("context", index));
  const stretches = (count: number) =>
    [...Map.groupBy(visibleRows(turnOf(events.slice(0, count)), NONE).rows, ({ stretch }) => stretch)].map(([, rows]) =>
      rows.map(({ item }) => item.key),
    );
  expect(stretches(100).map(({ length }) => length)).toEqual([40, 40, 20]);
  expect(stretches(90).slice(0, 2)).toEqual(stretches(100).slice(0, 2));
});

it("puts folded round trips into one stretch, in which every row stays as they open", () => {
  const turn = addRows(EMPTY_TRACE, madeSession({ turns: 1, trips: 20 }).rows, T0).turns.at(-1)!;
  const stretches = (openFrom: number) =>
    new Map(visibleRows(turn, { ...NONE, openFrom }).rows.map(({ item, stretch }) => [item.key, stretch]));
  const [folded, open] = [stretches(99), stretches(1)];
  expect(new Set(folded.values()).size).toBeLessThan(folded.size / 4);
  expect([...folded].filter(([key, stretch]) => open.get(key) !== stretch)).toEqual([]);
  const sizes = [...Map.groupBy(open.values(), (stretch) => stretch).values()].map(({ length }) => length);
  expect(Math.max(...sizes)).toBeLessThan(80);
});
