/** "Read your own source": without tools that read it, says so and shows the chapter that describes the same code. */
import { libraryIsSilent } from "./fallback";
import { findChapter, linkTo, numbered, stepsOf } from "./reading";
import { inLanguage, type Scene } from "./scene";

const SOURCE = /\bsource( code)?\b|源码|源代码/i;

export const ownSource: Scene = {
  title: (asked) => inLanguage(asked, { zh: "事件在哪里清洗", en: "Where events clean" }),
  matches: (asked) => SOURCE.test(asked.question) && !asked.tools.has("source_read"),
  *play(asked) {
    const chapter = yield* findChapter(asked, [inLanguage(asked, { zh: "清洗", en: "cleaned" })], {
      zh: "读源码的工具还不在这个版本里，所以我读不到文件。书房里有一章讲的是同一段代码，去看看。",
      en: "The tools that read source are not part of this build yet, so no file is within my reach. A chapter in the library describes the same code; reading that instead.",
    });
    const steps = chapter ? stepsOf(chapter.body) : [];
    if (!chapter || steps.length === 0) return libraryIsSilent(asked);
    return inLanguage(asked, {
      zh: `在入口：事件进入我们代码的第一刻就被清洗，然后才存储、才推送。${linkTo(asked, chapter)}里的三步：

${numbered(steps)}

右边正好有例子：展开任意一行，看到的字段就是清洗之后剩下的全部。数据库里存的也是这一份，没有另一份更完整的。

这里引的是章节，不是源文件，所以没有行号。`,
      en: `At the entrance: an event is cleaned the moment it enters our code, before it is stored or sent. The three steps from ${linkTo(asked, chapter)}:

${numbered(steps)}

There is an example at hand: open any row on the right. The fields that you see are all that is left after cleaning, and the database holds that same row; there is no fuller copy.

This quotes a chapter and not a source file, so there are no line numbers.`,
    });
  },
};
