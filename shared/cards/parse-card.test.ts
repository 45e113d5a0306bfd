import { describe, expect, it } from "bun:test";
import { LIMITS } from "../limits";
import { choiceMessage, formMessage, longestMessageChars } from "./compose";
import { parseCard } from "./parse-card";
import type { AskingCard } from "./card";

type Raw = Record<string, unknown>;
const parse = (card: Raw) => parseCard(JSON.stringify({ v: 1, ...card }));
const x = (chars: number) => "x".repeat(chars);
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

const KV = { kind: "kv", rows: [{ k: "a", v: "b" }] };
const TABLE = { kind: "table", columns: ["a", "b"], rows: [["1", "2"]] };
const LIST = { kind: "list", items: [{ text: "a" }] };
const STAT = { kind: "stat", items: times(2, () => ({ label: "a", value: "1" })) };
const COMPARE = { kind: "compare", columns: ["a", "b"], rows: [{ k: "c", a: "", b: "" }] };
const TABS = { kind: "tabs", tabs: [{ label: "a", card: { v: 1, ...KV } }] };
const CHOICE = { kind: "choice", options: [{ label: "a" }, { label: "b" }] };
const FORM = { kind: "form", fields: [{ label: "a" }] };
const EVERY = [KV, TABLE, LIST, STAT, COMPARE, TABS, CHOICE, FORM];

/** A bound as text is: the last card that is one, and the first that is none. */
const upTo = (name: string, chars: number, make: (text: string) => Raw) =>
  [name, make(x(chars)), make(x(chars + 1))] as const;
const atMost = (name: string, count: number, make: (count: number) => Raw) =>
  [name, make(count), make(count + 1)] as const;
const atLeast = (name: string, count: number, make: (count: number) => Raw) =>
  [name, make(count), make(count - 1)] as const;

const link = { text: "a", href: "/notes" };
const options = (count: number) => times(count, () => ({ label: "a" }));
const select = (count: number) => ({ label: "a", type: "select", options: times(count, () => "a") });

const BOUNDS = [
  upTo("title", 60, (title) => ({ ...KV, title })),
  atMost("links", 5, (count) => ({ ...KV, links: times(count, () => link) })),
  upTo("text of a link", 200, (text) => ({ ...KV, links: [{ ...link, text }] })),
  upTo("label of an action", 200, (label) => ({ ...KV, action: { label, ask: "a" } })),
  upTo("question of an action", 500, (ask) => ({ ...KV, action: { label: "a", ask } })),
  atMost("rows of kv", 20, (count) => ({ ...KV, rows: times(count, () => ({ k: "a", v: "b" })) })),
  atLeast("rows of kv, least", 1, (count) => ({ ...KV, rows: times(count, () => ({ k: "a", v: "b" })) })),
  upTo("name of kv", 200, (k) => ({ ...KV, rows: [{ k, v: "b" }] })),
  upTo("value of kv", 200, (v) => ({ ...KV, rows: [{ k: "a", v }] })),
  atMost("columns of a table", 6, (count) => ({
    ...TABLE,
    columns: times(count, () => "a"),
    rows: [times(count, () => "b")],
  })),
  atLeast("columns of a table, least", 1, (count) => ({
    ...TABLE,
    columns: times(count, () => "a"),
    rows: [times(count, () => "b")],
  })),
  atMost("cells of a row", 2, (count) => ({ ...TABLE, rows: [times(count, () => "")] })),
  atLeast("cells of a row, least", 2, (count) => ({ ...TABLE, rows: [times(count, () => "")] })),
  atMost("rows of a table", 20, (count) => ({ ...TABLE, rows: times(count, () => ["1", "2"]) })),
  atLeast("rows of a table, least", 1, (count) => ({ ...TABLE, rows: times(count, () => ["1", "2"]) })),
  upTo("name of a column", 200, (name) => ({ ...TABLE, columns: [name, "b"] })),
  upTo("cell", 200, (cell) => ({ ...TABLE, rows: [[cell, ""]] })),
  atMost("items of a list", 20, (count) => ({ ...LIST, items: times(count, () => ({ text: "a" })) })),
  atLeast("items of a list, least", 1, (count) => ({ ...LIST, items: times(count, () => ({ text: "a" })) })),
  upTo("item of a list", 200, (text) => ({ ...LIST, items: [{ text }] })),
  upTo("note of a list", 200, (note) => ({ ...LIST, items: [{ text: "a", note }] })),
  atMost("numbers", 4, (count) => ({ ...STAT, items: times(count, () => ({ label: "a", value: 1 })) })),
  atLeast("numbers, least", 2, (count) => ({ ...STAT, items: times(count, () => ({ label: "a", value: 1 })) })),
  ...(["label", "value", "unit", "note"] as const).map((key) =>
    upTo(`${key} of a number`, 200, (text) => ({
      ...STAT,
      items: [
        { label: "a", value: "1" },
        { label: "a", value: "1", [key]: text },
      ],
    })),
  ),
  atMost("columns of compare", 2, (count) => ({ ...COMPARE, columns: times(count, () => "a") })),
  atLeast("columns of compare, least", 2, (count) => ({ ...COMPARE, columns: times(count, () => "a") })),
  atMost("rows of compare", 20, (count) => ({ ...COMPARE, rows: times(count, () => ({ k: "a", a: "", b: "" })) })),
  atLeast("rows of compare, least", 1, (count) => ({
    ...COMPARE,
    rows: times(count, () => ({ k: "a", a: "", b: "" })),
  })),
  ...(["k", "a", "b"] as const).map((key) =>
    upTo(`${key} of compare`, 200, (text) => ({ ...COMPARE, rows: [{ k: "a", a: "", b: "", [key]: text }] })),
  ),
  atMost("tabs", 5, (count) => ({ ...TABS, tabs: times(count, () => TABS.tabs[0]) })),
  atLeast("tabs, least", 1, (count) => ({ ...TABS, tabs: times(count, () => TABS.tabs[0]) })),
  upTo("label of a tab", 200, (label) => ({ ...TABS, tabs: [{ ...TABS.tabs[0], label }] })),
  upTo("title in a tab", 60, (title) => ({ ...TABS, tabs: [{ label: "a", card: { v: 1, ...KV, title } }] })),
  upTo("prompt of a choice", 200, (prompt) => ({ ...CHOICE, prompt })),
  atMost("options", 8, (count) => ({ ...CHOICE, options: options(count) })),
  atLeast("options, least", 2, (count) => ({ ...CHOICE, options: options(count) })),
  upTo("option", 60, (label) => ({ ...CHOICE, options: [{ label }, { label: "b" }] })),
  upTo("note of an option", 200, (note) => ({ ...CHOICE, options: [{ label: "a", note }, { label: "b" }] })),
  upTo("button of a choice", 20, (submit) => ({ ...CHOICE, submit })),
  upTo("prompt of a form", 200, (prompt) => ({ ...FORM, prompt })),
  atMost("fields", 5, (count) => ({ ...FORM, fields: times(count, () => ({ label: "a" })) })),
  atLeast("fields, least", 1, (count) => ({ ...FORM, fields: times(count, () => ({ label: "a" })) })),
  upTo("label of a field", 40, (label) => ({ ...FORM, fields: [{ label }] })),
  upTo("placeholder", 100, (placeholder) => ({ ...FORM, fields: [{ label: "a", placeholder }] })),
  atMost("options of a select", 8, (count) => ({ ...FORM, fields: [select(count)] })),
  atLeast("options of a select, least", 2, (count) => ({ ...FORM, fields: [select(count)] })),
  upTo("option of a select", 60, (option) => ({ ...FORM, fields: [{ ...select(2), options: ["a", option] }] })),
  upTo("button of a form", 20, (submit) => ({ ...FORM, submit })),
] as const;

describe("the bounds of a card", () => {
  it.each([...BOUNDS])("%s: the last within is a card, the first beyond is none", (_, within, beyond) => {
    expect(parse(within)).not.toBeNull();
    expect(parse(beyond)).toBeNull();
  });

  it("8 KiB of UTF-8 are a card, one byte more is none", () => {
    const source = JSON.stringify({ v: 1, ...KV, dropped: "é" });
    const padded = (bytes: number) => source + " ".repeat(bytes - new TextEncoder().encode(source).length);
    expect(parseCard(padded(8_192))).not.toBeNull();
    expect(parseCard(padded(8_193))).toBeNull();
    // Few characters, many bytes.
    expect(parse({ ...KV, dropped: "说".repeat(3_000) })).toBeNull();
  });
});

describe("what makes a block of code", () => {
  it.each([
    ["no JSON", "{v:1}"],
    ["no object", "[]"],
    ["null", "null"],
    ["no version", JSON.stringify(KV)],
    ["version 2", JSON.stringify({ ...KV, v: 2 })],
    ["version as text", JSON.stringify({ ...KV, v: "1" })],
    ["a kind that is none", JSON.stringify({ ...KV, v: 1, kind: "constructor" })],
  ])("%s", (_, source) => {
    expect(parseCard(source)).toBeNull();
  });

  it.each([
    ["folded without a title", { ...KV, collapsed: true }],
    ["a flag that is none", { ...KV, title: "a", collapsed: "yes" }],
    ["a title with nothing to see", { ...KV, title: "\u202E\u200B " }],
    ["a value that is a list", { ...KV, rows: [{ k: "a", v: ["b"] }] }],
    ["a value that is empty", { ...KV, rows: [{ k: "a", v: "" }] }],
    ["an infinite number", { ...KV, rows: [{ k: "a", v: "PLACE" }] }],
    ["an option with nothing to see", { ...CHOICE, options: [{ label: "a" }, { label: "\u202E" }] }],
    ["a field of a kind that is none", { ...FORM, fields: [{ label: "a", type: "password" }] }],
    ["a select without options", { ...FORM, fields: [{ label: "a", type: "select" }] }],
    ["links that are no list", { ...KV, links: "/notes" }],
    ["an action without a question", { ...KV, action: { label: "a" } }],
    ...[TABS, CHOICE, FORM].map((card) => [
      `${card.kind} in a tab`,
      { ...TABS, tabs: [{ label: "a", card: { v: 1, ...card } }] },
    ]),
  ] as [string, Raw][])("%s", (_, card) => {
    expect(parseCard(JSON.stringify({ v: 1, ...card }).replace('"PLACE"', "1e400"))).toBeNull();
  });
});

it("what is not known is left out, and numbers become text", () => {
  const source = '{"v":1,"kind":"kv","style":"x","__proto__":{"title":"p"},"rows":[{"k":1,"v":-2.5,"html":"<b>"}]}';
  expect(parseCard(source)).toEqual({
    kind: "kv",
    title: undefined,
    collapsed: false,
    links: [],
    rows: [{ k: "1", v: "-2.5" }],
    action: undefined,
  });
});

it("markup in a value stays the text it is", () => {
  expect(parse({ ...LIST, items: [{ text: "<b>bold</b>" }] })).toMatchObject({ items: [{ text: "<b>bold</b>" }] });
});

it("a link that must not be followed goes alone", () => {
  const bad = [
    "javascript:alert(1)",
    "JAVASCRIPT:alert(1)",
    " javascript:alert(1)",
    "data:text/html,x",
    "//host/x",
    "/\\host/x",
    "/\t/host/x",
    "/\n/host/x",
    "\\\\host/x",
    "/.//host/x",
    "/a/..//host/x",
    "//a.invalid/x",
    "mailto:a@example.org",
    "blob:https://example.org/x",
    "https:///",
    "https:/host",
    "https://user:pass@example.com/",
    "http://",
    "notes",
    "#top",
    "",
    `/${x(LIMITS.cardLinkChars)}`,
    null,
  ];
  const good: [string, string][] = [
    ["https://example.org/a?b#c", "https://example.org/a?b#c"],
    ["HTTP://EXAMPLE.org", "http://example.org/"],
    ["/notes/events", "/notes/events"],
    ["/notes/../about?x=1#y", "/about?x=1#y"],
    [`/${x(LIMITS.cardLinkChars - 1)}`, `/${x(LIMITS.cardLinkChars - 1)}`],
  ];
  for (const href of bad) {
    expect([href, parse({ ...KV, links: [{ text: "bad", href }, link] })?.links]).toEqual([href, [link]]);
  }
  for (const [href, followed] of good) {
    expect(parse({ ...KV, links: [{ text: "a", href }] })?.links).toEqual([{ text: "a", href: followed }]);
  }
});

it("an action is kept on the six that are read, and not even looked at on those that ask", () => {
  const action = { label: "more", ask: "Why?\nReally." };
  const kept = EVERY.map((card) => [card.kind, Object.hasOwn(parse({ ...card, action }) ?? {}, "action")]);
  expect(kept).toEqual(EVERY.map(({ kind }) => [kind, kind !== "choice" && kind !== "form"]));
  expect(parse({ ...KV, action })).toMatchObject({ action });
  expect(parse({ ...CHOICE, action: 7 })).not.toBeNull();
});

describe("the message of a card", () => {
  const asking = (card: Raw) => parse(card) as unknown as AskingCard;

  it("holds the prompt and the labels in the order of the card", () => {
    const card = asking({
      ...CHOICE,
      multiple: true,
      prompt: "Compare",
      options: ["a", "b", "c"].map((label) => ({ label })),
    });
    if (card.kind !== "choice") throw new Error("no choice");
    expect(choiceMessage(card, new Set([2, 0]))).toBe("Compare: a、c");
    expect(choiceMessage({ ...card, prompt: undefined }, new Set([1]))).toBe("b");
    expect(choiceMessage(card, new Set())).toBe("");
  });

  it("holds the fields that were filled, cleaned as they are shown", () => {
    const card = asking({ ...FORM, prompt: "Plan", fields: ["a", "b", "c"].map((label) => ({ label })) });
    if (card.kind !== "form") throw new Error("no form");
    expect(formMessage(card, ["1", " \u202E ", "x\ny"])).toBe("Plan a: 1; c: x y");
    expect(formMessage({ ...card, prompt: undefined }, ["", "2", ""])).toBe("b: 2");
    expect(formMessage(card, ["", "", ""])).toBe("");
    expect(formMessage(card, [x(101), "", ""])).toBe(`Plan a: ${x(100)}`);
  });

  it("is what is shown: a label loses its direction override before either", () => {
    const card = asking({ ...CHOICE, prompt: "a\u202Eb", options: [{ label: "ev\u202Eil\u200B" }, { label: "b" }] });
    if (card.kind !== "choice") throw new Error("no choice");
    expect([card.prompt, card.options[0]!.label]).toEqual(["ab", "evil"]);
    expect(choiceMessage(card, new Set([0]))).toBe("ab: evil");
  });

  it("is at its longest 689 for a choice and 919 for a form, and a card that could send more is none", () => {
    const choice = { ...CHOICE, prompt: x(200), multiple: true, options: times(8, () => ({ label: x(60) })) };
    const form = { ...FORM, prompt: x(200), fields: times(5, () => ({ label: x(40) })) };
    const one = { ...choice, multiple: false };
    expect([choice, form, one].map((card) => longestMessageChars(asking(card)))).toEqual([689, 919, 262]);
    for (const [card, chars] of [[choice, 689] as const, [form, 919] as const]) {
      const source = JSON.stringify({ v: 1, ...card });
      expect(parseCard(source, chars)).not.toBeNull();
      expect(parseCard(source, chars - 1)).toBeNull();
    }
  });
});
