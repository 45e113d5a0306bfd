/** What the demo says when its script has no answer, or when the library had none. It never pretends to know. */
import { type Asked, inLanguage } from "./scene";

/** The library could not be asked, failed, or held nothing fitting. */
export function libraryIsSilent(asked: Asked): string {
  return inLanguage(asked, {
    zh: "我想从书房里引一章来回答，但这次没有读到：要么没有找到，要么工具没有登记或者失败了。追踪写着是哪一种。我是事先写好的脚本，没有章节就没有答案，也不会编一个。",
    en: "I meant to answer from a chapter of the library and could not read one: nothing was found, or the tool is not registered, or it failed. The trace says which. I am a script; without the chapter I have no answer, and will not make one up.",
  });
}

/** No scene fits and the library has nothing on it. */
export function beyondTheScript(asked: Asked): string {
  return inLanguage(asked, {
    zh: `这个问题不在我的脚本里，书房里也没有相关的章节。我是离线演示，不是语言模型：我会的是搜索笔记、读章节、翻源码、给会话起名，然后如实告诉你工具返回了什么。

想要真正的回答，请在服务器上运行 \`./xray provider add\` 接入一个模型。想看看内核怎么工作，可以问“四种模式是什么”，或者“画出一轮的路线”。`,
    en: `That question is not in my script, and the library has no chapter about it. I am the offline demo and not a language model: what I can do is search the notes, read a chapter, quote the source, name the session, and tell you truthfully what the tools returned.

For a real answer, connect a model with \`./xray provider add\` on the server. To see how the kernel works, ask "what are the four modes" or "draw the road of a turn".`,
  });
}
