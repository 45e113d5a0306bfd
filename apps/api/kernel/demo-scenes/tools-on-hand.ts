/** "What tools do you have?": names the registered tools from their own descriptions, and calls none. */
import { inLanguage, type Scene } from "./scene";

const ASKED = /\b(what|which|list)\b.*\btools?\b|what can you do|(哪些|什么|几个)工具|你(能|会)(做)?什么/i;

export const toolsOnHand: Scene = {
  title: (asked) => inLanguage(asked, { zh: "手边的工具", en: "Tools on hand" }),
  introducesItself: true,
  matches: (asked) => ASKED.test(asked.question),
  play(asked) {
    const list = [...asked.tools]
      .map(([name, description]) => `- \`${name}\`: ${firstSentence(description)}`)
      .join("\n");
    if (list === "") {
      return inLanguage(asked, {
        zh: "这个会话没有登记任何工具。我是离线演示的脚本，只剩下说话了。",
        en: "No tool is registered in this session. I am the script of the offline demo, and talking is all that is left.",
      });
    }
    return inLanguage(asked, {
      zh: `这个会话里登记了 ${asked.tools.size} 个工具：

${list}

没有别的了：没有命令行，也碰不到文件。我是离线演示的脚本，但调用工具时用的就是上面这些，和真正的模型走同一条路。`,
      en: `This session has ${asked.tools.size} tools:

${list}

There is nothing else: no shell, no files. I am the script of the offline demo, but when I call a tool it is one of these, on the same road that a real model takes.`,
    });
  },
};

function firstSentence(description: string): string {
  return /^[^.。]*[.。]/.exec(description)?.[0] ?? description;
}
