import { describe, expect, it } from "bun:test";
import type { AssistantMessage, Message, Tool } from "@earendil-works/pi-ai";
import { Type } from "typebox";
import { TRACE_EVENTS } from "../../../../shared/trace-events";
import { type Cue, nextCue } from "./director";
import { SCENES } from "./scenes";

/** A library of two chapters, in the form in which the notes tools give it. */
const CHAPTERS: Record<string, string> = {
  "events/one-turn":
    "[events/one-turn] 一轮的一生\n/notes/events/one-turn\n\n开头。\n\n## 路\n\n1. `input`：进门。\n2. `context`：排队。\n\n```ts\n1. not a list\n```\n\n## 结尾\n\n说不，说不，再说一次不。",
  "first-word/saying-no":
    "[first-word/saying-no] Saying no\n/notes/first-word/saying-no\n\nThe gate opens. A gate that opens says nothing.\n\n## Steps\n\n1. `input`: the **door**.\n2. Guard it.",
};
type Answer = { text: string; failed?: boolean };
type Library = (name: string, input: Record<string, unknown>) => Answer;
const library: Library = (name, input) => {
  if (name === "session_rename") return { text: "ok" };
  if (name === "notes_list_series") return { text: "[events] 内核 — 5 chapters, category kernel\nabout" };
  if (name === "notes_search") {
    const hits = Object.values(CHAPTERS).map((text) => `${text.split("\n")[0]}\nsnippet`);
    return { text: hits.join("\n\n") };
  }
  const chapter = CHAPTERS[`${input.series}/${input.chapter}`];
  return chapter ? { text: chapter } : { text: `Tool ${name} not found`, failed: true };
};
const NOTES = ["notes_list_series", "notes_get_chapter", "notes_search", "session_rename"];

const tool = (name: string): Tool => ({ name, description: `Does ${name}. And more.`, parameters: Type.Object({}) });

/** Plays a question to its answer; every round trip as `name(input)` lists, then the answer. */
function play(question: string, options: { tools?: string[]; answers?: Library; before?: Message[] } = {}) {
  const { tools = NOTES, answers = library, before = [] } = options;
  const messages: Message[] = [
    { role: "system", content: "prompt", toolsAdded: tools.map(tool), timestamp: 1 },
    ...before,
    { role: "user", content: question, timestamp: 2 },
  ];
  const rounds: string[][] = [];
  for (let round = 0; round < 10; round++) {
    const cue = nextCue(messages);
    if (cue.calls.length === 0) return { rounds, answer: cue.text };
    rounds.push(cue.calls.map((call) => `${call.name}(${Object.values(call.arguments).join(", ")})`));
    messages.push(spoken(cue));
    for (const call of cue.calls) {
      const { text, failed = false } = answers(call.name, call.arguments);
      messages.push({
        role: "toolResult",
        toolCallId: call.id,
        toolName: call.name,
        isError: failed,
        timestamp: 3,
        content: [{ type: "text", text }],
      });
    }
  }
  throw new Error("the scene does not end");
}
function spoken(cue: Cue): AssistantMessage {
  const calls = cue.calls.map((call) => ({ type: "toolCall" as const, ...call }));
  return {
    role: "assistant",
    content: [{ type: "text", text: cue.text }, ...calls],
    api: "demo",
    provider: "demo",
    model: "demo",
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "toolUse",
    timestamp: 3,
  };
}
const EARLIER: Message[] = [
  { role: "user", content: "earlier", timestamp: 1 },
  { ...spoken({ text: "an answer", calls: [] }), stopReason: "stop" },
];
const later = (question: string, options: Parameters<typeof play>[1] = {}) =>
  play(question, { ...options, before: EARLIER });

describe("the four openings of the first page", () => {
  const table: [string, string[][], string[]][] = [
    [
      "从我发出消息到你说出第一个字，中间发生了什么？",
      [["notes_search(第一个字)", "session_rename(第一个字之前)"], ["notes_get_chapter(events, one-turn)"]],
      [
        "一共 2 站",
        "[《一轮的一生》](/notes/events/one-turn)",
        "1. `input`：进门。\n2. `context`：排队。",
        "./xray provider add",
      ],
    ],
    [
      "What happens between my message and your first word?",
      [["notes_search(first word)", "session_rename(The first word)"], ["notes_get_chapter(first-word, saying-no)"]],
      ["there are 2 stops", "[“Saying no”](/notes/first-word/saying-no)", "1. `input`: the **door**.\n2. Guard it."],
    ],
    [
      "找到讲“说不”的那一章，统计词频",
      [["notes_search(说不)", "session_rename(《说不》的词频)"], ["notes_get_chapter(events, one-turn)"]],
      ["| 说不 | 2 |", "（`skill_run`）：在服务器上运行 `./xray doctor`"],
    ],
    [
      "Find the chapter about saying no and count its words",
      [["notes_search(saying no)", "session_rename(Counting words)"], ["notes_get_chapter(first-word, saying-no)"]],
      ["has 14 words", "| gate | 2 |\n| opens | 2 |\n", "(`skill_run`) is not on at this site"],
    ],
    [
      "试着运行一个不存在的脚本",
      [["skill_run(text-tools, word_cloud.py, {})", "session_rename(不存在的脚本)"]],
      ["> Tool skill_run not found", "没有登记"],
    ],
    [
      "Try to run a script that does not exist",
      [["skill_run(text-tools, word_cloud.py, {})", "session_rename(A missing script)"]],
      ["> Tool skill_run not found", "no tool that runs scripts is registered"],
    ],
    [
      "读你自己的源码：事件在哪里被清洗？",
      [["notes_search(清洗)", "session_rename(事件在哪里清洗)"], ["notes_get_chapter(events, one-turn)"]],
      ["1. `input`：进门。", "没有行号"],
    ],
    [
      "Read your own source: where are events cleaned?",
      [["notes_search(cleaned)", "session_rename(Where events clean)"], ["notes_get_chapter(first-word, saying-no)"]],
      ["1. `input`: the **door**.", "not a source file"],
    ],
  ];
  for (const [question, rounds, parts] of table) {
    it(question, () => {
      const played = play(question);
      expect(played.rounds).toEqual(rounds);
      for (const part of parts) expect(played.answer).toContain(part);
    });
  }
});

describe("its own source", () => {
  const SOURCE = ["source_list", "source_search", "source_read"];
  const READ =
    "src/[id]/a.ts at 1a2b3c4, lines 1 to 7 of 90\n1\t};\n2\t\n3\t/** Cleans. ``` */\n4\texport function clean() {\n5\t}\n6\t\n7\tlater();";
  const published: Library = (name, input) => {
    if (name === "source_list") return { text: "Source at 1a2b3c4: 12 files\nREADME.md (3 lines)" };
    if (name === "source_search") {
      const query = String(input.query);
      if (query === "nowhere_at_all") return { text: "No line contains that." };
      return {
        text: `docs/a.md:1: ${query}\nsrc/0.ts:9: const NAME = "${query}";\nsrc/a.test.ts:2: ${query}()\nsrc/[id]/a.ts:4: export ${query.replace(/^(?!function )/, "function ")}() {`,
      };
    }
    return name === "source_read" ? { text: READ } : library(name, input);
  };
  const played = (question: string, options: Parameters<typeof play>[1] = {}) =>
    later(question, { tools: [...NOTES, ...SOURCE], answers: published, ...options });

  it("is listed, searched and read, and quoted with the lines that were read", () => {
    for (const [question, title, range] of [
      ["读你自己的源码：事件在哪里被清洗？", "事件在哪里清洗", "第 3–5 行"],
      ["Read your own source: where are events cleaned?", "Where events clean", "lines 3–5"],
    ]) {
      const opening = play(question!, { tools: [...NOTES, ...SOURCE], answers: published });
      expect(opening.rounds).toEqual([
        ["source_list()", "source_search(function sanitiseEvent)", `session_rename(${title})`],
        ["source_read(src/[id]/a.ts, 1, 17)"],
      ]);
      for (const part of [
        `[\`src/[id]/a.ts\` ${range}](/source/src/%5bid%5d/a.ts#L3-L5)`,
        "`1a2b3c4`",
        "````ts\n/** Cleans. ``` */\nexport function clean() {\n}\n````",
        "(/source/src/0.ts#L9)",
        "12",
      ]) {
        expect(opening.answer).toContain(part);
      }
      expect(opening.answer).not.toMatch(/docs\/a\.md|a\.test\.ts|later/);
    }
  });

  it("is read from its beginning where the question names a file", () => {
    for (const [question, total] of [
      ["Please read src/[id]/a.ts of your own source with source_read, then tell me what it does.", "90 lines in all"],
      ["请用 source_read 读一下自己源码里的 src/[id]/a.ts，说说它做什么。", "全文 90 行"],
    ]) {
      const asked = played(question!);
      expect(asked.rounds).toEqual([["source_read(src/[id]/a.ts)"]]);
      expect(asked.answer).toContain(total!);
      expect(asked.answer).toContain(
        "````ts\n};\n\n/** Cleans. ``` */\nexport function clean() {\n}\n\nlater();\n````",
      );
    }
    const gone: Library = () => ({ text: "There is no such file.", failed: true });
    expect(played("read src/b.ts of your source", { answers: gone }).answer).toContain("will not make one up");
  });

  it("is searched for the name that the question holds", () => {
    const table: [string, string][] = [
      ["show me the source of createKernel", "createKernel"],
      ["Where in your source code is statement_timeout?", "statement_timeout"],
      ["源码里 asRole 在哪里？", "asRole"],
      ["show me your source code", "function sanitiseEvent"],
    ];
    for (const [question, name] of table) {
      expect(played(question).rounds[0]).toEqual(["source_list()", `source_search(${name})`]);
    }
  });

  it("is not made up: nothing found, nothing published, or a result of another form", () => {
    expect(played("where in the source is nowhere_at_all?").answer).toContain("will not make one up");
    expect(played("源码里 nowhere_at_all 在哪里？").answer).toContain("不会编一个");
    const unpublished: Library = (name, input) =>
      SOURCE.includes(name) ? { text: "No source is published on this site yet.", failed: true } : library(name, input);
    expect(played("Read your own source", { answers: unpublished }).answer).toContain("not a source file");
    const garbled: Library = (name, input) =>
      name === "source_read" ? { text: "src/a.ts: \u0000" } : published(name, input);
    expect(played("show me the source of createKernel", { answers: garbled }).answer).toContain("will not make one up");
  });
});

describe("which scene plays", () => {
  const table: [string, string[][]][] = [
    ["你好", []],
    ["Hello!", []],
    ["what tools do you have?", []],
    ["你有哪些工具？", []],
    ["In turn 2 you called notes_search with input {}, why?", []],
    ["第 1 轮里的 tool_call 事件做了什么，为什么需要它？", []],
    ['第 1 轮里你调用了 notes_search，输入是 {"query":"first word"}，为什么？', []],
    ["What did input do in turn 1, and why is it needed?", []],
    ["What notes are there?", [["notes_list_series()"]]],
    ["书房里有哪些章节？", [["notes_list_series()"]]],
    ["聊聊 /notes/events/one-turn 这一章", [["notes_get_chapter(events, one-turn)"]]],
    ["什么能让一轮停下来？", [["notes_search(veto)"]]],
    ["Draw the road of a turn", [["notes_search(first word)"], ["notes_get_chapter(first-word, saying-no)"]]],
    [
      "How does the recorder number every single row?",
      [
        ["notes_search(recorder)", "notes_search(number)", "notes_search(single)"],
        ["notes_get_chapter(first-word, saying-no)"],
      ],
    ],
    ["数据库角色有什么用？", [["notes_search(数据)", "notes_search(角色)"], ["notes_get_chapter(events, one-turn)"]]],
    ["??", []],
  ];
  for (const [question, rounds] of table) {
    it(`${question} → ${rounds.flat().join(" ") || "no tool"}`, () => expect(later(question).rounds).toEqual(rounds));
  }

  it("explains the tool or the event that the visitor asks about, not a word of its input", () => {
    const asked: [string, string][] = [
      ['In turn 2 you called notes_search with input {"query":"说不"}. Why?', "`notes_search` describes itself as"],
      [
        'In turn 1 you called skill_run with input {"script":"word_cloud.py"}. Why did it fail?',
        "No tool named `skill_run`",
      ],
      ["What did input do in turn 1, and why is it needed?", "`input` is an event of mode takeover"],
      ["第 2 轮里的 tool_call 做了什么，为什么需要它？", "`tool_call` 是 veto 类的事件"],
      ['第 1 轮你调用了 session_rename，输入是 {"title":"Hi"}。它为什么失败？', "`session_rename` 的说明是"],
    ];
    for (const [question, part] of asked) expect(later(question).answer).toContain(part);
  });

  it("answers in the language of the question", () => {
    for (const [question] of table) {
      expect([
        question,
        /\p{Script=Han}/u.test(later(question).answer.replace(/\[.*?\]\(.*?\)|《.*?》|内核/g, "")),
      ]).toEqual([question, /\p{Script=Han}/u.test(question)]);
    }
  });
});

describe("honesty", () => {
  it("names the session in the first turn only, beside the other calls or alone", () => {
    expect(play("hello").rounds).toEqual([["session_rename(Saying hello)"]]);
    expect(play("hello", { tools: ["notes_search"] }).rounds).toEqual([]);
    expect(later("hello").rounds).toEqual([]);
  });

  it("says on the first turn, whatever is asked, that it is scripted and how to connect a model", () => {
    for (const question of ["hello", "你好", "what are the four modes", "xyzzy plugh", "画出一轮的路线"]) {
      expect(play(question).answer).toMatch(/script|脚本/);
      expect(play(question).answer).toContain("./xray provider add");
    }
  });

  it("gives titles of 4 to 18 characters", () => {
    for (const language of ["zh", "en"] as const) {
      for (const scene of SCENES) {
        for (const question of language === "zh" ? ["讲讲", "角色"] : ["so", "incomprehensibilities"]) {
          const title = scene.title({ question, language, tools: new Map() });
          expect([title, title.length >= 4 && title.length <= 18]).toEqual([title, true]);
        }
      }
    }
  });

  const broken: Record<string, Library> = {
    "every call fails": () => ({ text: "The library could not be read just now.", failed: true }),
    "nothing is found": () => ({ text: "No chapter contains that." }),
    "results are garbage": () => ({ text: "[../x] \u0000 [a/b]\n]" }),
  };
  for (const [name, answers] of Object.entries(broken)) {
    it(`admits it and ends when ${name}`, () => {
      for (const question of [
        "第一个字",
        "first word",
        "count words",
        "source code",
        "draw it",
        "What notes are there?",
        "tell me about roles",
      ]) {
        expect(later(question, { answers }).answer).toMatch(/will not make one up|不会编一个|language model/);
      }
    });
  }

  it("needs no tool to end any scene", () => {
    for (const question of [
      "第一个字",
      "count words",
      "四种模式",
      "draw it",
      "source",
      "which tools",
      "anything at all",
    ]) {
      const played = play(question, { tools: [] });
      expect([question, played.rounds, played.answer.length > 40]).toEqual([question, [], true]);
    }
  });

  it("quotes a refusal as it came, and says so when there was none", () => {
    const refused: Library = () => ({ text: "text-tools has no script word_cloud.py", failed: true });
    expect(later("run a script", { tools: ["skill_run"], answers: refused }).answer).toContain(
      "> text-tools has no script word_cloud.py",
    );
    expect(later("run a script", { answers: () => ({ text: "ran" }) }).answer).toContain("was not refused");
  });

  describe("counting with a sandbox", () => {
    const tools = [...NOTES, "skill_run"];
    const sent: Record<string, unknown>[] = [];
    const sandbox =
      (text: string, failed = false): Library =>
      (name, input) => {
        if (name !== "skill_run") return library(name, input);
        sent.push(input);
        return { text, failed };
      };
    const counted = { wordsTotal: 41, words: [["gate", 9]], charactersTotal: 77, pairs: [["拒绝", 8]] };

    const block = '```xray-html height=120\n<p class="t">gate</p>\n```';
    /** The script that counts, and the one that draws. */
    const both =
      (drawn: Answer): Library =>
      (name, input) =>
        input.skill === "chart"
          ? sandbox(drawn.text, drawn.failed)(name, input)
          : sandbox(`exit=0 · 12 ms\n${JSON.stringify(counted)}`)(name, input);

    it("shows the numbers of the script as another has drawn them, and says that it ran", () => {
      const answers = both({ text: `exit=0 · 9 ms\n${block}\n` });
      const english = later("Find the chapter about saying no and count its words", { tools, answers });
      expect(english.rounds.map(([call]) => call?.split("(")[0])).toEqual([
        "notes_search",
        "notes_get_chapter",
        "skill_run",
        "skill_run",
      ]);
      expect(english.answer).toContain("has 41 words");
      expect(english.answer).toContain(`common words aside:\n\n${block}\n\n`);
      expect(english.answer).not.toContain("| gate |");
      expect(english.answer).toContain("The script ran for 12 ms in the sandbox");
      const chinese = later("找到讲“说不”的那一章，统计词频", { tools, answers });
      expect(chinese.answer).toContain("正文一共 77 个汉字");
      expect(chinese.answer).toContain(block);
      expect(sent.filter(({ skill }) => skill === "chart").map(({ input }) => JSON.parse(input as string))).toEqual([
        { table: "word,times\ngate,9" },
        { table: "双字,次数\n拒绝,8" },
      ]);
    });

    it.each<[string, Answer]>([
      ["refused", { text: "Skill chart is not enabled.", failed: true }],
      ["answered with a code", { text: "exit=2 · 9 ms\nE_BAD_TABLE\n" }],
      ["answered with a block that is not closed", { text: "exit=0 · 9 ms\n```xray-html height=1\n<p>\n" }],
    ])("shows the numbers as a table where drawing was %s", (_how, drawn) => {
      const { answer } = later("count its words, of saying no", { tools, answers: both(drawn) });
      expect(answer).toContain("| word | times |\n|---|---:|\n| gate | 9 |\n");
    });

    it("sends no more than an input holds, however long the chapter is", () => {
      sent.length = 0;
      const long: Library = (name, input) =>
        name === "notes_get_chapter"
          ? { text: `[events/saying-no] 说不\n\n${"说不😀".repeat(3_000)}` }
          : sandbox("Tool failed", true)(name, input);
      later("找到讲“说不”的那一章，统计词频", { tools, answers: long });
      const bytes = Buffer.byteLength(sent[0]!.input as string);
      expect([bytes <= 4_096, bytes > 4_000]).toEqual([true, true]);
    });

    it("quotes a refusal and counts by itself, and does not take garbage for numbers", () => {
      const refused = later("count its words, of saying no", { tools, answers: sandbox("The sandbox is busy.", true) });
      expect(refused.answer).toContain("> The sandbox is busy.");
      expect(refused.answer).toContain("counted by the demo script itself");
      for (const text of ["exit=0 · 1 ms\n{}", "exit=0 · 1 ms\n", "exit=0 · 1 ms\n[1]", "{}"]) {
        expect(later("count its words, of saying no", { tools, answers: sandbox(text) }).answer).toContain(
          "counted by the demo script itself",
        );
      }
    });
  });

  it("lists exactly the registered tools, by the first sentence of their descriptions", () => {
    expect(later("what tools do you have", { tools: ["a_tool", "b_tool"] }).answer).toContain(
      "2 tools:\n\n- `a_tool`: Does a_tool.\n- `b_tool`: Does b_tool.\n\n",
    );
  });
});

describe("components", () => {
  const fences = (answer: string, language: string) =>
    [...answer.matchAll(new RegExp(`^\`\`\`${language}[^\\n]*\\n([\\s\\S]*?)\\n\`\`\`$`, "gm"))].map(
      (match) => match[1]!,
    );

  it("draws two cards within the bounds of §24, with numbers from the event vocabulary", () => {
    for (const question of ["四种模式是什么", "what are the four modes"]) {
      const cards = fences(later(question).answer, "xray-card").map((json) => JSON.parse(json));
      expect(cards.map((card) => [card.v, card.kind])).toEqual([
        [1, "stat"],
        [1, "choice"],
      ]);
      const counts = cards[0].items.map((item: { value: string }) => Number(item.value));
      expect([counts, counts.reduce((sum: number, count: number) => sum + count)]).toEqual([
        [22, 5, 10, 4],
        Object.keys(TRACE_EVENTS).length,
      ]);
      expect(
        cards[0].items.every((item: Record<string, string>) => Object.values(item).every((text) => text.length <= 200)),
      ).toBe(true);
      expect(cards[1].options.every((option: { label: string }) => option.label.length <= 60)).toBe(true);
    }
  });

  it("offers choices that open a scene of their own when they are clicked", () => {
    for (const [question, calls] of [
      ["Next: Try to run a script that does not exist", "skill_run"],
      ["接下来想看: 画出一轮的路线", "notes_search"],
    ]) {
      expect(later(question!).rounds[0]?.[0]).toStartWith(calls!);
    }
  });

  it("draws an HTML frame from the stops that it read, with nothing in it that loads or runs", () => {
    const [html] = fences(later("画出一轮的路线").answer, "xray-html");
    expect(html).toContain('<code style="font-size:12px">input</code>');
    expect(html).not.toMatch(/<(script|img|a|iframe|link|style)\b|https?:|url\(|on[a-z]+=/i);
    expect(Buffer.byteLength(html!)).toBeLessThan(16_384);
  });
});
