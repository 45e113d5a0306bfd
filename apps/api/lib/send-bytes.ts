/**
 * A file as an answer: whole bytes with a strong ETag, so that a client which has them already is told so in a few
 * bytes (RFC 9110 §13). GET and HEAD say the same headers. What is not marked public may be kept by the visitor's own
 * browser only, and only to be asked about again.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

export interface BytesAnswer {
  /** Media type, with its charset where it is text. */
  type: string;
  bytes: Uint8Array;
  /** Identifies these bytes, without quotes; the SHA-256 of the bytes when absent. */
  etag?: string;
  /** Seconds for which anyone may keep the answer. Absent: private, and asked about again each time. */
  cacheSeconds?: number;
  /** Letters, digits, `.`, `_` and `-`. Given: the browser saves the file under this name instead of showing it. */
  filename?: string;
}

export function sendBytes(request: IncomingMessage, response: ServerResponse, answer: BytesAnswer): void {
  const etag = `"${answer.etag ?? createHash("sha256").update(answer.bytes).digest("hex")}"`;
  const { cacheSeconds } = answer;
  const validators = {
    etag,
    "cache-control": cacheSeconds === undefined ? "private, no-cache" : `public, max-age=${cacheSeconds}`,
  };
  if (isKnown(etag, request.headers["if-none-match"])) {
    response.writeHead(304, validators);
    response.end();
    return;
  }
  response.writeHead(200, {
    ...validators,
    "content-type": answer.type,
    "content-length": String(answer.bytes.length),
    "x-content-type-options": "nosniff",
    ...(answer.filename === undefined ? {} : { "content-disposition": attachment(answer.filename) }),
  });
  if (request.method === "HEAD") response.end();
  else response.end(answer.bytes);
}

/** The weak comparison that the header asks for: `W/` does not matter, `*` is any file. */
function isKnown(etag: string, header: string | string[] | undefined): boolean {
  // Encore gives a header that was sent twice as a list, whatever its type says.
  const known = [header ?? []].flat().join(",").trim();
  return known === "*" || known.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}

/** Throws for a name that would need quoting: the names of our files never do. */
function attachment(filename: string): string {
  if (!/^[A-Za-z0-9._-]+$/.test(filename)) throw new Error("A file name that no header can carry as it is.");
  return `attachment; filename="${filename}"`;
}
