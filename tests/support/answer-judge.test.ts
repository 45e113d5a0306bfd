/** The judge of answers finds what it is for. */
import { describe, expect, it } from "bun:test";
import { ERRORS } from "../../shared/errors";
import { answerFaults } from "./answer-judge.mts";
import { operationsOf, readDocument } from "./api-document.mts";

const document = readDocument();
const operation = (id: string) => operationsOf(document).find(({ operationId }) => operationId === id)!;
const faults = (id: string, status: number, headers: Record<string, string>, body: unknown) =>
  answerFaults(document, operation(id), {
    status,
    headers: new Headers(headers),
    text: typeof body === "string" ? body : JSON.stringify(body),
  });
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const SSE_TYPE = { "content-type": "text/event-stream" };
const INTERNAL = { error: ERRORS.internal.sentence, code: "internal" };
const NOT_FOUND = { error: ERRORS.not_found.sentence, code: "not_found" };

describe("an answer that the document announces", () => {
  it.each([
    ["a refusal", "getSession", 404, JSON_TYPE, NOT_FOUND],
    ["a value", "siteStatus", 200, JSON_TYPE, { demo: true, ready: true }],
    ["an empty answer", "deleteSession", 204, {}, ""],
    ["a stream", "traceStream", 200, SSE_TYPE, ': hb\n\nevent: ready\ndata: {"lastSeq":-1}\n\n'],
  ])("%s has no fault", (_case, id, status, headers, body) => {
    expect(faults(id, status, headers, body)).toEqual([]);
  });
});

describe("an answer that it does not", () => {
  it.each<[string, string, number, Record<string, string>, unknown]>([
    ["another status", "getSession", 418, JSON_TYPE, NOT_FOUND],
    ["a failure of the server, though announced", "getSession", 500, JSON_TYPE, INTERNAL],
    ["the code of another status", "getSession", 404, JSON_TYPE, { ...NOT_FOUND, code: "bad_request" }],
    ["another sentence", "getSession", 404, JSON_TYPE, { ...NOT_FOUND, error: "relation does not exist" }],
    ["a field more", "siteStatus", 200, JSON_TYPE, { demo: true, ready: true, key: "k" }],
    ["a field less", "siteStatus", 200, JSON_TYPE, { demo: true }],
    ["another content type", "siteStatus", 200, { "content-type": "text/html" }, { demo: true, ready: true }],
    ["a body where there is none", "deleteSession", 204, JSON_TYPE, {}],
    [
      "a cookie that nobody announced",
      "siteStatus",
      200,
      { ...JSON_TYPE, "set-cookie": "a=b" },
      { demo: true, ready: true },
    ],
    ["a time to come back that nobody announced", "getSession", 404, { ...JSON_TYPE, "retry-after": "60" }, NOT_FOUND],
    ["a frame of the other stream", "traceStream", 200, SSE_TYPE, 'event: delta\ndata: {"text":"a"}\n\n'],
    ["a frame without its id", "ask", 200, SSE_TYPE, 'event: delta\ndata: {"text":"a"}\n\n'],
    ["a frame with a field more", "traceStream", 200, SSE_TYPE, 'event: ready\ndata: {"lastSeq":1,"model":"m"}\n\n'],
  ])("%s is a fault", (_case, id, status, headers, body) => {
    expect(faults(id, status, headers, body)).not.toEqual([]);
  });
});
