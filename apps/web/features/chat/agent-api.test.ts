/** What the page makes of the API's refusals. */
import { afterAll, afterEach, expect, it, spyOn } from "bun:test";
import { ask } from "./agent-api";

const fetched = spyOn(globalThis, "fetch");
afterEach(() => {
  fetched.mockReset();
});
// The files after this one share the process.
afterAll(() => fetched.mockRestore());

async function answerTo(status: number, body: unknown, headers: Record<string, string> = {}) {
  fetched.mockResolvedValueOnce(new Response(JSON.stringify(body), { status, headers }));
  return ask(null, "Hello", new AbortController().signal);
}
const limited = { error: "Too many requests from your network. Try again later.", code: "rate_limited" };

it.each([
  ["60", 1],
  ["1800", 30],
  ["61", 2],
  ["0", 1],
  ["-60", 1],
  ["Wed, 21 Oct 2026 07:28:00 GMT", 1],
])("too many messages, retry after %p: come back in %p minutes", async (retryAfter, minutes) => {
  expect(await answerTo(429, limited, { "retry-after": retryAfter })).toEqual({
    ok: false,
    code: "rate_limited",
    minutes,
  });
});

it("too many messages without a time means a minute, and no other refusal has one", async () => {
  expect(await answerTo(429, limited)).toEqual({ ok: false, code: "rate_limited", minutes: 1 });
  const busy = { error: "All seats are taken right now.", code: "slots_full" };
  expect(await answerTo(429, busy, { "retry-after": "60" })).toEqual({ ok: false, code: "slots_full" });
});

it.each([502, 504])("a %p is a site that does not answer", async (status) => {
  expect(await answerTo(status, limited)).toEqual({ ok: false, code: "unreachable" });
});
