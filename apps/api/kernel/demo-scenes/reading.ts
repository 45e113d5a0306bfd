/**
 * How the demo reads what the notes tools returned: as text, the way a model would, by the marks that those tools put
 * at the start of a line (`[series/chapter] Title`). Whatever does not fit is treated as nothing found.
 */
import type { Asked, Play, ToolRequest, Words } from "./scene";
import { inLanguage, languageOf } from "./scene";

export interface Hit {
  series: string;
  chapter: string;
  title: string;
}
export interface Chapter extends Hit {
  body: string;
}

export function search(query: string): ToolRequest {
  return { name: "notes_search", input: { query } };
}
export function getChapter(hit: { series: string; chapter: string }): ToolRequest {
  return { name: "notes_get_chapter", input: { series: hit.series, chapter: hit.chapter } };
}

const SLUG = "[a-z0-9][a-z0-9-]{0,63}";

export function hitsOf(text: string): Hit[] {
  const marks = text.matchAll(new RegExp(`^\\[(${SLUG})/(${SLUG})\\] ([^\\n]+)$`, "gm"));
  return [...marks].map((mark) => ({ series: mark[1]!, chapter: mark[2]!, title: mark[3]!.split(" — ")[0]! }));
}

/** Chapter text as `notes_get_chapter` gives it: a mark, a line about the chapter, an empty line, the Markdown. */
function chapterOf(text: string): Chapter | undefined {
  const [mark] = hitsOf(text.split("\n", 1)[0]!);
  const start = text.indexOf("\n\n");
  return mark && start !== -1 ? { ...mark, body: text.slice(start + 2).trim() } : undefined;
}

/**
 * Of the hits of several searches, the chapter that most of them found; chapters in the language of the question come
 * before all others, and the first found wins a tie.
 */
export function bestHit(asked: Asked, hits: readonly Hit[]): Hit | undefined {
  const mine = hits.filter((hit) => languageOf(hit.title) === asked.language);
  const candidates = mine.length > 0 ? mine : hits;
  const timesFound = (hit: Hit) =>
    candidates.filter(({ series, chapter }) => series === hit.series && chapter === hit.chapter).length;
  return candidates.toSorted((a, b) => timesFound(b) - timesFound(a))[0];
}

/** Searches the library, then reads the best hit. Undefined when a tool is missing, fails, or finds nothing. */
export function* findChapter(asked: Asked, queries: readonly string[], say: Words): Play<Chapter | undefined> {
  if (queries.length === 0 || !asked.tools.has("notes_search") || !asked.tools.has("notes_get_chapter"))
    return undefined;
  const found = yield { say: inLanguage(asked, say), calls: queries.map(search) };
  const hit = bestHit(
    asked,
    found.flatMap((answer) => (answer.failed ? [] : hitsOf(answer.text))),
  );
  if (!hit) return undefined;
  return yield* readChapter(asked, hit, {
    zh: `找到了《${hit.title}》。读一下原文。`,
    en: `It is in “${hit.title}”. Reading it.`,
  });
}

export function* readChapter(
  asked: Asked,
  at: { series: string; chapter: string },
  say: Words,
): Play<Chapter | undefined> {
  const [answer] = yield { say: inLanguage(asked, say), calls: [getChapter(at)] };
  return answer && !answer.failed ? chapterOf(answer.text) : undefined;
}

/** The chapter as a link that stays on this site. */
export function linkTo(asked: Asked, chapter: Hit): string {
  const title = chapter.title.replace(/[[\]\\]/g, "\\$&");
  const shown = asked.language === "zh" ? `《${title}》` : `“${title}”`;
  return `[${shown}](/notes/${chapter.series}/${chapter.chapter})`;
}

/** Each line as a Markdown quotation. */
export function quote(markdown: string): string {
  return markdown.replace(/^/gm, "> ").replace(/^> $/gm, ">");
}

/** Blocks of Markdown outside fenced code, parted by blank lines. */
function blocksOf(body: string): string[] {
  return body
    .replace(/^```[^\n]*\n[\s\S]*?^```$/gm, "")
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== "");
}
export function headingsOf(body: string): string[] {
  return blocksOf(body).flatMap((block) => (block.startsWith("## ") ? [block.slice(3)] : []));
}
/** The first paragraph: not a heading, a list, a table or a quotation. */
export function openingOf(body: string): string | undefined {
  return blocksOf(body).find((block) => !/^(#|[-*>|]|\d+\. )/.test(block));
}
/** Items of the first numbered list, without their numbers. */
export function stepsOf(body: string): string[] {
  const list = blocksOf(body).find((block) => /^1\. /.test(block));
  return list ? list.split("\n").flatMap((line) => (/^\d+\. /.test(line) ? [line.replace(/^\d+\. /, "")] : [])) : [];
}
export function numbered(steps: readonly string[]): string {
  return steps.map((step, index) => `${index + 1}. ${step}`).join("\n");
}
