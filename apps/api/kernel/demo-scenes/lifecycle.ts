/** "What happens between my message and your first word?": finds the chapter and walks its list of stops. */
import { findChapter, linkTo, numbered, stepsOf } from "./reading";
import { libraryIsSilent } from "./fallback";
import { inLanguage, type Scene } from "./scene";

const ASKED = /first word|life ?cycle|between my message|第一个字|生命周期|发出消息|中间发生/i;

export const lifecycle: Scene = {
  title: (asked) => inLanguage(asked, { zh: "第一个字之前", en: "The first word" }),
  matches: (asked) => ASKED.test(asked.question),
  *play(asked) {
    const chapter = yield* findChapter(asked, [inLanguage(asked, { zh: "第一个字", en: "first word" })], {
      zh: "书房里有一章专门讲这条路，先把它找出来。",
      en: "The library has a chapter about this road. Finding it first.",
    });
    const steps = chapter ? stepsOf(chapter.body) : [];
    if (!chapter || steps.length === 0) return libraryIsSilent(asked);
    return inLanguage(asked, {
      zh: `从你按下发送到第一个字，一共 ${steps.length} 站。${linkTo(asked, chapter)}里是这样写的：

${numbered(steps)}

刚才这一轮就走了这条路，而且绕了三圈：第一圈去搜索，第二圈去读章节，第三圈才开口。面板里，每一圈是一次模型往返；两圈之间能看到 \`tool_call\` 和 \`tool_result\`。

换成真正的模型，\`before_provider_request\` 和第一个 \`message_update\` 之间会空出最长的一段：那是在等它开口。演示不用想，所以几乎不等。`,
      en: `Between Send and the first word there are ${steps.length} stops. ${linkTo(asked, chapter)} lists them:

${numbered(steps)}

This very turn took that road, and went round three times: once to search, once to read the chapter, once to speak. On the right each round is one model round trip, with \`tool_call\` and \`tool_result\` in between.

With a real model the longest gap lies between \`before_provider_request\` and the first \`message_update\`: that is waiting for it to speak. The demo has nothing to think about and hardly waits.`,
    });
  },
};
