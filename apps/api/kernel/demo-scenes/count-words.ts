/** "Find the chapter about saying no and count its words": reads the chapter and counts what it really says. */
import { isCommon, isGrammar } from "./common-words";
import { libraryIsSilent } from "./fallback";
import { findChapter, linkTo } from "./reading";
import { type Asked, inLanguage, type Scene } from "./scene";

const COUNT = /\bcount\b|\bhow many words\b|word frequenc|词频|字数|多少字|数一数|统计/i;
const TOP = 6;

export const countWords: Scene = {
  title: (asked) => inLanguage(asked, { zh: "《说不》的词频", en: "Counting words" }),
  matches: (asked) => COUNT.test(asked.question),
  *play(asked) {
    const chapter = yield* findChapter(asked, [inLanguage(asked, { zh: "说不", en: "saying no" })], {
      zh: "先找到那一章，才有东西可数。",
      en: "First the chapter, so that there is something to count.",
    });
    if (!chapter) return libraryIsSilent(asked);
    const { total, top } = frequencies(chapter.body, asked);
    const rows = top.map(([word, times]) => `| ${word} | ${times} |`).join("\n");
    return inLanguage(asked, {
      zh: `${linkTo(asked, chapter)}正文一共 ${total} 个汉字。按相邻两字统计，虚词除外，出现最多的是：

| 双字 | 次数 |
|---|---:|
${rows}

${byWhom(asked)}`,
      en: `${linkTo(asked, chapter)} has ${total} words, code left out. The most frequent ones of four letters or more, common words aside:

| word | times |
|---|---:|
${rows}

${byWhom(asked)}`,
    });
  },
};

function byWhom(asked: Asked): string {
  if (asked.tools.has("skill_run")) {
    return inLanguage(asked, {
      zh: "这次是演示脚本自己数的，没有动用沙箱。",
      en: "The demo script counted this time; the sandbox was not needed.",
    });
  }
  return inLanguage(asked, {
    zh: "搜索和读章节是真的工具调用；数数的是演示脚本自己。在沙箱里运行统计脚本的工具（`skill_run`）还不在这个版本里。",
    en: "Searching and reading were real tool calls; the counting was done by the demo script itself. The tool that runs a script in the sandbox (`skill_run`) is not part of this build yet.",
  });
}

/** How long the text is, and its topical words with how often they stand in it: most frequent first, ties by code. */
function frequencies(body: string, asked: Asked): { total: number; top: [string, number][] } {
  const prose = body.replace(/```[\s\S]*?```/g, " ").replace(/`[^`]*`/g, " ");
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
