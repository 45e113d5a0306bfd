/**
 * A fenced code block of a reply as the parser found it, with what a card or a frame needs to know: which one it is and
 * whether all of it is there. An indented code block has no fence and is none.
 */
import type { Element } from "hast";
import type { ReactNode } from "react";

export interface Fence {
  /** First word of the line behind the opening mark, as written; "" when there is none. */
  language: string;
  /** The rest of that line. */
  meta: string;
  /** What stands between the marks, without its last line break. */
  source: string;
  /** Its closing mark has arrived. */
  closed: boolean;
  /** Where its opening mark stands in the whole text, in UTF-16 units; the same while the text grows. */
  offset: number;
}

/** Draws a fence, or leaves it to the ordinary code block by undefined. Keep it the same between renders. */
export type FenceRenderer = (fence: Fence) => ReactNode | undefined;

const MARK = /^(?:`{3,}|~{3,})/;

/** The fence that a `pre` was made of. `text` is what was parsed, `start` where that begins in the whole text. */
export function fenceOf(pre: Element, text: string, start: number): Fence | undefined {
  const code = pre.children.find((child) => child.type === "element");
  const from = pre.position?.start.offset;
  if (code === undefined || from === undefined) return undefined;
  const written = text.slice(from, pre.position?.end.offset);
  const mark = MARK.exec(written)?.[0];
  if (mark === undefined) return undefined;
  const source = code.children
    .map((child) => ("value" in child ? child.value : ""))
    .join("")
    .replace(/\n$/, "");
  return {
    language: languageOf(code),
    meta: (code.data as { meta?: string | null } | undefined)?.meta ?? "",
    source,
    closed: isClosed(written.split(/\r\n|\n|\r/), mark, source),
    offset: start + from,
  };
}

function languageOf({ properties }: Element): string {
  const [first] = Array.isArray(properties.className) ? properties.className : [];
  return String(first ?? "").replace(/^language-/, "");
}

/** A last line that looks like the mark but is part of the source, being indented, is none. */
function isClosed(lines: readonly string[], mark: string, source: string): boolean {
  const last = /((?<!`)`{3,}|(?<!~)~{3,})[ \t]*$/.exec(lines.length > 1 ? lines.at(-1)! : "")?.[1];
  if (last === undefined || last[0] !== mark[0] || last.length < mark.length) return false;
  return source === "" || lines.length === source.split("\n").length + 2;
}
