/** Messages: their places, a reply that is written once, its usage counted once, and turns that a stop cut off. */
import { describe, expect, test } from "bun:test";
import { LIMITS } from "../../../shared/limits";
import { createHash, randomUUID } from "node:crypto";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import {
  appendVisitorMessage,
  closeInterruptedTurns,
  type FinishedTurn,
  listMessages,
  readHistory,
  storeTurn,
  withdrawVisitorMessage,
} from "./messages";
import { createSession, findSession } from "./sessions";
import { createVisitor } from "./visitors";

const opened = databaseForFile();

async function conversation(...prompts: string[]) {
  const visitor = await createVisitor(opened.db, createHash("sha256").update(randomUUID()).digest("hex"));
  const session = await createSession(opened.db, visitor);
  if (session === "rate_limited") throw new Error("refused");
  for (const prompt of prompts) await appendVisitorMessage(opened.db, visitor, session.id, prompt);
  return { visitor, id: session.id };
}

const CALL = {
  toolCallId: "c1",
  name: "notes_search",
  at: 3,
  inputPreview: "{}",
  resultPreview: "found",
  isError: false,
  durationMs: 12,
};
const turn = (more: Partial<FinishedTurn> = {}): FinishedTurn => ({
  turnSeq: 0,
  content: "the answer",
  outcome: "completed",
  modelRoundTrips: 2,
  turnMs: 1_234,
  toolCalls: [],
  usage: { totalTokens: 2_384, costMicros: 10 },
  ...more,
});
const day = async (date: string) => {
  const { rows } = await opened.admin.query(
    "SELECT tokens::int, cost_micros::int, turns::int FROM daily_quota WHERE day = $1",
    [date],
  );
  return rows[0];
};

describe("what a visitor says", () => {
  test("stands at even places, and the reply at the odd one after it", async () => {
    const { visitor, id } = await conversation();
    expect(await appendVisitorMessage(opened.db, visitor, id, "one")).toEqual({ turnSeq: 0 });
    await storeTurn(opened.db, id, turn());
    expect(await appendVisitorMessage(opened.db, visitor, id, "two")).toEqual({ turnSeq: 2 });
    // No reply could be stored: its place stays free.
    expect(await appendVisitorMessage(opened.db, visitor, id, "three")).toEqual({ turnSeq: 4 });
    const listed = await listMessages(opened.db, visitor, id);
    expect(listed.map(({ seq, role, content }) => [seq, role, content])).toEqual([
      [0, "user", "one"],
      [1, "assistant", "the answer"],
      [2, "user", "two"],
      [4, "user", "three"],
    ]);
  });

  test("twice at once takes two places", async () => {
    const { visitor, id } = await conversation();
    const seqs = await Promise.all(["a", "b", "c"].map((text) => appendVisitorMessage(opened.db, visitor, id, text)));
    expect(seqs.map((one) => one!.turnSeq).sort()).toEqual([0, 2, 4]);
  });

  test.each([
    ["What is a turn?", "What is a turn?"],
    ["\n\n  first line \nsecond line", "first line"],
    ["x".repeat(40), "x".repeat(40)],
    ["x".repeat(41), `${"x".repeat(40)}…`],
    ["读".repeat(50), `${"读".repeat(40)}…`],
    ["👩‍👩‍👧".repeat(41), `${"👩‍👩‍👧".repeat(40)}…`],
  ])("names the session: %p as %p", async (prompt, title) => {
    const { visitor, id } = await conversation(prompt, "a later message");
    expect(await findSession(opened.db, visitor, id)).toMatchObject({ title, titleSource: "derived" });
  });

  test("is taken back whole, but never once it has a reply", async () => {
    const { visitor, id } = await conversation("one", "two");
    await withdrawVisitorMessage(opened.db, id, 2);
    await storeTurn(opened.db, id, turn());
    await withdrawVisitorMessage(opened.db, id, 0);
    expect((await listMessages(opened.db, visitor, id)).map(({ seq }) => seq)).toEqual([0, 1]);
  });
});

describe("a finished turn", () => {
  test("is stored once and counted once, however often it is tried", async () => {
    const { visitor, id } = await conversation("one");
    const at = new Date("2031-03-01T12:00:00Z");
    const again = turn({ content: "another answer", usage: { totalTokens: 99, costMicros: 99 } });
    expect(await storeTurn(opened.db, id, turn(), at)).toEqual({ totalTokens: 2_384 });
    expect(await storeTurn(opened.db, id, turn(), at)).toEqual({ totalTokens: 2_384 });
    expect(await storeTurn(opened.db, id, again, at)).toEqual({ totalTokens: 2_384 });
    expect((await listMessages(opened.db, visitor, id)).map(({ content }) => content)).toEqual(["one", "the answer"]);
    expect(await day("2031-03-01")).toEqual({ tokens: 2_384, cost_micros: 10, turns: 1 });
  });

  test("tried five times at once is still stored and counted once", async () => {
    const { id } = await conversation("one");
    const at = new Date("2031-04-01T12:00:00Z");
    const totals = await Promise.all(Array.from({ length: 5 }, () => storeTurn(opened.db, id, turn(), at)));
    expect(totals.at(-1)).toEqual({ totalTokens: 2_384 });
    expect(await day("2031-04-01")).toEqual({ tokens: 2_384, cost_micros: 10, turns: 1 });
  });

  test("adds to the session and to the day in Shanghai, which begins at 16:00 UTC", async () => {
    const { visitor, id } = await conversation("one", "two", "three");
    await storeTurn(
      opened.db,
      id,
      turn({ usage: { totalTokens: 1_330, costMicros: 10 } }),
      new Date("2031-05-01T15:59:59.999Z"),
    );
    await storeTurn(
      opened.db,
      id,
      turn({ turnSeq: 2, usage: { totalTokens: 1_054, costMicros: 10 } }),
      new Date("2031-05-01T16:00:00Z"),
    );
    await storeTurn(
      opened.db,
      id,
      turn({ turnSeq: 4, usage: { totalTokens: 16, costMicros: 0 } }),
      new Date("2031-05-02T15:59:59Z"),
    );
    expect(await findSession(opened.db, visitor, id)).toMatchObject({ totalTokens: 2_400 });
    expect(await day("2031-05-01")).toEqual({ tokens: 1_330, cost_micros: 10, turns: 1 });
    expect(await day("2031-05-02")).toEqual({ tokens: 1_070, cost_micros: 10, turns: 2 });
  });

  test("at a hundred-thousandth of a dollar is not rounded away: a hundred of them are a thousand micros", async () => {
    const at = new Date("2031-06-01T00:00:00Z");
    const { id } = await conversation();
    for (let n = 0; n < 100; n++) {
      await storeTurn(opened.db, id, turn({ turnSeq: n * 2, usage: { totalTokens: 1, costMicros: 10 } }), at);
    }
    expect(await day("2031-06-01")).toEqual({ tokens: 100, cost_micros: 1_000, turns: 100 });
  });

  test("with impossible counts and characters is stored all the same", async () => {
    const { visitor, id } = await conversation("one");
    const odd = turn({
      content: "a\0b\ud83d",
      toolCalls: [{ ...CALL, resultPreview: "\0" }],
      usage: { totalTokens: Number.NaN, costMicros: -5 },
    });
    expect(await storeTurn(opened.db, id, odd)).toEqual({ totalTokens: 0 });
    const [, reply] = await listMessages(opened.db, visitor, id);
    expect(reply).toMatchObject({ content: "a\ufffdb\ufffd", turn: { toolCalls: [{ resultPreview: "\ufffd" }] } });
  });

  test("whose provider claims any number of tokens is stored, and its session can still be read and added to", async () => {
    const { visitor, id } = await conversation("one", "two");
    const boast = { totalTokens: 1e308, costMicros: Number.MAX_SAFE_INTEGER };
    expect(await storeTurn(opened.db, id, turn({ usage: boast }))).toEqual({ totalTokens: LIMITS.turnTokens });
    await storeTurn(opened.db, id, turn({ turnSeq: 2, usage: { ...boast, totalTokens: 2 ** 63 } }));
    expect(await findSession(opened.db, visitor, id)).toMatchObject({ totalTokens: 2 * LIMITS.turnTokens });
    expect(opened.logged).toEqual([]);
  });

  test("is stored although the day's usage cannot be, and that is logged", async () => {
    const { id } = await conversation("one");
    await opened.admin.query("ALTER TABLE daily_quota RENAME TO daily_quota_away");
    try {
      expect(await storeTurn(opened.db, id, turn())).toEqual({ totalTokens: 2_384 });
    } finally {
      await opened.admin.query("ALTER TABLE daily_quota_away RENAME TO daily_quota");
    }
    expect(opened.logged).toEqual(["the day's usage was not recorded"]);
  });

  test("of a session that is gone is refused", async () => {
    await expect(storeTurn(opened.db, randomUUID(), turn())).rejects.toMatchObject({ code: "missing_reference" });
  });

  test("has a payload only when it called tools, and shows of it what the contract names", async () => {
    const { visitor, id } = await conversation("one", "two");
    await storeTurn(opened.db, id, turn({ outcome: "stopped", toolCalls: [CALL] }));
    await storeTurn(opened.db, id, turn({ turnSeq: 2 }));
    const stored = "SELECT seq, payload FROM messages WHERE session_id = $1 AND role = 'assistant' ORDER BY seq";
    const { rows } = await opened.admin.query(stored, [id]);
    expect(rows).toEqual([
      { seq: 1, payload: { v: 1, modelRoundTrips: 2, turnMs: 1_234, toolCalls: [CALL] } },
      { seq: 3, payload: null },
    ]);
    await opened.admin.query(
      `UPDATE messages SET payload = payload || '{"raw": "secret"}' || jsonb_build_object('toolCalls',
         jsonb_build_array(payload->'toolCalls'->0 || '{"args": "secret"}')) WHERE session_id = $1 AND seq = 1`,
      [id],
    );
    const [, first, , second] = await listMessages(opened.db, visitor, id);
    expect(first).toMatchObject({ outcome: "stopped" });
    expect(first!.turn).toEqual({ modelRoundTrips: 2, turnMs: 1_234, toolCalls: [CALL] });
    expect(Object.keys(second!).sort()).toEqual(["content", "createdAt", "outcome", "role", "seq"]);
  });
});

test("the history is the whole conversation, oldest first", async () => {
  const { id } = await conversation("one", "two");
  await storeTurn(opened.db, id, turn());
  expect(await readHistory(opened.db, id)).toEqual([
    { role: "user", content: "one" },
    { role: "assistant", content: "the answer" },
    { role: "user", content: "two" },
  ]);
});

test("at start, a message without a reply gets an interrupted one, and only that", async () => {
  await opened.admin.query("DELETE FROM messages");
  const { visitor, id } = await conversation("one", "two", "three");
  await storeTurn(opened.db, id, turn());
  expect(await closeInterruptedTurns(opened.db)).toBe(2);
  expect(await closeInterruptedTurns(opened.db)).toBe(0);
  const listed = await listMessages(opened.db, visitor, id);
  expect(listed.map(({ seq, content, outcome }) => [seq, content, outcome])).toEqual([
    [0, "one", undefined],
    [1, "the answer", "completed"],
    [2, "two", undefined],
    [3, "", "interrupted"],
    [4, "three", undefined],
    [5, "", "interrupted"],
  ]);
  // A reply that comes after all finds its place taken and counts nothing.
  expect(await storeTurn(opened.db, id, turn({ turnSeq: 2 }))).toEqual({ totalTokens: 2_384 });
});

test("a stranger sees no message", async () => {
  const { id } = await conversation("one");
  const { visitor: stranger } = await conversation();
  expect(await listMessages(opened.db, stranger, id)).toEqual([]);
});
