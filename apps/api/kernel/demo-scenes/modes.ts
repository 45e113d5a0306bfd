/** "What are the four modes?", "what can stop you?": answers with two cards, numbers taken from the event vocabulary. */
import { TRACE_EVENTS, type TraceMode } from "../../../../shared/trace-events";
import { bestHit, hitsOf, linkTo, search } from "./reading";
import { fence, inLanguage, type Scene } from "./scene";

const ASKED = /\bcards?\b|卡片|\bmodes?\b|模式|stop you|叫停|停下来|\bveto\b|否决/i;
const WORDS = {
  notify: { zh: ["只能旁观", "圆圈"], en: ["may only observe", "ring"] },
  veto: { zh: ["可以叫停", "菱形"], en: ["may stop it", "diamond"] },
  chain: { zh: ["可以改写", "三角"], en: ["may change it", "triangle"] },
  takeover: { zh: ["可以代劳", "方块"], en: ["may do it instead", "square"] },
} as const satisfies Record<TraceMode, Record<"zh" | "en", readonly [string, string]>>;

export const modes: Scene = {
  title: (asked) => inLanguage(asked, { zh: "四种模式", en: "Four modes" }),
  matches: (asked) => ASKED.test(asked.question),
  *play(asked) {
    let link = "";
    if (asked.tools.has("notes_search")) {
      const [found] = yield {
        say: inLanguage(asked, { zh: "查一下书房里怎么说。", en: "Looking up what the library says." }),
        calls: [search("veto")],
      };
      const hit = found && !found.failed ? bestHit(asked, hitsOf(found.text)) : undefined;
      if (hit) link = inLanguage(asked, { zh: `出处：${linkTo(asked, hit)}。`, en: `See ${linkTo(asked, hit)}.` });
    }
    const events = Object.values(TRACE_EVENTS);
    const stat = {
      v: 1,
      kind: "stat",
      title: inLanguage(asked, { zh: "按模式统计事件", en: "Kinds of event by mode" }),
      items: Object.entries(WORDS).map(([mode, words]) => ({
        label: words[asked.language][0],
        value: String(events.filter((each) => each === mode).length),
        unit: mode,
        note: words[asked.language][1],
      })),
    };
    const next = {
      v: 1,
      kind: "choice",
      prompt: inLanguage(asked, { zh: "接下来想看", en: "Next" }),
      options: inLanguage(asked, {
        zh: "试着运行一个不存在的脚本|画出一轮的路线",
        en: "Try to run a script that does not exist|Draw the road of a turn",
      })
        .split("|")
        .map((label) => ({ label })),
    };
    const gates = Object.entries(TRACE_EVENTS).flatMap(([name, mode]) => (mode === "veto" ? [`\`${name}\``] : []));
    return inLanguage(asked, {
      zh: `内核会发出 ${events.length} 种事件，每一种都写明处理器可以做什么。能让一件事停下来的只有 ${gates.length} 种：${gates.join("、")}。在这里的对话里，真正会遇到的闸门是 \`tool_call\`。${link}

${fence("xray-card", JSON.stringify(stat))}

${fence("xray-card", JSON.stringify(next))}`,
      en: `The kernel can emit ${events.length} kinds of event, and each says what a handler may do. Only ${gates.length} can stop something: ${gates.join(", ")}. The gate that you will really meet in this conversation is \`tool_call\`. ${link}

${fence("xray-card", JSON.stringify(stat))}

${fence("xray-card", JSON.stringify(next))}`,
    });
  },
};
