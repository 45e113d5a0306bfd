/** Visitors and their sessions: who is adopted, what is created, and that a foreign session does not exist. */
import { describe, expect, test } from "bun:test";
import { createHash, randomUUID } from "node:crypto";
import { LIMITS } from "../../../shared/limits";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import { appendVisitorMessage } from "./messages";
import { createSession, deleteSession, findSession, listSessions } from "./sessions";
import { renameSession } from "./session-title";
import { adoptVisitor, createVisitor } from "./visitors";

const opened = databaseForFile();

const someHash = () => createHash("sha256").update(randomUUID()).digest("hex");
const someVisitor = () => createVisitor(opened.db, someHash());
async function someSession(visitor: string) {
  const session = await createSession(opened.db, visitor, { id: randomUUID() });
  if (session === "rate_limited") throw new Error("refused");
  return session;
}

describe("a visitor", () => {
  const expiry = async (hash: string) => {
    const { rows } = await opened.admin.query(
      "SELECT round(extract(epoch FROM expires_at - now()) / 60)::int AS minutes FROM visitors WHERE token_hash = $1",
      [hash],
    );
    return rows[0]?.minutes;
  };

  test("is valid for 24 hours, and every use moves that ahead", async () => {
    const hash = someHash();
    const id = await createVisitor(opened.db, hash);
    expect(await expiry(hash)).toBe(24 * 60);
    await opened.admin.query("UPDATE visitors SET expires_at = now() + interval '1 minute' WHERE id = $1", [id]);
    expect(await adoptVisitor(opened.db, hash)).toBe(id);
    expect(await expiry(hash)).toBe(24 * 60);
  });

  test("past its time is not adopted and not renewed", async () => {
    const hash = someHash();
    const id = await createVisitor(opened.db, hash);
    await opened.admin.query("UPDATE visitors SET expires_at = now() WHERE id = $1", [id]);
    expect(await adoptVisitor(opened.db, hash)).toBeNull();
    expect(await expiry(hash)).toBeLessThanOrEqual(0);
  });

  test("that nobody issued is not adopted, and asking creates no row", async () => {
    const hash = someHash();
    expect(await adoptVisitor(opened.db, hash)).toBeNull();
    expect(await expiry(hash)).toBeUndefined();
  });
});

describe("creating a session", () => {
  test("gives an empty one without a title", async () => {
    const session = await createSession(opened.db, await someVisitor());
    expect(session).toMatchObject({
      title: "",
      totalTokens: 0,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
  });

  test("again gives the newest empty one, until it has a message", async () => {
    const visitor = await someVisitor();
    const first = await someSession(visitor);
    await opened.admin.query("UPDATE sessions SET created_at = now() - interval '1 hour' WHERE id = $1", [first.id]);
    const second = await someSession(visitor);
    expect(await createSession(opened.db, visitor)).toMatchObject({ id: second.id });
    await appendVisitorMessage(opened.db, visitor, second.id, "hello");
    expect(await createSession(opened.db, visitor)).toMatchObject({ id: first.id });
    await appendVisitorMessage(opened.db, visitor, first.id, "hello");
    const third = await createSession(opened.db, visitor);
    expect([first.id, second.id]).not.toContain((third as { id: string }).id);
  });

  test("twice at once gives one session", async () => {
    const visitor = await someVisitor();
    const both = await Promise.all([createSession(opened.db, visitor), createSession(opened.db, visitor)]);
    expect(both[0]).toEqual(both[1]);
    expect(await listSessions(opened.db, visitor, 10)).toHaveLength(1);
  });

  test("under a given id is always new, and refused once too many are empty, also all at once", async () => {
    const visitor = await someVisitor();
    const more = LIMITS.emptySessionsPerVisitor + 5;
    const all = await Promise.all(
      Array.from({ length: more }, () => createSession(opened.db, visitor, { id: randomUUID() })),
    );
    expect(all.filter((one) => one === "rate_limited")).toHaveLength(5);
    expect(await listSessions(opened.db, visitor, 200)).toHaveLength(LIMITS.emptySessionsPerVisitor);
    // Without an id there is one to be used again.
    expect(await createSession(opened.db, visitor)).toHaveProperty("id");
  });

  test("never gives a visitor the empty session of another", async () => {
    const theirs = await someSession(await someVisitor());
    expect(await createSession(opened.db, await someVisitor())).not.toMatchObject({ id: theirs.id });
  });
});

describe("a foreign session", () => {
  test("is not found, listed, written to or deleted, exactly like one that does not exist", async () => {
    const owner = await someVisitor();
    const stranger = await someVisitor();
    const { id } = await someSession(owner);
    for (const target of [id, randomUUID()]) {
      expect(await findSession(opened.db, stranger, target)).toBeNull();
      expect(await deleteSession(opened.db, stranger, target)).toBe(false);
      expect(await appendVisitorMessage(opened.db, stranger, target, "mine now")).toBeNull();
    }
    expect(await listSessions(opened.db, stranger, 10)).toEqual([]);
    expect(await findSession(opened.db, owner, id)).toMatchObject({ id, title: "" });
  });

  test("and one without an owner belongs to nobody", async () => {
    const id = randomUUID();
    await opened.admin.query("INSERT INTO sessions (id) VALUES ($1)", [id]);
    expect(await findSession(opened.db, await someVisitor(), id)).toBeNull();
  });
});

test("sessions are listed by last use, as many as asked for", async () => {
  const visitor = await someVisitor();
  const ids: string[] = [];
  for (const hours of [3, 1, 2]) {
    const { id } = await someSession(visitor);
    await opened.admin.query("UPDATE sessions SET last_active_at = now() - $2 * interval '1 hour' WHERE id = $1", [
      id,
      hours,
    ]);
    ids.push(id);
  }
  const listed = (await listSessions(opened.db, visitor, 200)).map(({ id }) => id);
  expect(listed).toEqual([ids[1]!, ids[2]!, ids[0]!]);
  expect(await listSessions(opened.db, visitor, 2)).toHaveLength(2);
});

test("deleting a session takes its messages, trace events and images with it", async () => {
  const visitor = await someVisitor();
  const { id } = await someSession(visitor);
  await appendVisitorMessage(opened.db, visitor, id, "hello");
  await opened.admin.query("INSERT INTO trace_events VALUES ($1, 0, NULL, 'x', 'notify', now(), '{}')", [id]);
  await opened.admin.query(
    "INSERT INTO generated_images VALUES (gen_random_uuid(), $1, 'image/png', '\\x00', 1, 'e')",
    [id],
  );
  expect(await deleteSession(opened.db, visitor, id)).toBe(true);
  const { rows } = await opened.admin.query(
    `SELECT (SELECT count(*) FROM sessions WHERE id = $1) + (SELECT count(*) FROM messages WHERE session_id = $1)
       + (SELECT count(*) FROM trace_events WHERE session_id = $1)
       + (SELECT count(*) FROM generated_images WHERE session_id = $1) AS left`,
    [id],
  );
  expect(rows).toEqual([{ left: "0" }]);
});

test("the agent names a session once, and never one that is gone", async () => {
  const visitor = await someVisitor();
  const { id } = await someSession(visitor);
  expect(await renameSession(opened.db, id, "First name")).toBe(true);
  expect(await renameSession(opened.db, id, "Second name")).toBe(false);
  expect(await findSession(opened.db, visitor, id)).toMatchObject({ title: "First name", titleSource: "agent" });
  // A later message does not take the name away.
  await appendVisitorMessage(opened.db, visitor, id, "what I said");
  expect(await findSession(opened.db, visitor, id)).toMatchObject({ title: "First name", titleSource: "agent" });
  expect(await renameSession(opened.db, randomUUID(), "Nobody")).toBe(false);
});
