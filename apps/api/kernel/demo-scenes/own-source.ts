/**
 * "Read your own source": lists, searches and reads the published commit, and quotes what it read with its lines. Where
 * none can be read, says so and shows the chapter that describes the same code.
 */
import { isCommon } from "./common-words";
import { libraryIsSilent } from "./fallback";
import { findChapter, linkTo, numbered, stepsOf } from "./reading";
import { type Asked, inLanguage, type Play, type Scene } from "./scene";
import { codeBlock, findInSource, firstLines, type Found, isCode, linkToLines, readFile } from "./source-reading";

const SOURCE = /\bsource( code)?\b|源码|源代码/i;
const CLEANING = /\bclean|\bsaniti[sz]|\bredact|清洗|脱敏/i;
/** Where events are cleaned, and what is shown of the source when the question names nothing in it. */
const CLEANING_NAME = "function sanitiseEvent";
/** A path with a folder and an extension. */
const FILE = /(?:[A-Za-z0-9._()[\]-]+\/)+[A-Za-z0-9_()[\]-][A-Za-z0-9._()[\]-]*\.[a-z]{1,10}(?![A-Za-z0-9])/;
/** What is quoted of a file that is read from its beginning. */
const BEGINNING_LINES = 24;
/** Other places named at the end of an answer. */
const OTHER_PLACES = 4;

export const ownSource: Scene = {
  title: (asked) =>
    inLanguage(
      asked,
      CLEANING.test(asked.question)
        ? { zh: "事件在哪里清洗", en: "Where events clean" }
        : { zh: "读一读源码", en: "Reading the source" },
    ),
  matches: (asked) => SOURCE.test(asked.question),
  *play(asked) {
    const file = FILE.exec(asked.question)?.[0];
    if (file !== undefined) return yield* beginningOf(asked, file);
    const query = nameIn(asked);
    const found = yield* findInSource(asked, query);
    if (found) return quoted(asked, query, found);
    return query === CLEANING_NAME ? yield* chapterInstead(asked) : sourceIsSilent(asked, query);
  },
};

/** What to look for: a name that stands in the question, the longest. */
function nameIn({ question }: Asked): string {
  if (CLEANING.test(question)) return CLEANING_NAME;
  const words = question.match(/[A-Za-z][A-Za-z0-9_.-]{2,}/g) ?? [];
  const names = words
    .map((word) => word.replace(/[.-]+$/, ""))
    .filter((word) => !isCommon(word) && !NO_NAME.test(word));
  return names.sort((a, b) => b.length - a.length)[0]?.slice(0, 60) ?? CLEANING_NAME;
}
const NO_NAME =
  /^(?:source(?:_\w+)?|code|read|own|file|files|show|are|the|how|why|can|you|for|and|who|get|see|any|all)$/i;

function quoted(asked: Asked, query: string, { hits, excerpt, fileCount }: Found): string {
  const others = hits
    .filter(isCode)
    .filter(({ file, line }) => file !== excerpt.file || line < excerpt.first || line > excerpt.last)
    .slice(0, OTHER_PLACES)
    .map(({ file, line }) => `- ${linkToLines(asked, { file, first: line, last: line })}`);
  const cleaning = query === CLEANING_NAME;
  const lead = inLanguage(asked, {
    zh: `${cleaning ? "在入口：事件进入我们代码的第一刻就被清洗，然后才存储、才推送。" : ""}${linkToLines(asked, excerpt)}，提交 \`${excerpt.shortSha}\`：`,
    en: `${cleaning ? "At the entrance: an event is cleaned the moment it enters our code, before it is stored or sent. " : ""}${linkToLines(asked, excerpt)}, commit \`${excerpt.shortSha}\`:`,
  });
  const elsewhere =
    others.length === 0
      ? ""
      : `\n\n${inLanguage(asked, { zh: `\`${query}\` 还出现在：`, en: `\`${query}\` also stands in:` })}\n\n${others.join("\n")}`;
  const files =
    fileCount === undefined ? "" : inLanguage(asked, { zh: `（共 ${fileCount} 个文件）`, en: ` (${fileCount} files)` });
  const closing = inLanguage(asked, {
    zh: `这是刚刚从发布的源码${files}里读出来的原文，行号可以点开核对。源码说的是能做什么，不是现在开着什么。`,
    en: `These lines were read just now from the published source${files}; open the line numbers to check. Source shows what is possible, not what is switched on.`,
  });
  return `${lead}\n\n${codeBlock(excerpt)}${elsewhere}\n\n${closing}`;
}

function* beginningOf(asked: Asked, file: string): Play {
  const read = yield* readFile(asked, file);
  if (!read) return sourceIsSilent(asked, file);
  const shown = firstLines(read, BEGINNING_LINES);
  return inLanguage(asked, {
    zh: `${linkToLines(asked, shown)}，提交 \`${read.shortSha}\`，全文 ${read.lineCount} 行。它这样开头：

${codeBlock(shown)}

我是脚本，只引原文，不做推断：文件的第一句话通常就说明了它做什么。`,
    en: `${linkToLines(asked, shown)}, commit \`${read.shortSha}\`, ${read.lineCount} lines in all. It begins:

${codeBlock(shown)}

I am a script: I quote, and do not conclude. The first sentence of a file usually says what it is for.`,
  });
}

function sourceIsSilent(asked: Asked, query: string): string {
  return inLanguage(asked, {
    zh: `我想在发布的源码里找 \`${query}\`，这次没有读到：要么没有这样的文字，要么源码还没有发布，要么工具失败了。追踪写着是哪一种。我是脚本，不会编一个。`,
    en: `I meant to quote \`${query}\` from the published source and could not: no line holds it, or no source is published, or a tool failed. The trace says which. I am a script, and will not make one up.`,
  });
}

function* chapterInstead(asked: Asked): Play {
  const chapter = yield* findChapter(asked, [inLanguage(asked, { zh: "清洗", en: "cleaned" })], {
    zh: "这次没有读到源码：要么还没有发布，要么没有找到，要么工具没有登记。书房里有一章讲的是清洗事件的那段代码，去看看。",
    en: "No source could be read: none is published, or nothing was found, or the tools are not registered. A chapter in the library describes the code that cleans events; reading that instead.",
  });
  const steps = chapter ? stepsOf(chapter.body) : [];
  if (!chapter || steps.length === 0) return libraryIsSilent(asked);
  return inLanguage(asked, {
    zh: `在入口：事件进入我们代码的第一刻就被清洗，然后才存储、才推送。${linkTo(asked, chapter)}里的三步：

${numbered(steps)}

追踪里正好有例子：展开任意一行，看到的字段就是清洗之后剩下的全部。数据库里存的也是这一份，没有另一份更完整的。

这里引的是章节，不是源文件，所以没有行号。`,
    en: `At the entrance: an event is cleaned the moment it enters our code, before it is stored or sent. The three steps from ${linkTo(asked, chapter)}:

${numbered(steps)}

There is an example at hand: open any row in the trace. The fields that you see are all that is left after cleaning, and the database holds that same row; there is no fuller copy.

This quotes a chapter and not a source file, so there are no line numbers.`,
  });
}
