/**
 * Replies that show every kind of card, a frame, a table and a picture, written as a model would, in both languages: for
 * eyes. Nothing judges them.
 */
type Words = (en: string, zh: string) => string;
const LANGUAGES = {
  en: (en: string) => en,
  zh: (_: string, zh: string) => zh,
} satisfies Record<string, Words>;
export type Language = keyof typeof LANGUAGES;

/** The picture of `PICTURE_REPLY`; whoever shows it answers this path. */
export const PICTURE_PATH = "/api/agent/images/5f0c1d3a-0000-4000-8000-0000000000aa.png";

export function cardReplies(language: Language): string[] {
  const w = LANGUAGES[language];
  return [
    `${w("The session in three numbers, and what each mode may do.", "三个数字概括这个会话，再看每种模式能做什么。")}\n\n${card(
      {
        kind: "stat",
        title: w("Events by mode", "按模式统计事件"),
        items: [
          { label: w("may stop", "可以叫停"), value: 4, unit: "veto", note: w("1 blocked", "1 次拦截") },
          {
            label: w("may change", "可以改写"),
            value: 39,
            unit: "chain",
            note: w("one after another", "处理器依次执行"),
          },
          {
            label: w("may only look", "只能旁观"),
            value: 168,
            unit: "notify",
            note: w("and 3 takeover", "另有 3 个 takeover"),
          },
        ],
        action: { label: w("what is a veto?", "什么是否决？"), ask: w("What is a veto?", "什么是否决？") },
      },
    )}\n\n${card({
      kind: "table",
      title: w("Words of the chapter", "这一章的词"),
      columns: [w("Word", "词"), w("Count", "次数"), w("What it is here", "在这一章里指什么")],
      rows: [
        ["handler", 31, w("a function an extension hangs on an event", "扩展挂在事件上的函数")],
        ["block", 24, w("the field that stops a call", "让调用停下的字段")],
        ["reason", 17, w("what the model gets to read", "模型能读到的内容")],
      ],
      sortable: true,
      links: [{ text: w("The chapter", "这一章"), href: "/notes/events/saying-no" }],
    })}`,
    `${card({
      kind: "kv",
      title: w("This turn", "这一轮"),
      rows: [
        { k: w("Model round trips", "模型往返"), v: 3 },
        { k: w("Stopped by", "被谁叫停"), v: "xray-guard" },
        { k: w("Reason", "理由"), v: w("the skill has no script of that name", "这个技能没有叫这个名字的脚本") },
      ],
    })}\n\n${card({
      kind: "list",
      title: w("The road of a call", "一次调用的路"),
      ordered: true,
      items: [
        { text: w("The model names a tool", "模型点名一个工具"), note: "tool_execution_start" },
        { text: w("Every guard is asked in turn", "依次问每一道守卫"), note: "tool_call" },
        { text: w("The result may be changed", "结果可能被改写"), note: "tool_result" },
      ],
    })}`,
    `${card({
      kind: "compare",
      title: w("Two ways to stop", "两种叫停"),
      columns: ["veto", "takeover"],
      rows: [
        {
          k: w("Answers with", "回答"),
          a: w("no, and a reason", "不行，附一条理由"),
          b: w("its own result", "自己的结果"),
        },
        { k: w("The tool", "工具"), a: w("never starts", "不会启动"), b: w("is never asked", "不会被问到") },
        {
          k: w("The model reads", "模型读到"),
          a: w("an error result", "错误结果"),
          b: w("a result like any other", "一个普通结果"),
        },
      ],
    })}\n\n${card({
      kind: "tabs",
      title: w("Three events", "三个事件"),
      tabs: ["tool_call", "context", "input"].map((label) => ({
        label,
        card: {
          v: 1,
          kind: "kv",
          rows: [
            { k: w("Mode", "模式"), v: label },
            { k: w("Asked", "次数"), v: 7 },
          ],
        },
      })),
    })}`,
    `${card({
      kind: "choice",
      prompt: w("Show me next", "接下来想看"),
      options: [
        { label: w("The rule in words", "用文字讲规则") },
        {
          label: w("A real refusal, live", "一次真实的拒绝"),
          note: w("runs one script that exists and one that does not", "运行一个存在的脚本和一个不存在的脚本"),
        },
      ],
    })}\n\n${card({
      kind: "form",
      prompt: w("Plan a reading", "安排一次阅读"),
      fields: [
        { label: w("Subject", "主题"), required: true, placeholder: w("an event, a tool, a file", "事件、工具或文件") },
        {
          label: w("Depth", "深度"),
          type: "select",
          options: [w("Overview", "概览"), w("Every line", "逐行")],
        },
      ],
      submit: w("Plan it", "安排"),
    })}`,
  ];
}

/** What a card is before and instead. The first stays open while its turn runs. */
export const CARD_BEING_WRITTEN = '```xray-card\n{"v":1,"kind":"kv"';
export const INVALID_CARD = card({ kind: "gauge", value: 7 });

/** Prose with all that Markdown is likely to hold. */
export function proseReply(language: Language): string {
  const w = LANGUAGES[language];
  return [
    w(
      "A handler on a gate may answer **no**, with a reason, and the model gets `reason` to read. It is [four lines](/source).",
      "挂在闸门上的处理器可以回答**不行**并写明理由，模型读到的就是 `reason`。它只有[四行](/source)。",
    ),
    `## ${w("What it looks like", "写出来是这样")}`,
    '```ts\non("tool_call", (event) => {\n  if (manifest.has(event.input)) return; // on the list\n  return { block: true, reason: "no such script" };\n});\n```',
    `- ${w("It is asked before the tool starts.", "它在工具启动之前被问到。")}\n- ${w("One **no** is enough; the others are not asked.", "一个**不行**就够，后面的不再问。")}\n  - ${w("the trace names who it was", "追踪里写着是谁")}`,
    `| ${w("Word", "词")} | ${w("Count", "次数")} | ${w("Here", "这里指")} |\n| --- | ---: | --- |\n| handler | 31 | ${w("a function", "函数")} |\n| block | 24 | ${w("the field that stops a call", "让调用停下的字段")} |`,
    `> ${w("An event that only notifies cannot be stopped by anyone.", "只通知的事件，谁也停不住。")}`,
    `1. ${w("Read the trace.", "读追踪。")}\n2. ${w("Ask why.", "追问原因。")}`,
    `![${w("elsewhere", "别处的图")}](https://example.org/a.png)`,
  ].join("\n\n");
}

export function pictureReply(language: Language): string {
  const w = LANGUAGES[language];
  return `${w("Here is the picture.", "画好了。")}\n\n![${w("A kernel as an instrument", "把内核画成仪器")}](${PICTURE_PATH})`;
}

/** A frame of the kind that the skill `chart` writes. */
export function frameReply(language: Language): string {
  const w = LANGUAGES[language];
  const rows = [
    [w("call", "调用"), 7],
    [w("model", "模型"), 6],
    [w("gate", "闸门"), 5],
  ] as const;
  const style =
    "b{display:block;margin-bottom:10px}div{display:grid;grid-template-columns:64px 1fr 24px;line-height:26px}u{height:12px;align-self:center;background:var(--ink)}i{font-style:normal;text-align:right}";
  const bars = rows.map(([word, n]) => `<div>${word}<u style="width:${(n / 7) * 100}%"></u><i>${n}</i></div>`);
  return `${w("Counted and drawn:", "数好了，画成图：")}\n\n\`\`\`xray-html height=130\n<style>${style}</style><b>${w("Most frequent words", "出现最多的词")}</b>${bars.join("")}\n\`\`\``;
}

function card(fields: object): string {
  return `\`\`\`xray-card\n${JSON.stringify({ v: 1, ...fields })}\n\`\`\``;
}
