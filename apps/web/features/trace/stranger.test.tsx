/**
 * The ten questions of a stranger (`rounds/008-panel.md`), each about one recorded session: what the key names is taken
 * from the recorded rows and has to be on the panel, in words, where the stranger found it.
 */
import { describe, expect, it } from "bun:test";
import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { TraceRow } from "../../../../shared/trace-events";
import recorded from "../../../../tests/fixtures/panel-session.json";
import panelEn from "../../messages/panel.en.json";
import panelZh from "../../messages/panel.zh.json";
import traceEn from "../../messages/trace.en.json";
import traceZh from "../../messages/trace.zh.json";
import { addRows, EMPTY_TRACE } from "./reduce";
import { RowDetails } from "./row-details";
import { RowHint } from "./row-hint";
import { formatDuration } from "./time-scale";
import { RowName } from "./trace-row";
import type { LeafItem, TraceItem } from "./trace-model";
import { TraceLegend, TurnTrace } from "./index";
import { ChainView } from "./views/chain-view";

const ROWS = recorded.rows as unknown as TraceRow[];
const MESSAGES = { en: { ...traceEn, ...panelEn }, zh: { ...traceZh, ...panelZh } };
type Language = keyof typeof MESSAGES;

const trace = addRows(EMPTY_TRACE, ROWS, 0);
const turn = trace.turns.find(({ number }) => number === 1)!;

/** What is read, without marks. */
function words(node: ReactNode, language: Language = "en"): string {
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale={language} messages={MESSAGES[language]} timeZone="UTC">
      {node}
    </NextIntlClientProvider>,
  );
  return html
    .replaceAll(/<\/?bdi>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ")
    .trim();
}

const timeline = (language?: Language) =>
  words(<TurnTrace turn={turn} running={false} clockOffsetMs={0} onAskWhy={() => {}} />, language);
const details = (item: LeafItem, language?: Language) =>
  words(<RowDetails item={item} onAskWhy={() => {}} onShowInChain={() => {}} />, language);
const line = (item: TraceItem, language?: Language) =>
  words(
    <>
      <RowName item={item} /> <RowHint item={item} />
    </>,
    language,
  );
/** As "show its handlers" of the row opens it. */
const chainAt = (row: TraceRow, language?: Language) =>
  words(
    <ChainView
      view={{ ...trace, connection: "live", reconnect: () => {} }}
      live={false}
      from={row}
      onShowRow={() => {}}
    />,
    language,
  );

/** The row that the key is taken from. */
function rowWhere(eventType: string, fits: (data: TraceRow["data"]) => boolean = () => true): TraceRow {
  return ROWS.find((row) => row.turnSeq === 0 && row.eventType === eventType && fits(row.data))!;
}
const msOf = ({ timestamp }: TraceRow) => Date.parse(timestamp);
const trips = turn.items.filter((item) => item.kind === "trip");
const leaves = turn.items.flatMap((item): LeafItem[] => (item.kind === "trip" ? item.children : [item]));
const eventOf = ({ seq }: TraceRow): LeafItem => leaves.find((item) => item.kind === "event" && item.row.seq === seq)!;
const toolNamed = (wanted: string) => leaves.find((item) => item.kind === "tool" && item.name === wanted)!;

const blocked = rowWhere("tool_call", ({ toolName }) => toolName === "skill_run");
const prompt = rowWhere("before_agent_start");

describe("what a stranger can read off the panel", () => {
  it("1: why the call was blocked, and by whom, without opening anything", () => {
    const [{ extension, returned }] = blocked.data.handlers as [{ extension: string; returned: { reason: string } }];
    expect(timeline()).toContain(`tool_call blocked by ${extension}`);
    expect(timeline()).toContain(`reason: "${returned.reason}"`);
    expect(timeline("zh")).toContain(`tool_call 被 ${extension} 拦截`);
    expect(line(toolNamed("skill_run"))).toStartWith("skill_run blocked ");
  });

  it("2: what took the most time, with its steps in words", () => {
    const pairs = ROWS.filter(({ turnSeq, eventType }) => turnSeq === 0 && eventType === "tool_execution_end").map(
      (end) => {
        const { toolCallId, toolName } = end.data;
        const start = rowWhere("tool_execution_start", (data) => data.toolCallId === toolCallId);
        return { name: String(toolName), ms: msOf(end) - msOf(start) };
      },
    );
    const longest = pairs.toSorted((a, b) => b.ms - a.ms)[0]!;
    expect(longest.name).toBe("web_search");
    expect(timeline()).toMatch(new RegExp(`web_search "veto events, what is new" ${formatDuration(longest.ms)}`));
    const search = toolNamed("web_search");
    const steps = search.kind === "tool" ? search.children.filter(({ kind }) => kind === "run") : [];
    expect(steps.map((step) => line(step))).toEqual(
      ["request sent", "searching", "the answer is being written"].map((step) => `${step} tool_execution_update`),
    );
  });

  it("3: how often the model was asked", () => {
    const asked = ROWS.filter((row) => row.turnSeq === 0 && row.eventType === "before_provider_request").length;
    expect(timeline()).toStartWith(`Turn 1 ${asked} model round trips · `);
    expect(timeline("zh")).toStartWith(`第 1 轮 ${asked} 次模型往返 · `);
  });

  it("4 and 5: what was added to the prompt, by whom and how much, of which the chat shows nothing", () => {
    const [{ extension, returned }] = prompt.data.handlers as [
      { extension: string; returned: { addedChars: number; skills: string } },
    ];
    const count = returned.addedChars.toLocaleString("en");
    const added = `${count} characters added at the end of the system prompt`;
    expect(line(eventOf(prompt))).toBe(`before_agent_start changed by ${extension}`);
    expect(details(eventOf(prompt))).toStartWith(`${extension} ${added} skills: "${returned.skills}"`);
    expect(chainAt(prompt)).toContain(`${extension} changed it skills ${returned.skills} ${added}`);
    expect(details(eventOf(prompt), "zh")).toContain(`系统提示词末尾增加 ${count} 个字符`);
    expect(details(eventOf(prompt))).toContain("text: not recorded: it may hold what must stay inside");
    expect(JSON.stringify(recorded.messages)).not.toContain(returned.skills);
  });

  it("6: who looked at the blocked call, and who was not concerned", () => {
    expect(details(eventOf(rowWhere("input")))).toEndWith("show its handlers");
    expect(chainAt(blocked)).toMatch(/xray-skills does not listen to this event xray-guard stopped it/);
    expect(chainAt(blocked, "zh")).toMatch(/xray-skills 不监听此事件 xray-guard 叫停/);
  });

  it("7: how long the model took to begin in round trip 2, also when it is folded", () => {
    const start = ROWS.findIndex((row) => row.eventType === "turn_start" && row.data.turnIndex === 1);
    const after = (eventType: string) => ROWS.slice(start).find((row) => row.eventType === eventType)!;
    const took = formatDuration(msOf(after("after_provider_response")) - msOf(after("before_provider_request")));
    expect(line(trips[1]!)).toStartWith(`Round trip 2 model after ${took}, `);
    expect(line(trips[1]!, "zh")).toStartWith(`第 2 次往返 等模型 ${took} · `);
  });

  it("8: how many events are one row", () => {
    const answer = trips.at(-1)!.children.find((item) => item.kind === "run" && item.eventType === "message_update")!;
    const last = ROWS.findLastIndex((row) => row.turnSeq === 0 && row.eventType === "turn_start");
    const merged = ROWS.slice(last)
      .filter((row) => row.turnSeq === 0 && row.eventType === "message_update")
      .reduce((sum, { data }) => sum + Number(data.mergedCount), 0);
    expect(line(answer)).toBe(`message_update ×${merged}`);
    expect(details(answer)).toContain(`in this row ${merged} events`);
  });

  it("9: which event may be taken over, and that nobody did", () => {
    const legend = words(<TraceLegend counts={trace.countsByMode} decided={trace.decidedByMode} />);
    expect(legend).toEndWith("takeover may do it instead 2 events 0 taken over");
    const chain = chainAt(rowWhere("input"));
    expect(chain).toMatch(
      /xray-skills does not listen to this event xray-guard does not listen to this event out, to the kernel/,
    );
  });

  it("10: what happened after the block", () => {
    expect(chainAt(blocked)).toContain("the tool was not started; the model gets the reason as an error result");
    expect(timeline()).toMatch(
      /blocked by xray-guard .* message_end toolResult chain turn_end Round trip 3 .*web_search/,
    );
    expect(line(toolNamed("notes_get_chapter"))).toStartWith("notes_get_chapter failed ");
  });
});
