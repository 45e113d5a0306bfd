import { expect, test } from "bun:test";
import { LIMITS, type Limits } from "../../../shared/limits";
import type { TraceRow } from "../../../shared/trace-events";
import { ManualClock } from "../../../tests/support/manual-clock.mts";
import { LocalTraceBus } from "./trace-bus";
import { TraceRecorder } from "./trace-recorder";

function setUp(limits: Partial<Limits> = {}, store?: (rows: readonly TraceRow[]) => Promise<void>) {
  const clock = new ManualClock();
  const batches: number[][] = [];
  const logged: [string, unknown][] = [];
  const log = {
    info() {},
    error: (message: string, _cause?: unknown, facts?: unknown) => void logged.push([message, facts]),
  };
  const recorder = new TraceRecorder({
    sessionId: "s",
    nextSeq: 7,
    clock,
    limits: { ...LIMITS, ...limits },
    bus: new LocalTraceBus(LIMITS.traceBusRows, log),
    sink: {
      async storeTraceRows(_id, rows) {
        batches.push(rows.map(({ seq }) => seq));
        await store?.(rows);
      },
      storeTurn: () => Promise.reject(new Error("not used")),
    },
    log,
  });
  const record = (count: number) => {
    for (let i = 0; i < count; i += 1) recorder.record({ type: "agent_start" });
  };
  return { clock, batches, logged, recorder, record };
}

test("numbers from where the store ends, and stores at the latest after the flush time", async () => {
  const { clock, batches, recorder, record } = setUp();
  record(3);
  expect(batches).toEqual([]);
  clock.advance(LIMITS.traceFlushMs);
  await recorder.drain();
  expect(batches).toEqual([[7, 8, 9]]);
});

test("stores at once when a batch is full, and while it is being stored, rows collect", async () => {
  const gate = Promise.withResolvers<void>();
  const { batches, recorder, record } = setUp({ traceFlushRows: 2 }, () => gate.promise);
  record(7);
  expect(batches).toEqual([[7, 8]]);
  gate.resolve();
  await recorder.drain();
  expect(batches).toEqual([[7, 8], [9, 10], [11, 12], [13]]);
});

test("a storage that falls behind loses the oldest waiting rows, and the log says how many", async () => {
  const gate = Promise.withResolvers<void>();
  const { batches, logged, recorder, record } = setUp({ traceFlushRows: 2, tracePendingRows: 3 }, () => gate.promise);
  record(2);
  record(8);
  gate.resolve();
  await recorder.drain();
  expect(batches).toEqual([[7, 8], [14, 15], [16]]);
  expect(logged).toEqual([
    ["storage is behind: the oldest trace rows are dropped", undefined],
    ["trace rows were dropped", { rows: 5 }],
  ]);
});

test("a batch that is refused waits and is sent again by the timer, in order and before what came later", async () => {
  let down = true;
  const { clock, batches, logged, recorder, record } = setUp({ traceFlushRows: 2 }, async () => {
    if (down) throw new Error("down");
  });
  record(3);
  await recorder.drain();
  expect(batches).toEqual([[7, 8]]);
  // A full batch does not ask again by itself.
  record(2);
  expect(batches).toEqual([[7, 8]]);
  clock.advance(LIMITS.traceFlushMs);
  await recorder.drain();
  down = false;
  clock.advance(LIMITS.traceFlushMs);
  await recorder.drain();
  expect(batches).toEqual([[7, 8], [7, 8], [7, 8], [9, 10], [11]]);
  expect(logged).toEqual([["trace rows could not be stored", { rows: 2 }]]);
});

test("a batch that is refused too often is given up, and the next ones are not", async () => {
  const { clock, batches, logged, recorder, record } = setUp(
    { traceFlushRows: 2, traceWriteAttempts: 3 },
    async (rows) => {
      if (rows[0]!.seq === 7) throw new Error("never");
    },
  );
  record(4);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await recorder.drain();
    clock.advance(LIMITS.traceFlushMs);
  }
  await recorder.drain();
  expect(batches.filter(([first]) => first === 7).length).toBe(3);
  expect(batches.at(-1)).toEqual([9, 10]);
  expect(logged).toEqual([
    ["trace rows could not be stored", { rows: 2 }],
    ["trace rows were given up", { rows: 2 }],
  ]);
});

test("a row that comes at any moment of a storing is stored by the drain after it", async () => {
  for (let moment = 0; moment < 12; moment += 1) {
    const { batches, recorder, record } = setUp();
    record(1);
    void recorder.drain();
    for (let tick = 0; tick < moment; tick += 1) await Promise.resolve();
    record(1);
    await recorder.drain();
    expect([moment, batches.flat()]).toEqual([moment, [7, 8]]);
  }
});

test("an event that cannot be read is logged and hurts nothing", async () => {
  const { batches, logged, recorder, record } = setUp();
  const broken = new Proxy({ type: "turn_start" }, { get: (target, key) => (key === "type" ? target.type : boom()) });
  recorder.record(broken);
  record(1);
  await recorder.drain();
  expect(logged).toEqual([["a trace event was lost", { eventType: "turn_start" }]]);
  expect(batches).toEqual([[7]]);
});

function boom(): never {
  throw new Error("unreadable");
}
