/** The panel as markup, in both languages and in every state: what a reader without script, sight or colour gets. */
import { expect, it } from "bun:test";
import { NextIntlClientProvider } from "next-intl";
import { createRef, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { TRACE_MODES } from "../../../../shared/trace-events";
import panelEn from "../../messages/panel.en.json";
import panelZh from "../../messages/panel.zh.json";
import traceEn from "../../messages/trace.en.json";
import traceZh from "../../messages/trace.zh.json";
import { rowWriter, T0, wholeTurn } from "./__tests__/scripted-turn";
import {
  EmptyTrace,
  type Panel,
  TraceAxis,
  type TraceConnection,
  TraceFilm,
  TraceHead,
  TraceLegend,
  TraceLine,
  TraceNotice,
  TraceSheet,
  type TraceView,
  TurnTrace,
} from "./index";
import { addRows, EMPTY_TRACE } from "./reduce";

const MESSAGES = { en: { ...traceEn, ...panelEn }, zh: { ...traceZh, ...panelZh } };
type Language = keyof typeof MESSAGES;

function html(language: Language, node: ReactNode): string {
  const onError = (error: Error) => {
    throw error;
  };
  return renderToStaticMarkup(
    <NextIntlClientProvider locale={language} messages={MESSAGES[language]} timeZone="UTC" onError={onError}>
      {node}
    </NextIntlClientProvider>,
  );
}
/** What is read aloud: no tags, no decoration. */
const words = (markup: string): string =>
  markup
    .replace(/<(svg|span class="[^"]*")[^>]*aria-hidden="true"[^>]*>.*?<\/\1>/gs, "")
    .replaceAll(/<\/?bdi>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
const text = (language: Language, node: ReactNode): string => words(html(language, node));

const view = (rows: unknown[], connection: TraceConnection = "live"): TraceView => ({
  ...addRows(EMPTY_TRACE, rows, T0),
  connection,
  reconnect: () => {},
});
const turnTrace = (rows: unknown[], running = false) => {
  const { turns, clockOffsetMs } = view(rows);
  return <TurnTrace turn={turns[0]!} running={running} clockOffsetMs={clockOffsetMs} onAskWhy={() => {}} />;
};

it("has the same words in both languages' files, with the same values to fill in", () => {
  const shape = (value: unknown): unknown =>
    typeof value === "string"
      ? [...new Set([...value.matchAll(/\{(\w+)/g)].map(([, name]) => name))]
          .filter((name) => name !== "kind" && name !== "count")
          .sort()
      : Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, shape(inner)]));
  const withoutPluralWords = (value: object) =>
    JSON.parse(JSON.stringify(value).replace(/one \{[^{}]*\} other \{[^{}]*\}/g, ""));
  expect(shape(withoutPluralWords(MESSAGES.zh))).toEqual(shape(withoutPluralWords(MESSAGES.en)));
});

it("heads a turn with its number, its counts and its duration", () => {
  expect(text("en", turnTrace(wholeTurn()))).toStartWith(
    "Turn 1 2 model round trips · 2 tool calls · 46 events Duration of the turn 412 ms",
  );
  expect(text("zh", turnTrace(wholeTurn()))).toStartWith(
    "第 1 轮 2 次模型往返 · 2 次工具调用 · 46 个事件 这一轮的时长 412 ms",
  );
});

it("says the mode of a row in words, beside glyph and hue", () => {
  const markup = html("en", turnTrace([rowWriter()("input", 0, { text: "hi" })]));
  expect(markup).toContain('title="takeover"');
  expect(words(markup)).toContain("takeover input “hi”");
});

it("opens a stopped call to who returned what, in order, and offers to ask why", () => {
  expect(text("en", turnTrace(wholeTurn()))).toContain(
    "tool_call blocked by xray-guard observer looked, returned nothing xray-guard block: true reason: &quot;no such script&quot; ask why show in chat",
  );
  expect(text("zh", turnTrace(wholeTurn()))).toContain(
    "tool_call 被 xray-guard 拦截 observer 看过，不返回任何值 xray-guard",
  );
});

it("gives each turn one tab stop and says of every row whether it is open", () => {
  const rows = html("en", turnTrace(wholeTurn())).match(/<button[^>]*data-trace-row[^>]*>/g)!;
  expect(rows.length).toBe(27);
  expect(rows.filter((row) => row.includes('tabindex="0"')).length).toBe(1);
  expect(rows.every((row) => /aria-expanded="(true|false)"/.test(row))).toBe(true);
});

it("says the phase of a call in words, and any other phase by its key", () => {
  const write = rowWriter();
  const update = (phase: string) =>
    write("tool_execution_update", 1, { toolCallId: "a", partialResultPreview: phase, mergedCount: 2 });
  const rows = [
    write("tool_execution_start", 0, { toolCallId: "a", toolName: "skill_run" }),
    update("running"),
    update("polishing"),
  ];
  expect(text("en", turnTrace(rows))).toContain("notify running in the sandbox tool_execution_update ×2");
  expect(text("zh", turnTrace(rows))).toContain("notify 旁观 沙箱运行中 tool_execution_update ×2");
  expect(text("en", turnTrace(rows))).toContain("notify polishing tool_execution_update ×2");
});

it("names, of a decided event, who changed it", () => {
  const handlers = [
    { extension: "observer", returned: null },
    { extension: "xray-skills", returned: { skills: ["text-tools"] } },
  ];
  const rows = [rowWriter()("before_agent_start", 0, { handlers }), rowWriter(0, 1)("context", 1, { handlers })];
  expect(text("en", turnTrace(rows))).toContain(
    "before_agent_start changed by xray-skills chain context changed by xray-skills",
  );
});

it("says in the header of a turn how many events a filter hides, and where the hidden rows' links end", () => {
  const { turns, clockOffsetMs } = view(wholeTurn());
  const filter = { mode: "veto" as const, name: "tool_call" };
  const props = { turn: turns[0]!, running: false, clockOffsetMs, onAskWhy: () => {}, filter };
  expect(text("en", <TurnTrace {...props} />)).toContain("46 events · 44 events hidden");
  expect(text("zh", <TurnTrace {...props} />)).toContain("46 个事件 · 已隐藏 44 个事件");
  expect(html("en", <TurnTrace {...props} />)).toMatch(
    /<header[^>]*><i data-link-row="0:user"><\/i><i data-link-row="0:answer">/,
  );
});

it("makes each cell of the legend the switch that shows its mode alone, in its place", () => {
  const { countsByMode, decidedByMode } = view(wholeTurn());
  const control = {
    filter: { mode: "veto" as const, name: "" },
    setName: () => {},
    toggleMode: () => {},
    clear: () => {},
  };
  const legend = <TraceLegend counts={countsByMode} decided={decidedByMode} control={control} />;
  const pressed = [...html("en", legend).matchAll(/aria-pressed="(true|false)"/g)].map(([, value]) => value);
  expect(pressed).toEqual(["false", "true", "false", "false"]);
  const plain = text("en", <TraceLegend counts={countsByMode} decided={decidedByMode} />);
  expect(text("en", legend)).toBe(plain);
});

it("shows text of the wire as text, never as markup", () => {
  const attack = "<img src=x onerror=alert(1)>";
  const row = rowWriter();
  const rows = [
    row("input", 0, { text: attack }),
    row(attack, 1),
    row("tool_execution_start", 2, { toolCallId: attack, toolName: attack, argsPreview: attack }),
  ];
  expect(html("en", turnTrace(rows))).not.toContain("<img");
  expect(html("en", turnTrace(rows))).toContain("&lt;img");
});

it("draws green only while the turn runs", () => {
  const open = wholeTurn().slice(0, 13);
  expect(html("en", turnTrace(open, true))).toContain("text-live");
  expect(html("en", turnTrace(open, false))).not.toContain("text-live");
  expect(html("en", turnTrace(wholeTurn(), false))).not.toContain("text-live");
});

it("writes a dash, said as unknown, where half of a pair is missing once the turn is over", () => {
  const open = wholeTurn().slice(0, 15);
  expect(html("en", turnTrace(open, false)).match(/duration unknown/g)?.length).toBe(2);
  expect(html("en", turnTrace(open, true))).not.toContain("duration unknown");
});

it("folds the events of the session itself to one line", () => {
  expect(text("en", turnTrace([rowWriter(null)("session_start", 0, { reason: "startup" })]))).toBe("Session 1 event");
});

it("counts events by mode, or kinds of event before there are any", () => {
  const { countsByMode, decidedByMode } = view(wholeTurn());
  expect(text("en", <TraceLegend counts={countsByMode} decided={decidedByMode} />)).toBe(
    "notify may only observe 34 events all turns veto may stop it 2 events 1 blocked chain may change it 9 events 0 changed takeover may do it instead 1 event 0 taken over",
  );
  expect(text("zh", <TraceLegend counts={null} decided={decidedByMode} />)).toBe(
    "notify 旁观 只能看，不能动 22 种 veto 否决 可以叫停 5 种 chain 改写 可以改写内容 10 种 takeover 接管 可以取而代之 4 种",
  );
});

it("says the state of the connection in one sentence, and offers a way back only where there is one", () => {
  const said = (language: Language, connection: TraceConnection, rows = wholeTurn()) =>
    text(language, <TraceNotice {...view(rows, connection)} />);
  expect((["idle", "connecting", "live"] as const).map((state) => said("en", state))).toEqual(["", "", ""]);
  expect(said("en", "reconnecting")).toBe("Connection lost after event 46. Reconnecting, the chat goes on.");
  expect(said("zh", "reconnecting")).toBe("第 46 个事件后断开，正在重连；对话不受影响。");
  expect(said("en", "reconnecting", [])).toBe("No connection to the trace yet. Trying again, the chat goes on.");
  expect(said("en", "superseded")).toEndWith("Show it here");
  expect(said("en", "failed")).toEndWith("Try again");
});

it("says how many events are missing from the middle of the numbers, until they come", () => {
  const rows = wholeTurn();
  const lacking = rows.filter(({ seq }) => seq !== 3 && seq !== 9);
  expect(text("en", <TraceNotice {...view(lacking)} />)).toBe("2 numbers have no event: not recorded, or not arrived.");
  expect(text("zh", <TraceNotice {...view(lacking)} />)).toBe("有 2 个编号没有事件：没有记录，或没有送达。");
  expect(text("en", <TraceNotice {...view([...lacking, ...rows])} />)).toBe("");
});

const tabs = { view: "timeline", onView: () => {}, empty: false } as const;

it("lights the lamp only while a turn runs and its events arrive", () => {
  const lamp = (connection: TraceConnection, running: boolean) =>
    html("en", <TraceHead {...tabs} connection={connection} running={running} />).includes("is-on");
  expect([lamp("live", true), lamp("live", false), lamp("reconnecting", true), lamp("superseded", true)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it("draws the empty road with its fourteen stops as a list too", () => {
  const markup = html("en", <EmptyTrace />);
  expect(words(markup)).toStartWith("Nothing recorded yet. Your message will take this road; every stop counts.");
  expect(markup.match(/<li>/g)?.length).toBe(14);
  expect(text("zh", <EmptyTrace />)).toStartWith("还没有记录。你的消息会走这条路，每一站都会计数。");
});

it("shows the last event and the clock in the phone's line, or that it waits", () => {
  const line = (rows: unknown[]) => text("en", <TraceLine view={view(rows)} runningTurnSeq={null} onOpen={() => {}} />);
  expect(line([])).toBe("Open the trace X-ray, waiting for your message 0");
  expect(line(wholeTurn())).toBe("Open the trace agent_settled 412 ms");
  expect(line(wholeTurn().slice(0, 13))).toBe("Open the trace message_update ×12 -");
});

it("puts the whole trace into the sheet, film and axis into the panel", () => {
  const held = view([...wholeTurn(), ...wholeTurn(2, 30)]);
  const root = createRef<HTMLElement>();
  const panel: Panel = {
    view: held,
    shown: "timeline",
    choose: () => {},
    empty: false,
    replay: null,
    startReplay: undefined,
    runningTurnSeq: null,
    showLink: () => {},
    showRow: () => {},
    showChain: () => {},
    chainRow: null,
  };
  const sheet = text("en", <TraceSheet panel={panel} running={false} onAskWhy={() => {}} onLeave={() => {}} />);
  expect([...sheet.matchAll(/Turn \d/g)].map(String)).toEqual(["Turn 1", "Turn 2"]);
  expect(html("en", <TraceFilm turns={held.turns} runningTurnSeq={null} root={root} />)).toContain(
    'aria-label="Every event of this session, by mode and time: 92 events in 2 turns"',
  );
  expect(text("en", <TraceAxis turns={held.turns} runningTurnSeq={null} clockOffsetMs={0} root={root} />)).toBe(
    "0 0.2 0.4 0.6 0.8 1 1.2 s",
  );
});

it("has a word for every mode in both languages", () => {
  for (const language of ["en", "zh"] as const) {
    expect(TRACE_MODES.map((mode) => MESSAGES[language].trace.mode[mode].name.split(" ")[0])).toEqual([...TRACE_MODES]);
  }
});
