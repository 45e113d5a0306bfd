/** Questions about the library: its index, a chapter named by its address, or whatever the question's words turn up. */
import { cutGraphemes } from "../../../../shared/text/clean";
import { isCommon, withoutFillers } from "./common-words";
import { beyondTheScript, libraryIsSilent } from "./fallback";
import { type Chapter, findChapter, headingsOf, linkTo, openingOf, quote, readChapter } from "./reading";
import { type Asked, inLanguage, type Scene, type Words } from "./scene";

const ADDRESS = /\/notes\/([a-z0-9][a-z0-9-]{0,63})\/([a-z0-9][a-z0-9-]{0,63})/;
const INDEX =
  /\b(what|which|list|show)\b.*\b(notes|chapters|series|library)\b|in the library|(哪些|什么)(笔记|章节|系列|文章)|目录|书房里有/i;

export const chapterByAddress: Scene = {
  title: (asked) => inLanguage(asked, { zh: "聊聊这一章", en: "About a chapter" }),
  matches: (asked) => ADDRESS.test(asked.question) && asked.tools.has("notes_get_chapter"),
  *play(asked) {
    const [, series = "", chapter = ""] = ADDRESS.exec(asked.question) ?? [];
    const read = yield* readChapter(
      asked,
      { series, chapter },
      { zh: "先读这一章。", en: "Reading the chapter first." },
    );
    if (!read) return libraryIsSilent(asked);
    return summaryOf(asked, read, { zh: `${linkTo(asked, read)}这样开头：`, en: `${linkTo(asked, read)} begins:` });
  },
};

export const libraryIndex: Scene = {
  title: (asked) => inLanguage(asked, { zh: "书房目录", en: "The library" }),
  matches: (asked) => INDEX.test(asked.question) && asked.tools.has("notes_list_series"),
  *play(asked) {
    const [index] = yield {
      say: inLanguage(asked, { zh: "去看一眼书架。", en: "Having a look at the shelf." }),
      calls: [{ name: "notes_list_series", input: {} }],
    };
    const series = index && !index.failed ? seriesIn(index.text) : [];
    if (series.length === 0) return libraryIsSilent(asked);
    const list = series.map((entry) => `- [${entry.name}](/notes/${entry.slug})`).join("\n");
    return inLanguage(asked, {
      zh: `书房里现在有这些系列：\n\n${list}\n\n想读哪一章，把它的题目告诉我就行。`,
      en: `The library holds these series:\n\n${list}\n\nName a chapter and I will read it.`,
    });
  },
};

/** The last scene: it matches everything. */
export const anyQuestion: Scene = {
  title: (asked) => {
    const topic = cutGraphemes(keywordsOf(asked)[0] ?? "", 12);
    if (topic === "") return inLanguage(asked, { zh: "随便问问", en: "A question" });
    return inLanguage(asked, { zh: `关于${topic}`, en: `About ${topic}` });
  },
  matches: () => true,
  *play(asked) {
    const chapter = yield* findChapter(asked, keywordsOf(asked), {
      zh: "这个问题不在脚本里，先到书房里按关键词找找。",
      en: "That is not in my script. Searching the library for its words.",
    });
    if (!chapter) return beyondTheScript(asked);
    return summaryOf(asked, chapter, {
      zh: `书房里最接近的是${linkTo(asked, chapter)}。它这样开头：`,
      en: `The closest in the library is ${linkTo(asked, chapter)}. It begins:`,
    });
  },
};

function summaryOf(asked: Asked, chapter: Chapter, lead: Words): string {
  const opening = quote(openingOf(chapter.body) ?? "");
  const headings = headingsOf(chapter.body)
    .map((heading) => `- ${heading}`)
    .join("\n");
  return `${inLanguage(asked, lead)}\n\n${opening}\n\n${inLanguage(asked, {
    zh: `后面分别讲：\n\n${headings}\n\n我是脚本，只引原文，不做推断。`,
    en: `and goes on with:\n\n${headings}\n\nI am a script: I quote, and do not conclude.`,
  })}`;
}

function seriesIn(text: string): { slug: string; name: string }[] {
  const marks = text.matchAll(/^\[([a-z0-9][a-z0-9-]{0,63})\] ([^\n]+)$/gm);
  return [...marks].map((mark) => ({ slug: mark[1]!, name: mark[2]!.split(" — ")[0]! }));
}

/**
 * At most three pieces of the question worth searching for, longest first. The search is for exact substrings, so of a
 * longer run of Chinese its two ends are tried.
 */
function keywordsOf(asked: Asked): string[] {
  const latin = (asked.question.match(/[A-Za-z][A-Za-z_-]{3,}/g) ?? []).filter((word) => !isCommon(word));
  const han = withoutFillers(asked.question).match(/\p{Script=Han}{2,}/gu) ?? [];
  const ends = han.flatMap((run) => ([...run].length <= 4 ? [run] : [run.slice(0, 2), run.slice(-2)]));
  const words = [...new Set([...latin, ...ends])].map((word) => cutGraphemes(word, 24));
  return words.sort((a, b) => b.length - a.length).slice(0, 3);
}
