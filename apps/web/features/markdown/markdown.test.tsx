/**
 * What a model may make of the page (§4, §24): its Markdown, complete and at every moment of its arrival, judged by the
 * case file. No raw HTML, no address that runs, nothing that is fetched from elsewhere; the words always stay.
 */
import { describe, expect, it } from "bun:test";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { Markdown } from "./markdown";
import messages from "../../messages/en.json";
import cases from "../../../../tests/cases/markdown.json";

interface Build {
  prefix: string;
  unit: string;
  times: number;
  suffix?: string;
}
interface Expected {
  text?: string[];
  not_text?: string[];
  elements?: Record<string, number>;
  no_elements?: string[];
  links?: string[];
  no_href_matching?: string[];
  code?: string[];
}
interface Case {
  id: string;
  level: string;
  input: string | null;
  build?: Build;
  expect: Expected;
}

const MUST = (cases.cases as unknown as Case[]).filter(({ level }) => level === "must");
const STREAMS = cases.streams as unknown as { id: string; full: string | null; build?: Build }[];
/** Whatever runs, loads or takes input, and every attribute that handles an event. */
const FORBIDDEN =
  /<(script|iframe|img|style|svg|form|object|meta|base|link|embed|video|audio)\b|<input(?![^>]* disabled)|<[^>]* on[a-z]+=|<[^>]* (?:href|src)="\s*(?:javascript|vbscript|data|file|blob):/i;

const built = (text: string | null, build: Build | undefined) =>
  text ?? `${build!.prefix}${build!.unit.repeat(build!.times)}${build!.suffix ?? ""}`;

/** What is inside the reply: the product's own captions and buttons around code are left out. */
function rendered(text: string, end?: "caret"): string {
  const markup = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={messages} timeZone="UTC">
      <Markdown text={text} end={end} />
    </NextIntlClientProvider>,
  );
  return markup.replace(/^<div[^>]*>|<\/div>$/g, "").replace(/<figcaption>.*?<\/figcaption>/gs, "");
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
const decoded = (text: string) => text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name]!);
const collapsed = (text: string) => text.replace(/\s+/g, " ").trim();
const wordsOf = (markup: string) => collapsed(decoded(markup.replace(/<[^>]*>/g, " ")));
/** Words that may be split by tags of ours are compared without any blank. */
const dense = (text: string) => text.replace(/\s/g, "");
const hrefsOf = (markup: string) => [...markup.matchAll(/<a\b[^>]* href="([^"]*)"/g)].map(([, href]) => decoded(href!));
const countOf = (markup: string, tag: string) => markup.match(new RegExp(`<${tag}[\\s>/]`, "g"))?.length ?? 0;
const codesOf = (markup: string) =>
  [...markup.matchAll(/<code\b[^>]*>([\s\S]*?)<\/code>/g)].map(([, code]) => decoded(code!).replace(/\n$/, ""));

/** How many elements a selector of the case file finds: a tag, or a tag whose attribute begins with something. */
function found(markup: string, selector: string): number {
  const [, tag, attribute, start] = /^([a-z0-9]+)(?:\[([a-z]+)\^="?([^"\]]+)"?\])?$/.exec(selector) ?? [];
  if (tag === undefined) throw new Error(`unreadable selector ${selector}`);
  if (attribute === undefined) return countOf(markup, tag);
  return markup.match(new RegExp(`<${tag}\\b[^>]* ${attribute}="${start}`, "g"))?.length ?? 0;
}

describe("a reply", () => {
  it.each(MUST.map((one) => [one.id, one] as const))("%s", (_id, { input, build, expect: wanted }) => {
    const markup = rendered(built(input, build));
    const words = dense(wordsOf(markup));
    for (const text of wanted.text ?? []) expect(words).toContain(dense(text));
    for (const text of wanted.not_text ?? []) expect(words).not.toContain(dense(text));
    for (const [tag, count] of Object.entries(wanted.elements ?? {}))
      expect([tag, countOf(markup, tag)]).toEqual([tag, count]);
    for (const selector of wanted.no_elements ?? []) expect([selector, found(markup, selector)]).toEqual([selector, 0]);
    if (wanted.links) expect(hrefsOf(markup)).toEqual(wanted.links);
    for (const pattern of wanted.no_href_matching ?? []) {
      expect(hrefsOf(markup).filter((href) => new RegExp(pattern, "i").test(href))).toEqual([]);
    }
    for (const code of wanted.code ?? []) expect(codesOf(markup)).toContain(code);
    expect(markup).not.toMatch(FORBIDDEN);
  });

  it("is judged by rules that catch what they are for", () => {
    for (const bad of [
      "<script>1</script>",
      '<img src="https://third.example/p.png">',
      '<a href="javascript:alert(1)">x</a>',
      '<p onclick="x()">',
      '<input type="text">',
    ]) {
      expect(bad).toMatch(FORBIDDEN);
    }
    expect('<input type="checkbox" disabled="">').not.toMatch(FORBIDDEN);
    expect(found('<img src="https://x">', "img[src^=http]")).toBe(1);
    expect(MUST.length).toBeGreaterThan(50);
  });
});

describe("a reply that is still arriving", () => {
  it.each(STREAMS.map((one) => [one.id, one] as const))("%s is harmless at every moment", (_id, { full, build }) => {
    // Whole code points, as the kernel joins them; long replies in steps.
    const characters = [...built(full, build)];
    const step = characters.length > 1_000 ? Math.floor(characters.length / 40) : 1;
    for (let end = 0; end <= characters.length; end += step) {
      const markup = rendered(characters.slice(0, end).join(""), "caret");
      expect(markup).not.toMatch(FORBIDDEN);
      expect(wordsOf(markup)).not.toContain("\ufffd");
    }
  });
});
