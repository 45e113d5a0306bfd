/** The connection loop against a scripted server: what it asks for, what it reports, when it gives up. */
import { expect, it } from "bun:test";
import { encodeSse, HEARTBEAT } from "../../../../shared/sse";
import { followTrace, RETRY_MS } from "./follow-trace";
import type { TraceConnection } from "./trace-model";

const ready = (lastSeq: number) => encodeSse({ event: "ready", data: { lastSeq } });
const row = (seq: number) => encodeSse({ event: "trace", data: { seq } });
const bye = (reason: string) => encodeSse({ event: "bye", data: { lastSeq: 0, reason } });
const answer = (text: string, status = 200) => new Response(text, { status });

/** Plays the answers in order; the session ends when they are used up. */
async function follow(answers: Array<Response | Error>) {
  const stop = new AbortController();
  const states: TraceConnection[] = [];
  const waits: number[] = [];
  const asked: string[] = [];
  let lastSeq = -1;
  await followTrace(
    {
      sessionId: "s",
      clientId: "tab",
      lastSeq: () => lastSeq,
      onRow: (value) => {
        const seq = (value as { seq?: number } | null)?.seq;
        if (seq !== undefined) lastSeq = seq;
      },
      onConnection: (state) => states.push(state),
      fetch: async (url) => {
        asked.push(new URL(url, "http://x").searchParams.get("afterSeq")!);
        const next = answers.shift();
        if (next === undefined) stop.abort();
        if (next === undefined || next instanceof Error) throw next ?? new Error("used up");
        return next;
      },
      wait: async (ms) => {
        waits.push(ms);
      },
    },
    stop.signal,
  );
  return { states, waits, asked, lastSeq };
}

it("replaces a connection that the server closed on time without reporting a loss, and resumes after the last row", async () => {
  const seen = await follow([
    answer(row(0) + row(1) + ready(1) + HEARTBEAT + row(2) + bye("max-duration")),
    answer(ready(2) + bye("slow-reader")),
  ]);
  expect(seen.states).toEqual(["connecting", "live", "live"]);
  expect(seen.asked).toEqual(["-1", "2", "2"]);
});

it("reports a cut, a shutdown, a refused seat and a dead network as a loss, waiting longer each time", async () => {
  const seen = await follow([
    answer(ready(-1) + row(0)),
    answer("", 429),
    answer("", 502),
    new Error("network"),
    answer(bye("shutdown")),
    answer("", 429),
    answer(ready(0) + HEARTBEAT + bye("shutdown")),
  ]);
  expect(seen.states).toEqual([
    "connecting",
    "live",
    "reconnecting",
    "reconnecting",
    "reconnecting",
    "reconnecting",
    "reconnecting",
    "reconnecting",
    "live",
    "reconnecting",
  ]);
  expect(seen.waits).toEqual([
    RETRY_MS[0],
    RETRY_MS[1],
    RETRY_MS[2],
    RETRY_MS[3],
    RETRY_MS[4],
    RETRY_MS[4],
    RETRY_MS[0],
  ]);
  expect(seen.asked).toEqual(["-1", "0", "0", "0", "0", "0", "0", "0"]);
});

it("waits no longer from one cut to the next while each connection brings rows", async () => {
  const seen = await follow([answer(row(0)), answer(row(1)), answer(row(2) + ready(2) + bye("max-duration"))]);
  expect(seen.waits).toEqual([RETRY_MS[0], RETRY_MS[0], RETRY_MS[0]]);
  expect(seen.asked).toEqual(["-1", "0", "1", "2"]);
});

it("waits longer each time for a server that lets it in and cuts it off at once", async () => {
  const seen = await follow(Array.from({ length: 3 }, () => answer(HEARTBEAT + ready(-1))));
  expect(seen.waits).toEqual([RETRY_MS[0], RETRY_MS[1], RETRY_MS[2]]);
});

it("does not come back after another connection took over, nor to a session that is not there", async () => {
  expect((await follow([answer(ready(-1) + bye("superseded")), answer(ready(-1))])).states).toEqual([
    "connecting",
    "live",
    "superseded",
  ]);
  expect((await follow([answer("{}", 404), answer(ready(-1))])).states).toEqual(["connecting", "failed"]);
});

it("survives frames that are not JSON and events it does not know", async () => {
  const noise = "event: trace\ndata: {oops\n\nevent: news\ndata: {}\n\n";
  const seen = await follow([answer(noise + row(4) + ready(4) + bye("max-duration"))]);
  expect([seen.states, seen.lastSeq]).toEqual([["connecting", "live"], 4]);
});

it("stops at once, and says nothing more, when told to", async () => {
  const stop = new AbortController();
  const states: TraceConnection[] = [];
  const following = followTrace(
    {
      sessionId: "s",
      clientId: "tab",
      lastSeq: () => -1,
      onRow: () => {},
      onConnection: (state) => states.push(state),
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => init.signal!.addEventListener("abort", () => reject(new Error("aborted")))),
      wait: async () => {},
    },
    stop.signal,
  );
  stop.abort();
  await following;
  expect(states).toEqual(["connecting"]);
});
