/** The pure half of the three pictures: over the recorded turn of the real kernel, and over what a page may meet. */
import { describe, expect, it } from "bun:test";
import recorded from "../../../../../shared/fixtures/trace-turn.json";
import type { TraceRow } from "../../../../../shared/trace-events";
import { rowWriter, T0, wholeTurn } from "../__tests__/scripted-turn";
import { placeRows } from "../place-rows";
import { addRows, EMPTY_TRACE } from "../reduce";
import { roadOf, STOPS } from "../road";
import { chainOf, stepsOf } from "./chain";
import { lastEventOf } from "./last-words";
import { callsByTool, groupsOf, parametersOf } from "./tool-table";

const turnsOf = (rows: readonly unknown[]) => addRows(EMPTY_TRACE, rows, T0).turns;
const LISTED = [
  { extension: "xray-skills", listensTo: ["before_agent_start"] },
  { extension: "xray-guard", listensTo: ["before_agent_start", "tool_call", "turn_start"] },
];

describe("the chain of an event", () => {
  const start = (extensions?: typeof LISTED) => rowWriter(null)("session_start", 0, extensions ? { extensions } : {});
  const outcomes = (rows: TraceRow[], row = rows.at(-1)!) => {
    const chain = chainOf(row, placeRows(turnsOf(rows)));
    return [chain.complete, ...chain.stations.map(({ extension, outcome }) => `${extension} ${outcome}`)];
  };
  const event = (name: string, data = {}) => rowWriter(0, 1)(name, 10, data);

  it("passes every registered handler in order: who changed it, who looked, who does not listen", () => {
    const changed = [
      { extension: "xray-skills", returned: { addedChars: 9 } },
      { extension: "xray-guard", returned: null },
    ];
    expect(outcomes([start(LISTED), event("before_agent_start", { handlers: changed })])).toEqual([
      true,
      "xray-skills changed",
      "xray-guard nothing",
    ]);
    expect(outcomes([start(LISTED), event("turn_start")])).toEqual([true, "xray-skills deaf", "xray-guard heard"]);
  });

  it("ends at whoever stopped it: a later listener was not asked", () => {
    const listed = [...LISTED, { extension: "late", listensTo: ["tool_call"] }];
    const handlers = [{ extension: "xray-guard", returned: { block: true, reason: "no" } }];
    expect(outcomes([start(listed), event("tool_call", { handlers })])).toEqual([
      true,
      "xray-skills deaf",
      "xray-guard stopped",
      "late unasked",
    ]);
  });

  it("calls nobody deaf in a recording that does not say who was registered", () => {
    const handlers = [{ extension: "xray-guard", returned: null }];
    expect(outcomes([start(), event("tool_call", { handlers })])).toEqual([false, "xray-guard nothing"]);
    expect(outcomes([event("context")])).toEqual([false]);
  });

  it("says of a listener without an answer that it was not recorded, and keeps an answer of someone unlisted", () => {
    const handlers = [{ extension: "stranger", returned: { text: "x" } }];
    expect(outcomes([start(LISTED), event("tool_call", { handlers })])).toEqual([
      true,
      "xray-skills deaf",
      "xray-guard unsaid",
      "stranger changed",
    ]);
  });

  it("reads the list of the session that was built last before the event, and survives a broken one", () => {
    const rebuilt = rowWriter(null, 5)("session_start", 20, { extensions: LISTED.slice(1) });
    const rows = [start(LISTED), event("turn_start"), rebuilt, rowWriter(2, 6)("turn_start", 30)];
    expect(outcomes(rows, rows[1])).toEqual([true, "xray-skills deaf", "xray-guard heard"]);
    expect(outcomes(rows)).toEqual([true, "xray-guard heard"]);
    const broken = rowWriter(null)("session_start", 0, { extensions: [7, { extension: "a" }, null] });
    expect(outcomes([broken, event("turn_start")])).toEqual([true]);
  });

  it("steps through what a handler was asked, through a mode, or through everything", () => {
    const rows = placeRows(turnsOf(recorded));
    const names = (filter: Parameters<typeof stepsOf>[1]) => stepsOf(rows, filter).map(({ row }) => row.eventType);
    expect(names("asked")).toEqual(["before_agent_start", "tool_call"]);
    expect(names("takeover")).toEqual(["input"]);
    expect(names("all").length).toBe(recorded.length);
  });
});

describe("the road of a message", () => {
  const road = (rows: readonly unknown[]) => roadOf(turnsOf(rows));

  it("counts the stops of a recorded turn and ends where the kernel settled", () => {
    const { counts, here, travelled } = road(recorded);
    const of = (name: string) => recorded.filter(({ eventType }) => eventType === name).length;
    for (const name of ["session_start", "input", "turn_start", "context", "tool_call", "agent_settled"]) {
      expect([name, counts.get(name)]).toEqual([name, of(name)]);
    }
    expect([here, travelled.length]).toEqual(["agent_settled", 2]);
  });

  it("stands at the last stop of every prefix, whatever lies between the stops", () => {
    const stops = new Set<string>(STOPS.map(([name]) => name));
    const rows = wholeTurn();
    for (let length = 1; length <= rows.length; length += 1) {
      const last = rows.slice(0, length).findLast(({ eventType }) => stops.has(eventType));
      expect(road(rows.slice(0, length)).here).toBe(last!.eventType);
    }
  });

  it("has come from the request to the first word, and takes the short way without a tool", () => {
    expect(road(wholeTurn().slice(0, 11)).travelled).toEqual(["M420 270H564a16 16 0 0 1 16 16V326", "M580 326V398"]);
    expect(road(wholeTurn().slice(-4, -2)).travelled).toEqual(["M580 398V442H266a16 16 0 0 0-16 16V500H170"]);
  });

  it("paints nothing for an order it does not know, and an unknown event is no stop", () => {
    const row = rowWriter();
    expect(road([row("agent_end", 0), row("input", 1), row("from_the_future", 2)])).toMatchObject({
      here: "input",
      travelled: [],
      last: { eventType: "from_the_future" },
    });
    expect(road([])).toMatchObject({ here: null, travelled: [], last: null });
  });
});

describe("the last event in words", () => {
  it("names turn and round trip, what was merged, and how long the model took to begin", () => {
    expect(lastEventOf(turnsOf(wholeTurn().slice(0, 13)))).toEqual({
      name: "message_update",
      turn: 1,
      trip: 1,
      merged: 12,
      durationMs: 100,
      waitedMs: 100,
    });
  });

  it("says nothing that a single event outside a round trip does not carry", () => {
    const nothing = { merged: null, durationMs: null, waitedMs: null };
    expect(lastEventOf(turnsOf(wholeTurn()))).toEqual({ name: "agent_settled", turn: 1, trip: null, ...nothing });
    const outside = [rowWriter(null)("session_start", 0)];
    expect(lastEventOf(turnsOf(outside))).toEqual({ name: "session_start", turn: null, trip: null, ...nothing });
    expect(lastEventOf([])).toBeNull();
  });
});

describe("the tool table", () => {
  it("reads types, bounds, choices and defaults from a schema", () => {
    const schema = {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 120, description: "words" },
        limit: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 5 },
        kind: { type: "string", enum: ["a", "b"] },
        either: { anyOf: [{ type: "string" }, { type: "null" }] },
        strange: true,
      },
      required: ["query"],
    };
    const none = { least: null, most: null, choices: null, isRequired: false, fallback: null, meaning: "" };
    expect(parametersOf(schema)).toEqual([
      { ...none, name: "query", type: "string", least: 1, most: 120, isRequired: true, meaning: "words" },
      { ...none, name: "limit", type: "integer", least: 1, fallback: "5" },
      { ...none, name: "kind", type: "string", choices: ["a", "b"] },
      { ...none, name: "either", type: "string | null" },
      { ...none, name: "strange", type: "any" },
    ]);
    expect(parametersOf({ type: "object" })).toEqual([]);
  });

  it("groups in the order of reach and leaves out a group without tools", () => {
    const tool = (name: string, group: "pure" | "sandbox") => ({
      name,
      group,
      label: "",
      description: "",
      parameters: {},
      output: "",
    });
    const groups = groupsOf([tool("run", "sandbox"), tool("read", "pure"), tool("find", "pure")]);
    expect(groups.map(({ group, tools }) => [group, ...tools.map(({ name }) => name)])).toEqual([
      ["pure", "read", "find"],
      ["sandbox", "run"],
    ]);
  });

  it("counts the calls that began, the blocked ones too", () => {
    expect([...callsByTool(turnsOf([...wholeTurn(), ...wholeTurn(2, 30)]))]).toEqual([
      ["notes_search", 2],
      ["skill_run", 2],
    ]);
  });
});
