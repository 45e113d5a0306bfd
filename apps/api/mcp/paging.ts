/**
 * Lists in pages. A tool spreads `pageInput` into its input and `pageOutput` into its output, and lets `call.page` cut
 * its rows. A page ends after `limit` rows, or earlier when its JSON would grow past what a client's model can take.
 *
 * A cursor is the key of the last row, sealed for the tool and the principal it was given to: it is a place in a list and
 * no permission, and nobody else's opens.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { LIMITS } from "../../../shared/limits";
import { ToolRefusal } from "./tool-refusal";

export const pageInput = {
  limit: z
    .int()
    .min(1)
    .max(LIMITS.mcpPageRows)
    .optional()
    .describe(`Rows at most; ${LIMITS.mcpPageDefault} if absent.`),
  cursor: z.string().max(512).optional().describe("`nextCursor` of the page before."),
};
export const pageOutput = {
  total: z.int().describe("Rows in the whole list."),
  nextCursor: z.string().optional().describe("Absent on the last page."),
};

export interface PageArgs {
  limit?: number | undefined;
  cursor?: string | undefined;
}
export interface PageOf<Row> {
  rows: Row[];
  total: number;
  nextCursor?: string;
}

export interface Page {
  /** One page of a list that is at hand as a whole, in an order that stays. `keyOf` names a row within it. */
  <Row>(rows: readonly Row[], keyOf: (row: Row) => string): PageOf<Row>;
  /** For a list that its store pages: how many rows, and the key after which they begin. */
  limit: number;
  after: string | undefined;
  /** As many of the first rows as an answer has room for, and one at least. */
  within<Row>(rows: readonly Row[]): Row[];
  /** The cursor that continues after a row. */
  cursorAfter(key: string): string;
}

/** `secret` is the server's own; `owner` is whom and what the cursors belong to. */
export function pageOf(args: PageArgs, secret: string, owner: string): Page {
  const limit = args.limit ?? LIMITS.mcpPageDefault;
  const after = args.cursor === undefined ? undefined : openCursor(args.cursor, secret, owner);
  const cursorAfter = (key: string) => sealCursor(key, secret, owner);

  function page<Row>(rows: readonly Row[], keyOf: (row: Row) => string): PageOf<Row> {
    const from = after === undefined ? 0 : rows.findIndex((row) => keyOf(row) === after) + 1;
    if (after !== undefined && from === 0) throw staleCursor();
    const shown = withinBytes(rows.slice(from, from + limit));
    const isLast = from + shown.length >= rows.length;
    return { rows: shown, total: rows.length, ...(isLast ? {} : { nextCursor: cursorAfter(keyOf(shown.at(-1)!)) }) };
  }
  return Object.assign(page, { limit, after, cursorAfter, within: withinBytes });
}

/** At least one row, and as many more as fit. */
function withinBytes<Row>(rows: readonly Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(JSON.stringify(row) ?? "");
    return index > 0 && bytes > LIMITS.mcpPageBytes;
  });
  return end < 0 ? [...rows] : rows.slice(0, end);
}

/**
 * A long text in pieces, each of which is within a page's bytes as JSON too. `offset` and `nextOffset` count UTF-16 units;
 * no character is cut in two.
 */
export function pieceOf(text: string, offset = 0): { text: string; totalChars: number; nextOffset?: number } {
  let end = Math.min(offset + LIMITS.mcpTextChars, text.length);
  while (Buffer.byteLength(JSON.stringify(text.slice(offset, end))) > LIMITS.mcpPageBytes) {
    end -= Math.ceil((end - offset) / 8);
  }
  if (end >= text.length) return { text: text.slice(offset), totalChars: text.length };
  if (/[\uD800-\uDBFF]/.test(text[end - 1]!)) end -= 1;
  return { text: text.slice(offset, end), totalChars: text.length, nextOffset: end };
}

export const pieceInput = {
  offset: z.int().min(0).max(LIMITS.mcpBodyBytes).optional().describe("`nextOffset` of the piece before; 0 if absent."),
};
export const pieceOutput = {
  totalChars: z.int(),
  nextOffset: z.int().optional().describe("Absent when the text is whole."),
};

function sealCursor(key: string, secret: string, owner: string): string {
  return `${Buffer.from(key).toString("base64url")}.${markOf(key, secret, owner)}`;
}

function openCursor(cursor: string, secret: string, owner: string): string {
  const [body = "", mark = ""] = cursor.split(".");
  const key = Buffer.from(body, "base64url").toString();
  const [given, expected] = [Buffer.from(mark), Buffer.from(markOf(key, secret, owner))];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw staleCursor();
  return key;
}

function markOf(key: string, secret: string, owner: string): string {
  return createHmac("sha256", secret).update(`mcp cursor\0${owner}\0${key}`).digest("base64url").slice(0, 22);
}

function staleCursor(): ToolRefusal {
  return new ToolRefusal({
    cause: "This cursor does not continue this list.",
    field: "cursor",
    retry: "Call again without a cursor: the list begins anew.",
  });
}
