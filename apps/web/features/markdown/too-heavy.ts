/**
 * Whether a block of Markdown would hold up or break the page that draws it. Parsing takes quadratic time in the marks
 * that might pair up and recursion in what is nested, and a model can write any number of both; such a block is shown
 * as the text it is. The bounds lie far above what people write, and keep the worst block under a second.
 */
const MOST_PAIRING_MARKS = 1_000;
const MOST_CELLS = 4_000;
const MOST_LINES = 1_500;
const MOST_CHARS = 60_000;
/** Quotes and list items that open on one line, or a list item indented as deep as that. */
const TOO_DEEP = /^(?:(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){33}|[ \t]{65,}(?:[-*+]|\d{1,9}[.)])[ \t])/m;
/** From an opening fence to its end or the end of the text: nothing in there is read as a mark. */
const FENCED = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^`\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm;
/** The line below the head of a table. It gives every row its number of cells, also one that writes none. */
const TABLE_RULE = /^[ \t>:|-]+$/gm;

export function isTooHeavy(block: string): boolean {
  return isHeavy(block.replace(FENCED, ""));
}

/** The same of a whole page, where no mark pairs up across a blank line. */
export function isPageTooHeavy(text: string): boolean {
  return text
    .replace(FENCED, "")
    .split(/\n[ \t]*\n/)
    .some(isHeavy);
}

function isHeavy(read: string): boolean {
  return (
    read.length > MOST_CHARS ||
    TOO_DEEP.test(read) ||
    countOf(read, /[*_~[]/g) > MOST_PAIRING_MARKS ||
    countOf(read, /\]/g) > MOST_PAIRING_MARKS ||
    cellsOf(read) > MOST_CELLS ||
    countOf(read, /\n/g) > MOST_LINES
  );
}

/** At least as many as a parser would make. */
function cellsOf(read: string): number {
  const columns = Math.max(0, ...(read.match(TABLE_RULE) ?? []).map((rule) => countOf(rule, /\|/g) + 1));
  return Math.max(countOf(read, /\|/g), columns * countOf(read, /\n/g));
}

function countOf(text: string, mark: RegExp): number {
  return text.match(mark)?.length ?? 0;
}
