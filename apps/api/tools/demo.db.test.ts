/** The demo from end to end: the sample library in Postgres, the real tools, pi's real loop, the kernel's own frames. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seed } from "../../../cli/seed.mts";
import { LIMITS } from "../../../shared/limits";
import type { AskFrame } from "../../../shared/sse";
import type { TraceRow } from "../../../shared/trace-events";
import { databaseForFile, slowDatabase } from "../../../tests/support/database-for-file.mts";
import { publish, shaOf } from "../../../tests/support/source.mts";
import type { Database } from "../database/pool";
import { createDemoProvider } from "../kernel/demo-model";
import { createKernel } from "../kernel/kernel";
import type { Kernel } from "../kernel/kernel-types";
import { systemPrompt } from "../kernel/system-prompt";
import { readChapter, readSeries } from "../stores/notes";
import { createSession } from "../stores/sessions";
import { enabledTools } from "../stores/tool-config";
import { createVisitor } from "../stores/visitors";
import { LIBRARY_FAILED } from "./pure/library-text";
import { buildTools } from "./registry";

const opened = databaseForFile();
let kernel: Kernel;
let visitorId: string;
const rows: TraceRow[] = [];

beforeAll(async () => {
  await seed({ db: opened.db, log: () => {} });
  const file = "apps/api/kernel/sanitise.ts";
  const text = readFileSync(join(import.meta.dir, "../../..", file), "utf8");
  await publish(opened.db, shaOf("7"), { [file]: text, "README.md": "# sanitiseEvent\n" });
  visitorId = await createVisitor(opened.db, "b".repeat(64));
  kernel = await createKernel({
    sink: {
      storeTraceRows: async (_sessionId, batch) => void rows.push(...batch),
      storeTurn: async (_sessionId, turn) => ({ totalTokens: turn.usage.totalTokens }),
    },
    log: { info: () => {}, error: () => {} },
    limits: LIMITS,
    demo: createDemoProvider({ charsPerSecond: 0 }),
  });
});
afterAll(() => kernel.shutdown());

/** The first turn of a new session. Rows of the turn are in `rows` afterwards. */
async function ask(prompt: string, on: Database = opened.db) {
  const sessionId = crypto.randomUUID();
  await createSession(opened.db, visitorId, { id: sessionId });
  rows.length = 0;
  const enabled = await enabledTools(opened.db);
  const log = { info: () => {}, error: () => {} };
  const tools = buildTools({ db: on, sessionId, titleSource: "derived", enabled, unlockDangerous: false, log });
  const claim = kernel.claim(sessionId);
  if (typeof claim === "string") throw new Error(claim);
  const turn = await claim.run({
    turnSeq: 0,
    prompt,
    fingerprint: "f",
    blueprint: async () => ({
      fingerprint: "f",
      model: { kind: "demo" },
      systemPrompt: systemPrompt({ startedAt: new Date(0), tools }),
      tools,
      history: [],
      nextTraceSeq: 0,
    }),
  });
  const frames: AskFrame[] = [];
  for await (const frame of turn.frames(-1)) frames.push(frame);
  await kernel.drainTrace(sessionId);
  const { rows: titles } = await opened.admin.query("SELECT title FROM sessions WHERE id = $1", [sessionId]);
  return { frames, title: titles[0].title as string, text: textOf(frames), calls: callsOf(frames) };
}
const textOf = (frames: AskFrame[]) => frames.map((frame) => (frame.event === "delta" ? frame.data.text : "")).join("");
/** Calls in the order of their end, each with how it ended. */
function callsOf(frames: AskFrame[]): string[] {
  const names = new Map(
    frames.flatMap((frame) => (frame.event === "tool_start" ? [[frame.data.toolCallId, frame.data.name]] : [])),
  );
  return frames.flatMap((frame) =>
    frame.event === "tool_end" ? [`${names.get(frame.data.toolCallId)} ${frame.data.isError ? "failed" : "ok"}`] : [],
  );
}

/** Addresses of the library in the text that lead nowhere. */
async function deadLinks(text: string): Promise<string[]> {
  const dead: string[] = [];
  for (const [, series = "", chapter] of text.matchAll(/\/notes\/([a-z0-9-]+)(?:\/([a-z0-9-]+))?/g)) {
    const found =
      chapter === undefined ? await readSeries(opened.db, series) : await readChapter(opened.db, series, chapter);
    if (!found) dead.push(`${series}/${chapter}`);
  }
  return dead;
}

describe("a first visit without a key", () => {
  const table: [string, string, string[], string, string[]][] = [
    [
      "从我发出消息到你说出第一个字，中间发生了什么？",
      "第一个字之前",
      ["notes_get_chapter ok", "notes_search ok", "session_rename ok"],
      "completed 3",
      ["一共 8 站", "《一轮的一生》](/notes/events/one-turn)", "8. `message_update`：第一个字。"],
    ],
    [
      "What happens between my message and your first word?",
      "The first word",
      ["notes_get_chapter ok", "notes_search ok", "session_rename ok"],
      "completed 3",
      [
        "there are 8 stops",
        "“The first word”](/notes/first-word/the-first-word)",
        "8. `message_update`: the first word.",
      ],
    ],
    [
      "找到讲“说不”的那一章，统计词频",
      "《说不》的词频",
      ["notes_get_chapter ok", "notes_search ok", "session_rename ok"],
      "completed 3",
      ["《说不》](/notes/events/saying-no)正文一共", "| 模型 | "],
    ],
    [
      "Find the chapter about saying no and count its words",
      "Counting words",
      ["notes_get_chapter ok", "notes_search ok", "session_rename ok"],
      "completed 3",
      ["“Saying no”](/notes/first-word/saying-no) has", "| call | 7 |\n| model | 6 |\n| gate | 5 |"],
    ],
    [
      "试着运行一个不存在的脚本",
      "不存在的脚本",
      ["session_rename ok", "skill_run failed"],
      "completed 2",
      ["> Tool skill_run not found"],
    ],
    [
      "Try to run a script that does not exist",
      "A missing script",
      ["session_rename ok", "skill_run failed"],
      "completed 2",
      ["> Tool skill_run not found"],
    ],
    [
      "读你自己的源码：事件在哪里被清洗？",
      "事件在哪里清洗",
      ["session_rename ok", "source_list ok", "source_read ok", "source_search ok"],
      "completed 3",
      ["](/source/apps/api/kernel/sanitise.ts#L", "\nexport function sanitiseEvent(", "提交 `7777777`", "共 2 个文件"],
    ],
    [
      "Read your own source: where are events cleaned?",
      "Where events clean",
      ["session_rename ok", "source_list ok", "source_read ok", "source_search ok"],
      "completed 3",
      ["](/source/apps/api/kernel/sanitise.ts#L", "\nexport function sanitiseEvent(", "commit `7777777`", "2 files"],
    ],
    [
      "画出一轮的路线",
      "一轮的路线图",
      ["notes_get_chapter ok", "notes_search ok", "session_rename ok"],
      "completed 3",
      ["```xray-html height=240\n", ">before_provider_request</code>"],
    ],
    [
      "what are the four modes",
      "Four modes",
      ["notes_search ok", "session_rename ok"],
      "completed 2",
      ["```xray-card\n", "5 can stop something"],
    ],
    [
      "聊聊 /notes/walls/behind-a-socket 这一章",
      "聊聊这一章",
      ["notes_get_chapter ok", "session_rename ok"],
      "completed 2",
      [
        "[《Behind a socket》](/notes/walls/behind-a-socket)这样开头：\n\n> An agent that can run code",
        "- The distance\n- The shape",
      ],
    ],
    [
      "书房里有哪些系列？",
      "书房目录",
      ["notes_list_series ok", "session_rename ok"],
      "completed 2",
      [
        "- [内核：逐个事件](/notes/events)\n- [Before the first word](/notes/first-word)\n- [What the walls are made of](/notes/walls)",
      ],
    ],
    ["hello", "Saying hello", ["session_rename ok"], "completed 2", ["./xray provider add"]],
    [
      "What may a database role do?",
      "About database",
      ["notes_get_chapter ok", "notes_search ok", "notes_search ok", "session_rename ok"],
      "completed 3",
      ["“What a role may do”](/notes/walls/what-a-role-may-do)"],
    ],
  ];
  for (const [question, title, calls, ending, parts] of table) {
    it(question, async () => {
      const asked = await ask(question);
      expect(asked.calls.sort()).toEqual(calls);
      expect(asked.title).toBe(title);
      const last = asked.frames.at(-1)!;
      expect(last.event === "done" && `${last.data.outcome} ${last.data.modelRoundTrips}`).toBe(ending);
      for (const part of parts) expect(asked.text).toContain(part);
      expect(await deadLinks(asked.text)).toEqual([]);
    });
  }

  it("moves the readouts: tokens and the share of the context window", async () => {
    const { frames } = await ask("hello");
    const last = frames.at(-1)!;
    if (last.event !== "done") throw new Error("the turn failed");
    expect(last.data.totalTokens).toBeGreaterThan(1_000);
    expect(last.data.ctxPercent).toBeGreaterThan(1);
  });
});

it("reads a chapter about its source where none is published, and says so", async () => {
  await opened.admin.query("DELETE FROM source_snapshots");
  const asked = await ask("Read your own source: where are events cleaned?");
  expect(asked.calls.sort()).toEqual([
    "notes_get_chapter ok",
    "notes_search ok",
    "session_rename ok",
    "source_list failed",
    "source_search failed",
  ]);
  expect(asked.text).toContain("“Cleaned at the source”](/notes/first-word/cleaned-at-the-source)");
  expect(asked.text).toContain("1. **Pick.**");
});

it("shows a query that ran out of time as a failed call with a fixed sentence, and no SQL in either stream (A6)", async () => {
  const { frames, calls, text } = await ask("first word", slowDatabase(opened.db));
  expect(calls.sort()).toEqual(["notes_search failed", "session_rename failed"]);
  const results = frames.flatMap((frame) => (frame.event === "tool_end" ? [frame.data.resultPreview] : []));
  expect(results).toContain(LIBRARY_FAILED);
  expect(text).toContain("will not make one up");
  const bytes = JSON.stringify([frames, rows]);
  expect(bytes).toContain(LIBRARY_FAILED);
  expect(bytes).not.toMatch(/SELECT|pg_sleep|57014|statement timeout|DatabaseError/i);
});
