/**
 * Bad input over real HTTP: a clear 4xx from the closed table, and nothing changed in any table. One site for all, so
 * that the last check also sees what any of them left behind.
 */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { randomUUID } from "node:crypto";
import { ERRORS, type ErrorCode } from "../../../shared/errors";
import { LIMITS } from "../../../shared/limits";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";
import type { Visitor } from "../../../tests/support/visitor.mts";

let site: Site;
let visitor: Visitor;
let sessionId: string;
let before: string[];
beforeAll(async () => {
  site = await startSite();
  visitor = site.visitor();
  sessionId = (await (await visitor.ask("Hello")).rest())[0]!.data.sessionId;
  before = await settledDump(1);
}, START_MS);
afterAll(() => site.stop());

/** The dump once the last event of each turn so far is stored: it follows the closing frame, on a short timer. */
async function settledDump(turns: number): Promise<string[]> {
  for (;;) {
    const dump = await site.dump();
    if (dump.filter((line) => line.includes('"event_type": "agent_settled"')).length === turns) return dump;
    await Bun.sleep(50);
  }
}

async function refused(code: ErrorCode, path: string, init: RequestInit) {
  const { status, body, headers } = await visitor.json(path, init);
  expect({ status, body }).toEqual({
    status: ERRORS[code].status as number,
    body: { error: ERRORS[code].sentence, code },
  });
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(await site.dump()).toEqual(before);
}

const JSON_TYPE = { "content-type": "application/json" };
const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = JSON_TYPE): RequestInit => ({
  method: "POST",
  headers,
  body,
});
const prompt = (value: unknown, more: Record<string, unknown> = {}) => post(JSON.stringify({ prompt: value, ...more }));

describe("POST /agent/ask refuses", () => {
  it.each<[string, RequestInit]>([
    ["no body", { method: "POST", headers: JSON_TYPE }],
    ["broken JSON", post('{"prompt": "hi"')],
    ["JSON that is no object", post('"hi"')],
    ["null", post("null")],
    ["a list", post('[{"prompt":"hi"}]')],
    ["bytes that are not UTF-8", post(new Uint8Array([0x22, 0xff, 0xfe, 0x22]))],
    ["a prompt that is missing", post("{}")],
    ["a prompt that is a number", prompt(1)],
    ["a prompt that is a list", prompt(["hi"])],
    ["a prompt that is null", prompt(null)],
    ["an empty prompt", prompt("")],
    ["a prompt of nothing but white space", prompt(" \n\t\u3000")],
    ["a prompt in which nothing can be seen", prompt("\u200b\u202e\u{e0041}")],
    ["4,001 characters", prompt("a".repeat(LIMITS.promptChars + 1))],
    ["2,001 characters outside the basic plane, which are 4,002 units", prompt("😀".repeat(2_001))],
    ["a lone high surrogate", post('{"prompt":"a\\ud800b"}')],
    ["a lone low surrogate", post('{"prompt":"a\\udc00b"}')],
    ["surrogates in the wrong order", post('{"prompt":"\\udc00\\ud800"}')],
    ["NUL", post('{"prompt":"a\\u0000b"}')],
    ["a session id that is no UUID", prompt("hi", { sessionId: "1" })],
    ["a session id that is a number", prompt("hi", { sessionId: 1 })],
    ["a session id that is null", prompt("hi", { sessionId: null })],
    ["a session id with something behind it", prompt("hi", { sessionId: `${randomUUID()}' OR TRUE --` })],
    ["another content type", post('{"prompt":"hi"}', { "content-type": "text/plain" })],
    ["a content type that only begins alike", post('{"prompt":"hi"}', { "content-type": "application/jsonp" })],
    ["a form", post("prompt=hi", { "content-type": "application/x-www-form-urlencoded" })],
    ["another site's page", post('{"prompt":"hi"}', { ...JSON_TYPE, "sec-fetch-site": "cross-site" })],
    ["another subdomain's page", post('{"prompt":"hi"}', { ...JSON_TYPE, "sec-fetch-site": "same-site" })],
    ["an address typed into a browser", post('{"prompt":"hi"}', { ...JSON_TYPE, "sec-fetch-site": "none" })],
  ])("%s", (_case, init) => refused("bad_request", "/agent/ask", init));

  it.each<[string, number]>([
    ["one byte over 64 KiB", LIMITS.askBodyBytes + 1],
    ["65 KiB", 65 * 1_024],
    ["a megabyte", 1_048_576],
    ["more than the host would take", 3 * 1_048_576],
  ])("%s", (_case, bytes) => refused("too_large", "/agent/ask", post(`{"prompt":"hi"${" ".repeat(bytes - 15)}}`)));

  it("a session that does not exist", () =>
    refused("not_found", "/agent/ask", prompt("hi", { sessionId: randomUUID() })));

  it("nothing that is only unusual: 4,000 characters, unknown fields, upper case, a charset, 64 KiB", async () => {
    const body = { prompt: "a".repeat(LIMITS.promptChars), sessionId: sessionId.toUpperCase(), unknown: { deep: [] } };
    const text = JSON.stringify(body);
    const init = post(text + " ".repeat(LIMITS.askBodyBytes - text.length), {
      "content-type": "Application/JSON; charset=utf-8",
      "sec-fetch-site": "same-origin",
    });
    const frames = await (await visitor.open("/agent/ask", init)).rest();
    expect(frames.at(-1)!.event).toBe("done");
    before = await settledDump(2);
  });
});

describe("the other writes refuse", () => {
  it.each<[string, string, RequestInit]>([
    ["a session without a body", "/agent/sessions", { method: "POST" }],
    ["a session with broken JSON", "/agent/sessions", post("{")],
    ["a session from another site", "/agent/sessions", post("{}", { ...JSON_TYPE, "sec-fetch-site": "cross-site" })],
    ["cancelling what is no id", "/agent/sessions/1/cancel", { method: "POST" }],
    ["deleting what is no id", "/agent/sessions/1", { method: "DELETE" }],
    [
      "a deletion from another site",
      `/agent/sessions/${randomUUID()}`,
      { method: "DELETE", headers: { "sec-fetch-site": "cross-site" } },
    ],
    [
      "a cancellation from another site",
      `/agent/sessions/${randomUUID()}/cancel`,
      { method: "POST", headers: { "sec-fetch-site": "cross-site" } },
    ],
  ])("%s", (_case, path, init) => refused("bad_request", path, init));

  it("a session body over 1 KiB", () => refused("too_large", "/agent/sessions", post(`{${" ".repeat(1_024)}}`)));

  it.each<[string, string, RequestInit]>([
    ["deleting an unknown session", "", { method: "DELETE" }],
    ["cancelling in an unknown session", "/cancel", { method: "POST" }],
    ["reading an unknown session", "", {}],
    ["joining an unknown session", "/stream", {}],
  ])("%s", (_case, suffix, init) => refused("not_found", `/agent/sessions/${randomUUID()}${suffix}`, init));
});

describe("the reads refuse", () => {
  it.each([["0"], ["201"], ["-1"], ["1.5"], ["1e1"], ["0x10"], [""], ["ten"], ["%2B5"], ["1&limit=2"], ["9999999999"]])(
    "limit=%s",
    (limit) => refused("bad_request", `/agent/sessions?limit=${limit}`, {}),
  );

  it.each([["1"], ["1."], [".1"], ["1.1.1"], ["-1.0"], ["a.b"], ["1.1&after=1.2"], ["1.9999999999"]])(
    "after=%s",
    (after) => refused("bad_request", `/agent/sessions/${sessionId}/stream?after=${after}`, {}),
  );
});
