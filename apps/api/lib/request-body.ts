/**
 * Reads a JSON request body under a limit that is counted while reading: a declared length is a claim, not a bound.
 * Everything that is not well-formed UTF-8 JSON of the right content type is refused before a schema looks at it.
 */
import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal";

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** Refuses with `too_large` past `maxBytes`, and with `bad_request` for anything that is not JSON sent as JSON. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const type = request.headers["content-type"];
  if (typeof type !== "string" || !JSON_TYPE.test(type)) throw new Refusal("bad_request");
  const bytes = await readBytes(request, maxBytes);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal("bad_request");
  }
}

/** The whole body. Refuses with `too_large` past `maxBytes`, and with `bad_request` when it breaks off. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new Refusal("too_large");
      chunks.push(chunk);
    }
  } catch (error) {
    // Any other error is a body that broke off; nobody is left to read the answer.
    throw error instanceof Refusal ? error : new Refusal("bad_request");
  }
  return Buffer.concat(chunks);
}
