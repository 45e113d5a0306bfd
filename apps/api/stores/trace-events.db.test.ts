/** Stored trace rows: what goes in comes back byte for byte, to its owner only. */
import { expect, test } from "bun:test";
import { createHash, randomUUID } from "node:crypto";
import { LIMITS } from "../../../shared/limits";
import type { TraceRow } from "../../../shared/trace-events";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import { createSession } from "./sessions";
import { insertTraceRows, nextTraceSeq, readTraceRows } from "./trace-events";
import { createVisitor } from "./visitors";

const opened = databaseForFile();

async function ownedSession() {
  const hash = createHash("sha256").update(randomUUID()).digest("hex");
  const session = await createSession(opened.db, await createVisitor(opened.db, hash));
  if (session === "rate_limited") throw new Error("refused");
  return { hash, id: session.id };
}
const row = (seq: number, more: Partial<TraceRow> = {}): TraceRow => ({
  seq,
  turnSeq: 0,
  eventType: "turn_start",
  mode: "notify",
  timestamp: "2026-03-01T12:00:00.123Z",
  data: {},
  ...more,
});

test("rows come back exactly as they were, the order of their properties too", async () => {
  const { hash, id } = await ownedSession();
  const rows = [
    row(0, { turnSeq: null, data: { zebra: 1, a: [1.5, null, { long: '中文 \u2028 "quoted"', b: true }], "": 0 } }),
    row(1, { mode: "veto", eventType: "tool_call", data: { toolName: "x", handlers: [], blocked: false } }),
  ];
  await insertTraceRows(opened.db, id, rows);
  expect(JSON.stringify(await readTraceRows(opened.db, hash, id, -1, 10))).toBe(JSON.stringify(rows));
});

test("a batch sent again changes nothing, and one that overlaps adds what is new", async () => {
  const { hash, id } = await ownedSession();
  await insertTraceRows(opened.db, id, [row(0), row(1)]);
  await insertTraceRows(opened.db, id, [row(1, { eventType: "changed" }), row(2)]);
  const stored = await readTraceRows(opened.db, hash, id, -1, 10);
  expect(stored!.map(({ seq, eventType }) => [seq, eventType])).toEqual([0, 1, 2].map((seq) => [seq, "turn_start"]));
});

test("any number of rows is one statement, and none is none", async () => {
  const { id } = await ownedSession();
  const before = opened.db.stats().statements;
  await insertTraceRows(opened.db, id, []);
  expect(opened.db.stats().statements - before).toBe(0);
  await insertTraceRows(
    opened.db,
    id,
    Array.from({ length: 500 }, (_, seq) => row(seq)),
  );
  expect(opened.db.stats().statements - before).toBe(1);
  expect(await nextTraceSeq(opened.db, id)).toBe(500);
});

test("characters that cannot be stored do not lose the batch", async () => {
  const { hash, id } = await ownedSession();
  await insertTraceRows(opened.db, id, [row(0, { data: { text: "a\0b\ud83d" } }), row(1)]);
  const stored = await readTraceRows(opened.db, hash, id, -1, 10);
  expect(stored!.map(({ data }) => data)).toEqual([{ text: "a\ufffdb\ufffd" }, {}]);
});

test("the latest rows after a seq are read, oldest first", async () => {
  const { hash, id } = await ownedSession();
  await insertTraceRows(
    opened.db,
    id,
    Array.from({ length: 10 }, (_, seq) => row(seq)),
  );
  const seqs = async (after: number, limit: number) =>
    (await readTraceRows(opened.db, hash, id, after, limit))!.map(({ seq }) => seq);
  expect(await seqs(-1, 3)).toEqual([7, 8, 9]);
  expect(await seqs(4, 100)).toEqual([5, 6, 7, 8, 9]);
  expect(await seqs(7, 5)).toEqual([8, 9]);
  expect(await seqs(9, 5)).toEqual([]);
  expect(await seqs(999_999_999, 5)).toEqual([]);
});

test("an own session without rows is empty; a foreign, unknown, ownerless or expired one is null", async () => {
  const mine = await ownedSession();
  const theirs = await ownedSession();
  const nobodys = randomUUID();
  await opened.admin.query("INSERT INTO sessions (id) VALUES ($1)", [nobodys]);
  expect(await readTraceRows(opened.db, mine.hash, mine.id, -1, 10)).toEqual([]);
  for (const id of [theirs.id, randomUUID(), nobodys]) {
    expect(await readTraceRows(opened.db, mine.hash, id, -1, 10)).toBeNull();
  }
  expect(await readTraceRows(opened.db, "0".repeat(64), mine.id, -1, 10)).toBeNull();
  await opened.admin.query("UPDATE visitors SET expires_at = now() WHERE token_hash = $1", [mine.hash]);
  expect(await readTraceRows(opened.db, mine.hash, mine.id, -1, 10)).toBeNull();
});

test("the first free seq of a session without rows is 0", async () => {
  expect(await nextTraceSeq(opened.db, (await ownedSession()).id)).toBe(0);
});

test("after a session that did not end in good order, seqs that may have been seen are passed over", async () => {
  const passedOver = LIMITS.tracePendingRows + LIMITS.traceFlushRows;
  const reply = (id: string) =>
    opened.admin.query(
      `INSERT INTO messages (session_id, seq, role, content, outcome)
       VALUES ($1, 0, 'user', 'a', NULL), ($1, 1, 'assistant', 'b', 'interrupted')`,
      [id],
    );
  const { id } = await ownedSession();
  await insertTraceRows(opened.db, id, [row(0), row(1)]);
  // The first turn of a session that nobody has answered yet: nothing was lost.
  expect(await nextTraceSeq(opened.db, id)).toBe(2);
  await reply(id);
  expect(await nextTraceSeq(opened.db, id)).toBe(2 + passedOver);
  await insertTraceRows(opened.db, id, [row(2, { eventType: "session_shutdown", turnSeq: null })]);
  expect(await nextTraceSeq(opened.db, id)).toBe(3);
  // Killed in the first second of the next turn: it was seen, and none of its rows was stored.
  await opened.admin.query(
    `INSERT INTO messages (session_id, seq, role, content, outcome)
     VALUES ($1, 2, 'user', 'a', NULL), ($1, 3, 'assistant', '', 'interrupted')`,
    [id],
  );
  expect(await nextTraceSeq(opened.db, id)).toBe(3 + passedOver);
  const unstored = await ownedSession();
  await reply(unstored.id);
  expect(await nextTraceSeq(opened.db, unstored.id)).toBe(passedOver);
});
