/** "Try to run a script that does not exist": asks for it anyway, and explains the refusal that really came back. */
import { quote } from "./reading";
import { inLanguage, type Scene } from "./scene";

const RUN = /\b(run|execute|start)\b|运行|执行|跑/i;
const SCRIPT = /\bscripts?\b|脚本/i;

export const missingScript: Scene = {
  title: (asked) => inLanguage(asked, { zh: "不存在的脚本", en: "A missing script" }),
  matches: (asked) => RUN.test(asked.question) && SCRIPT.test(asked.question),
  *play(asked) {
    const registered = asked.tools.has("skill_run");
    const [refusal] = yield {
      say: inLanguage(asked, {
        zh: "好，我照样去要一个不存在的脚本，看内核怎么回答。",
        en: "All right. Asking for a script that does not exist, to see what the kernel says.",
      }),
      calls: [{ name: "skill_run", input: { skill: "text-tools", script: "word_cloud.py", input: "{}" } }],
    };
    if (!refusal?.failed) {
      return inLanguage(asked, {
        zh: "这次没有被拒绝，和我预期的不一样。追踪才算数。",
        en: "That was not refused, which is not what this script expected. The trace is what counts.",
      });
    }
    const answer = quote(refusal.text);
    if (registered) {
      return inLanguage(asked, {
        zh: `内核的回答：

${answer}

工具是有的，这个脚本没有。调用到了 \`tool_call\` 这道闸门就停下了，沙箱里什么也没有启动。展开追踪里红色的那一行，能看到是谁说的不。`,
        en: `The kernel's answer:

${answer}

The tool exists, the script does not. The call went as far as the gate \`tool_call\`; nothing was started in the sandbox. Open the red row in the trace to see who said no.`,
      });
    }
    return inLanguage(asked, {
      zh: `内核的回答：

${answer}

这是最朴素的一种“不”：运行脚本的工具根本没有登记，调用连 \`tool_call\` 这道闸门都没走到，什么也没有被执行。追踪里那一行是红的，开始和结束之间是空的。

这个站点没有开启运行脚本的工具。开启之后，同一个问题会得到另一种“不”：工具在，名单上没有这个脚本。两者的区别写在[《说不》](/notes/events/saying-no)里。`,
      en: `The kernel's answer:

${answer}

That is the plainest kind of no: no tool that runs scripts is registered, so the call did not even reach the gate \`tool_call\`, and nothing was executed. The row in the trace is red, with nothing between its start and its end.

The tool that runs scripts is not on at this site. Where it is, the same question meets the other kind of no: the tool is there, the script is not on its list. [“Saying no”](/notes/first-word/saying-no) tells the two apart.`,
    });
  },
};
