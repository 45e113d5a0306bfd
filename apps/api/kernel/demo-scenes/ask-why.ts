/** "You called X, why?" and "what did event E do?": the demo's honest answer is that a script decided. */
import { TRACE_EVENTS, type TraceMode } from "../../../../shared/trace-events";
import { type Asked, inLanguage, type Scene, type Words, withoutQuoted } from "./scene";

const WHY = /\bwhy\b|为什么|为何/i;

const MODE_WORDS: Record<TraceMode, Words> = {
  notify: { zh: "处理器只能旁观它", en: "a handler may only observe it" },
  veto: { zh: "处理器可以在这里叫停", en: "a handler may stop it here" },
  chain: { zh: "处理器可以改写经过的内容", en: "a handler may change what passes" },
  takeover: { zh: "处理器可以自己接手", en: "a handler may do it instead" },
};

export const askWhy: Scene = {
  title: (asked) => inLanguage(asked, { zh: "追问原因", en: "Asking why" }),
  introducesItself: true,
  matches: (asked) => WHY.test(asked.question) && subjectOf(asked) !== undefined,
  play(asked) {
    const subject = subjectOf(asked)!;
    if (subject.kind === "event") {
      return inLanguage(asked, {
        zh: `\`${subject.name}\` 是 ${subject.mode} 类的事件：${MODE_WORDS[subject.mode].zh}。它不是由我决定的，内核走到那一站就会发出它，换成真正的模型也一样。`,
        en: `\`${subject.name}\` is an event of mode ${subject.mode}: ${MODE_WORDS[subject.mode].en}. I had no say in it; the kernel emits it whenever a turn passes that stop, with a real model just the same.`,
      });
    }
    if (subject.kind === "unknown") {
      return inLanguage(asked, {
        zh: `这个会话里没有叫 \`${subject.name}\` 的工具。脚本还是去要了，好让你看到内核怎样回答：它在名单里找不到，于是什么也没有执行，失败的那一行就是它的原话。`,
        en: `No tool named \`${subject.name}\` is registered in this session. The script asked for it all the same, to show how the kernel answers: it is not on the list, so nothing was executed, and the failed row holds the kernel's own words.`,
      });
    }
    return inLanguage(asked, {
      zh: `因为脚本里这样写着。我是离线演示，选工具的不是推理，而是你问题里的关键词。调用本身是真的：\`${subject.name}\` 的说明是“${subject.description}”，它返回的内容就是我回答的材料，你可以在追踪的那一行里核对。`,
      en: `Because the script says so. This is the offline demo: words in your question chose the tool, not reasoning. The call itself was real. \`${subject.name}\` describes itself as “${subject.description}”, what it returned is what my answer was made of, and the row in the trace lets you check.`,
    });
  },
};

type Subject =
  | { kind: "tool"; name: string; description: string }
  | { kind: "event"; name: string; mode: TraceMode }
  | { kind: "unknown"; name: string };

/** The first name in the question that is a tool, an event, or looks like one; what stands in quotes names nothing. */
function subjectOf(asked: Asked): Subject | undefined {
  for (const [name] of withoutQuoted(asked.question).matchAll(/[a-z]+(?:_[a-z]+)*/g)) {
    const description = asked.tools.get(name);
    if (description !== undefined) return { kind: "tool", name, description };
    if (Object.hasOwn(TRACE_EVENTS, name)) {
      return { kind: "event", name, mode: TRACE_EVENTS[name as keyof typeof TRACE_EVENTS] };
    }
    if (name.includes("_")) return { kind: "unknown", name };
  }
  return undefined;
}
