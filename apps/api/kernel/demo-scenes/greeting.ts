/** Someone says hello, or asks who this is: the demo says what it is and offers the four openings of the first page. */
import { inLanguage, type Scene } from "./scene";

const HELLO = /^(hi|hello|hey|good (morning|evening)|你好|您好|嗨|哈喽|在吗|test|测试)[\s!！.。,，~?？]*$/i;
const WHO = /\bwho are you\b|\bwhat are you\b|你是谁|你是什么/i;

export const greeting: Scene = {
  title: (asked) => inLanguage(asked, { zh: "打个招呼", en: "Saying hello" }),
  introducesItself: true,
  matches: (asked) => HELLO.test(asked.question) || WHO.test(asked.question),
  play(asked) {
    return inLanguage(asked, {
      zh: `你好。这里是离线演示：我的话是事先写好的脚本，不是语言模型。脚本之外的都是真的：工具真的被调用，追踪里每一行都是内核此刻发出的事件。

可以从这几个问题开始：

- 从我发出消息到你说出第一个字，中间发生了什么？
- 找到讲“说不”的那一章，统计词频
- 试着运行一个不存在的脚本
- 读你自己的源码：事件在哪里被清洗？

想换成真正的模型，在服务器上运行 \`./xray provider add\`。`,
      en: `Hello. This is the offline demo: my lines are a script, not a language model. Everything else is real: tools are called, and each row in the trace is an event that the kernel has just emitted.

You could begin with one of these:

- What happens between my message and your first word?
- Find the chapter about saying no and count its words
- Try to run a script that does not exist
- Read your own source: where are events cleaned?

To talk to a real model, run \`./xray provider add\` on the server.`,
    });
  },
};
