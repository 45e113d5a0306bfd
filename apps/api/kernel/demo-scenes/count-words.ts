/**
 * "Find the chapter about saying no and count its words": reads the chapter, has a script in the sandbox count what it
 * really says and another draw the numbers; where no script can run it counts by itself, and says so.
 */
import { LIMITS } from "../../../../shared/limits";
import { isCommon, isGrammar } from "./common-words";
import { libraryIsSilent } from "./fallback";
import { findChapter, linkTo, quote } from "./reading";
import { type Asked, inLanguage, type Play, type Scene } from "./scene";

const COUNT = /\bcount\b|\bhow many words\b|word frequenc|词频|字数|多少字|数一数|统计/i;
const TOP = 6;
/** What the script's own schema takes. */
const MOST_CHARS = 3_800;

export const countWords: Scene = {
  title: (asked) => inLanguage(asked, { zh: "《说不》的词频", en: "Counting words" }),
  matches: (asked) => COUNT.test(asked.question),
  *play(asked) {
    const chapter = yield* findChapter(asked, [inLanguage(asked, { zh: "说不", en: "saying no" })], {
      zh: "先找到那一章，才有东西可数。",
      en: "First the chapter, so that there is something to count.",
    });
    if (!chapter) return libraryIsSilent(asked);
    const prose = chapter.body.replace(/```[\s\S]*?```/g, " ").replace(/`[^`]*`/g, " ");
    const run = asked.tools.has("skill_run") ? yield* runCount(asked, prose) : undefined;
    const { total, top } = run?.counted ?? frequencies(prose, asked);
    const chart = run?.counted ? yield* runChart(asked, top) : undefined;
    return inLanguage(asked, {
      zh: `${linkTo(asked, chapter)}正文一共 ${total} 个汉字。按相邻两字统计，虚词除外，出现最多的是：

${chart ?? tableOf(["双字", "次数"], top)}

${byWhom(asked, run)}`,
      en: `${linkTo(asked, chapter)} has ${total} words, code left out. The most frequent ones, common words aside:

${chart ?? tableOf(["word", "times"], top)}

${byWhom(asked, run)}`,
    });
  },
};

type Count = { total: number; top: [string, number][] };
/** What became of asking the sandbox: its count and its time, or its refusal in its own words. */
type Run = { counted: Count; ms: string } | { counted?: undefined; refusal: string };

/** The script of text-tools counts; it gets as much of the text as an input holds. */
function* runCount(asked: Asked, prose: string): Play<Run> {
  const inputOf = (text: string) => JSON.stringify({ text, top: TOP, skip_common: true });
  let text = prose.replace(/\s+/g, " ").trim().slice(0, MOST_CHARS);
  while (Buffer.byteLength(inputOf(text)) > LIMITS.skillInputBytes) text = text.slice(0, -20);
  const [answer] = yield {
    say: inLanguage(asked, {
      zh: "正文拿到了。数的活交给沙箱里的脚本：它碰不到文件，也没有网络。",
      en: "There is the text. A script in the sandbox does the counting: it has no files and no network.",
    }),
    calls: [
      {
        name: "skill_run",
        input: { skill: "text-tools", script: "word_frequency.py", input: inputOf(text.toWellFormed()) },
      },
    ],
  };
  const counted = answer && !answer.failed ? countOf(answer.text, asked) : undefined;
  const ms = /^exit=0 · (\d+) ms$/m.exec(answer?.text ?? "")?.[1];
  return counted && ms ? { counted, ms } : { refusal: answer?.text ?? "" };
}

/** The block that the script of `chart` made of these numbers; undefined when it gave none, and a table does as well. */
function* runChart(asked: Asked, top: Count["top"]): Play<string | undefined> {
  const table = inLanguage(asked, { zh: "双字,次数", en: "word,times" });
  const rows = top.map(([word, times]) => `${word},${times}`);
  const [answer] = yield {
    say: inLanguage(asked, {
      zh: "数出来了。再让另一个脚本把这些数画成图。",
      en: "Counted. Another script draws these numbers.",
    }),
    calls: [
      {
        name: "skill_run",
        input: {
          skill: "chart",
          script: "draw_chart.py",
          input: JSON.stringify({ table: [table, ...rows].join("\n") }),
        },
      },
    ],
  };
  return answer && !answer.failed ? /^```xray-html [^\n`]*\n[^\n]*\n```$/m.exec(answer.text)?.[0] : undefined;
}

function tableOf(head: readonly [string, string], top: Count["top"]): string {
  return [`| ${head.join(" | ")} |`, "|---|---:|", ...top.map((row) => `| ${row.join(" | ")} |`)].join("\n");
}

/** The script's own numbers; undefined when its output is not what it has always been. */
function countOf(text: string, asked: Asked): Count | undefined {
  try {
    const output = JSON.parse(text.split("\n")[1] ?? "") as Record<string, unknown>;
    const chinese = asked.language === "zh";
    const total = output[chinese ? "charactersTotal" : "wordsTotal"];
    const top = output[chinese ? "pairs" : "words"] as [string, number][];
    const isCount = typeof total === "number" && top.every(([word, n]) => typeof word === "string" && n > 0);
    return isCount ? { total, top: top.slice(0, TOP) } : undefined;
  } catch {
    return undefined;
  }
}

function byWhom(asked: Asked, run: Run | undefined): string {
  if (run?.counted) {
    return inLanguage(asked, {
      zh: `搜索、读章节、数数都是真的工具调用。脚本在沙箱里跑了 ${run.ms} ms，然后那个进程就不在了；追踪里 \`skill_run\` 那一行能看到送进去的和拿回来的全部。`,
      en: `Searching, reading and counting were real tool calls. The script ran for ${run.ms} ms in the sandbox, and then its process was gone; the row \`skill_run\` in the trace shows all that went in and came back.`,
    });
  }
  if (run) {
    return inLanguage(asked, {
      zh: `沙箱这次没有数成：

${quote(run.refusal)}

上面的数是演示脚本自己数的。`,
      en: `The sandbox did not count this time:

${quote(run.refusal)}

The numbers above were counted by the demo script itself.`,
    });
  }
  return inLanguage(asked, {
    zh: "搜索和读章节是真的工具调用；数数的是演示脚本自己。这个站点没有开启运行脚本的工具（`skill_run`）：在服务器上运行 `./xray doctor`，能看到沙箱缺什么。",
    en: "Searching and reading were real tool calls; the counting was done by the demo script itself. The tool that runs scripts (`skill_run`) is not on at this site: `./xray doctor` on the server says what its sandbox lacks.",
  });
}

/** How long the text is, and its topical words with how often they stand in it: most frequent first, ties by code. */
function frequencies(prose: string, asked: Asked): Count {
  const chinese = asked.language === "zh";
  const runs = prose.match(chinese ? /\p{Script=Han}+/gu : /[a-z']+/gi) ?? [];
  const topics = chinese
    ? runs.flatMap(pairsOf).filter((pair) => !isGrammar(pair))
    : runs.map((word) => word.toLowerCase()).filter((word) => word.length >= 4 && !isCommon(word));
  const times = new Map<string, number>();
  for (const topic of topics) times.set(topic, (times.get(topic) ?? 0) + 1);
  const top = [...times].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, TOP);
  return { total: chinese ? [...runs.join("")].length : runs.length, top };
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((second, index) => characters[index]! + second);
}
