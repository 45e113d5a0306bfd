/**
 * Closes what the last block of a growing answer has opened and not closed yet, for display only: emphasis, code and
 * links look like themselves from their first letter on, and their bare marks never flash. Pure; a block without an
 * open mark comes back as it is.
 */

/** Where inline marks cannot reach across: a blank line, the start of an item or heading, the edge of a table cell. */
const BOUNDARY = /\n[ \t]*\n|(?:^|\n)[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6}|>)[ \t]+|\|/g;
/** A fence, also one in a quote or a list. */
const FENCE = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*(?:`{3,}|~{3,})/m;
/** Marks that may be open at once; whoever opens more writes no emphasis, and each would be an element in another. */
const MOST_OPEN = 32;
const RUN = /\\[\s\S]|`+|\*+|_+|~~|\[|\]\(|\]/g;

export function closeOpenMarks(block: string): string {
  if (FENCE.test(block)) return block;
  const from = [...block.matchAll(BOUNDARY)].reduce((_, match) => match.index + match[0].length, 0);
  return block.slice(0, from) + closeInline(block.slice(from));
}

function closeInline(text: string): string {
  /** Open marks from the outside in; `[` with the place where it stands. */
  const open: { mark: string; at: number }[] = [];
  RUN.lastIndex = 0;
  for (let found = RUN.exec(text); found !== null; found = RUN.exec(text)) {
    const mark = found[0];
    const at = found.index;
    const end = at + mark.length;
    if (mark.startsWith("\\")) continue;
    if (mark.startsWith("`")) {
      const close = closingTicks(text, end, mark.length);
      if (close === null)
        return end === text.length ? hide(text, at, open) : closeAll(trimTicks(text, end) + mark, open);
      RUN.lastIndex = close;
      continue;
    }
    if (mark === "[") {
      open.push({ mark, at });
    } else if (mark.startsWith("]")) {
      const bracket = open.findLastIndex((one) => one.mark === "[");
      if (bracket === -1) continue;
      const target = mark === "](" ? text.indexOf(")", end) : end;
      // The address is still being written: the words of the link stand as text until it is there.
      if (target === -1) return withoutBracket(text.slice(0, at), open);
      open.splice(bracket);
      RUN.lastIndex = Math.max(target, end);
    } else {
      const before = text[at - 1] ?? " ";
      const after = text[end];
      const top = open.at(-1);
      if (top?.mark === mark && !/\s/.test(before)) open.pop();
      else if (after === undefined) return hide(text, at, open);
      else if (!/\s/.test(after) && !(mark[0] === "_" && /\w/.test(before))) open.push({ mark, at });
    }
  }
  return open.length === 0 ? text : closeAll(text, open);
}

/** Index after the run of exactly `length` backticks that closes, or null. */
function closingTicks(text: string, from: number, length: number): number | null {
  for (const run of text.slice(from).matchAll(/`+/g)) {
    if (run[0].length === length) return from + run.index + length;
  }
  return null;
}

/** A closing run that is only half there belongs to no one yet. */
const trimTicks = (text: string, from: number): string => text.slice(0, from) + text.slice(from).replace(/`+$/, "");

/** A mark at the very end says nothing yet: it opens, or half closes, what the next letters will show. */
const hide = (text: string, at: number, open: readonly { mark: string; at: number }[]): string =>
  closeAll(text.slice(0, at), open);

function closeAll(text: string, open: readonly { mark: string; at: number }[]): string {
  if (open.some(({ mark }) => mark === "[")) return withoutBracket(text, open);
  const closers = open.map(({ mark }) => mark).reverse();
  return closers.length === 0 || closers.length > MOST_OPEN ? text : text.trimEnd() + closers.join("");
}

/** Takes every open bracket out, with the mark of an image before it, and closes the rest. */
function withoutBracket(text: string, open: readonly { mark: string; at: number }[]): string {
  let kept = "";
  let from = 0;
  for (const { mark, at } of open) {
    if (mark !== "[") continue;
    kept += text.slice(from, text[at - 1] === "!" ? at - 1 : at);
    from = at + 1;
  }
  return closeInline(kept + text.slice(from));
}
