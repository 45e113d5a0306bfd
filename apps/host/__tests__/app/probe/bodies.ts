import { api } from "encore.dev/api";
import { seen } from "./state";

/** Counts a body; 413 with the bytes seen when the stream breaks. */
export const count = api.raw(
  { expose: true, method: "POST", path: "/body/count", bodyLimit: 64 * 1024 },
  async (request, response) => {
    let bytes = 0;
    try {
      for await (const chunk of request) bytes += (chunk as Buffer).length;
    } catch (error) {
      seen("body broke", (error as Error).message);
      response.writeHead(413);
      response.end("too much");
      return;
    }
    response.end(String(bytes));
  },
);
export const unlimited = api.raw(
  { expose: true, method: "POST", path: "/body/unlimited", bodyLimit: null },
  async (request, response) => {
    let bytes = 0;
    for await (const chunk of request) bytes += (chunk as Buffer).length;
    response.end(String(bytes));
  },
);
/** Stops reading after the first chunk, well within the endpoint's limit, and answers. */
export const picky = api.raw({ expose: true, method: "POST", path: "/body/picky" }, async (request, response) => {
  for await (const _chunk of request) break;
  response.writeHead(413);
  response.end("read enough");
});
export const unread = api.raw({ expose: true, method: "POST", path: "/body/unread" }, (_request, response) => {
  response.end("not read");
});
/** Reads one chunk, reports it, and reads no more: bytes must wait with the sender. */
export const stalled = api.raw(
  { expose: true, method: "POST", path: "/body/stalled", bodyLimit: null },
  (request, _response) => {
    request.once("readable", () => seen("first chunk", String((request.read() as Buffer | null)?.length)));
    request.on("error", () => seen("stalled body broke", ""));
  },
);
/** Listens to data without an error listener. */
export const careless = api.raw({ expose: true, method: "POST", path: "/body/careless" }, (request, _response) => {
  request.on("data", () => {});
});
