import { expect, test } from "bun:test";
import type { AskFrame } from "../../../shared/sse";
import { FrameLog } from "./frame-log";

const TOTALS = { modelRoundTrips: 1, turnMs: 1, totalTokens: 1 };
const done = { sessionId: "s", outcome: "completed", ...TOTALS } as const;

async function collect(frames: AsyncIterable<AskFrame>): Promise<string[]> {
  const ids: string[] = [];
  for await (const frame of frames) ids.push(`${frame.id} ${frame.event}`);
  return ids;
}

test("numbers frames from 0 and ends after the closing one", async () => {
  const log = new FrameLog(4);
  log.push("session", { sessionId: "s" });
  log.push("delta", { text: "a" });
  log.push("done", done);
  expect(await collect(log.read(-1))).toEqual(["4.0 session", "4.1 delta", "4.2 done"]);
});

test("readers who join before, in the middle and after see the same frames", async () => {
  const log = new FrameLog(0);
  const early = collect(log.read(-1));
  log.push("session", { sessionId: "s" });
  await Promise.resolve();
  log.push("delta", { text: "a" });
  const middle = collect(log.read(-1));
  const resumed = collect(log.read(0));
  log.push("delta", { text: "b" });
  log.push("done", done);
  const all = ["0.0 session", "0.1 delta", "0.2 delta", "0.3 done"];
  expect(await early).toEqual(all);
  expect(await middle).toEqual(all);
  expect(await resumed).toEqual(all.slice(1));
  expect(await collect(log.read(-1))).toEqual(all);
  expect(await collect(log.read(3))).toEqual([]);
});

test("takes nothing after the closing frame", async () => {
  const log = new FrameLog(0);
  log.push("error", { code: "model_failed", message: "m", outcome: "failed", ...TOTALS });
  log.push("done", done);
  log.push("delta", { text: "late" });
  expect(await collect(log.read(-1))).toEqual(["0.0 error"]);
});

test("a reader leaves when it is told to, while nothing comes", async () => {
  const log = new FrameLog(0);
  log.push("session", { sessionId: "s" });
  const leave = new AbortController();
  const reading = collect(log.read(-1, leave.signal));
  await Promise.resolve();
  leave.abort();
  expect(await reading).toEqual(["0.0 session"]);
  expect(await collect(log.read(-1, AbortSignal.abort()))).toEqual([]);
});

test("a reader that stops reading holds up neither the log nor the others", async () => {
  const log = new FrameLog(0);
  const stuck = log.read(-1)[Symbol.asyncIterator]();
  log.push("session", { sessionId: "s" });
  await stuck.next();
  for (let i = 0; i < 100; i += 1) log.push("delta", { text: "x" });
  log.push("done", done);
  expect((await collect(log.read(-1))).length).toBe(102);
});
