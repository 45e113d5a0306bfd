import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { currentRequest } from "encore.dev";
import { api } from "encore.dev/api";

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function describe(request: IncomingMessage): unknown {
  const current = currentRequest();
  if (current?.type !== "api-call") throw new Error("no current request");
  const { api: endpoint, path, pathAndQuery, pathParams, middlewareData, trace } = current;
  const { method, url, headers, headersDistinct } = request;
  return { endpoint, path, pathAndQuery, pathParams, middlewareData, trace, method, url, headers, headersDistinct };
}

export const echo = api.raw({ expose: true, method: "*", path: "/echo" }, (request, response) => {
  json(response, describe(request));
});
export const item = api.raw({ expose: true, method: ["GET", "HEAD"], path: "/item/:id" }, (request, response) => {
  json(response, describe(request));
});
export const literal = api.raw({ expose: true, method: "POST", path: "/item/fixed" }, (_request, response) => {
  json(response, "fixed");
});
export const files = api.raw({ expose: true, method: "GET", path: "/files/*rest" }, (request, response) => {
  json(response, describe(request));
});
export const stamped = api.raw(
  { expose: true, method: "GET", path: "/stamped", tags: ["stamped"] },
  async (request, response) => {
    json(response, describe(request));
  },
);
export const hidden = api.raw({ method: "GET", path: "/hidden" }, (_request, response) => json(response, "hidden"));

/** Answers late with the parameter that the async context holds by then. */
export const late = api.raw({ expose: true, method: "GET", path: "/late/:id" }, async (_request, response) => {
  await sleep(Math.random() * 20);
  const current = currentRequest();
  json(response, current?.type === "api-call" ? current.pathParams.id : null);
});
