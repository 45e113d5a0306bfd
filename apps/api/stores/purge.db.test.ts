/** What is older than the page says is gone with all that hangs on it; what is younger stays. */
import { beforeEach, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import { manifestOf, publish, shaOf } from "../../../tests/support/source.mts";
import { appendVisitorMessage } from "./messages";
import { purgeExpired } from "./purge";
import { createSession } from "./sessions";
import { beginSnapshot, listSnapshots } from "./source-publish";
import { createVisitor } from "./visitors";

const opened = databaseForFile();
beforeEach(() => opened.admin.query("TRUNCATE visitors CASCADE"));

/** A session with one message, last used `age` ago, of a visitor who expired `age` ago. */
async function sessionOfAge(age: string) {
  const { db, admin } = opened;
  const visitor = await createVisitor(db, randomUUID().replaceAll("-", "").repeat(2));
  const session = await createSession(db, visitor, { id: randomUUID() });
  if (session === "rate_limited") throw new Error("refused");
  await appendVisitorMessage(db, visitor, session.id, "hello");
  await admin.query("UPDATE sessions SET last_active_at = now() - $2::interval WHERE id = $1", [session.id, age]);
  await admin.query("UPDATE visitors SET expires_at = now() - $2::interval WHERE id = $1", [visitor, age]);
  return { visitor, session: session.id };
}
const count = async (table: string) => (await opened.admin.query(`SELECT count(*)::int AS n FROM ${table}`)).rows[0].n;

test("a session of three days and a minute goes with its messages; one an hour younger stays", async () => {
  await sessionOfAge("3 days 1 minute");
  const young = await sessionOfAge("2 days 23 hours");
  expect(await purgeExpired(opened.db)).toEqual({
    sessions: 1,
    visitors: 1,
    uploads: 0,
    auditRows: 0,
    visits: 0,
    quotaDays: 0,
  });
  const { rows } = await opened.admin.query("SELECT id, visitor_id FROM sessions");
  expect(rows).toEqual([{ id: young.session, visitor_id: young.visitor }]);
  expect(await count("messages")).toBe(1);
  expect(await count("visitors")).toBe(1);
});

test("a part that fails keeps none of the others from its turn, and is told", async () => {
  const { db } = opened;
  await sessionOfAge("4 days");
  await opened.admin.query(
    "INSERT INTO visits (day, path, visitor, ua, hits) VALUES ('2000-01-01', '/', repeat('a', 32), 'Firefox/Linux', 1)",
  );
  const busy = new Error("busy");
  await expect(
    purgeExpired(db, async () => {
      throw busy;
    }),
  ).rejects.toBe(busy);
  expect({ sessions: await count("sessions"), visits: await count("visits") }).toEqual({ sessions: 1, visits: 0 });
});

test("a session takes its trace, its pictures and its messages along, after it has left memory", async () => {
  const { db, admin } = opened;
  const { session } = await sessionOfAge("3 days 1 minute");
  await admin.query(
    `INSERT INTO trace_events (session_id, seq, turn_seq, event_type, mode, ts, data)
     VALUES ($1, 0, 0, 'agent_start', 'notify', now(), '{}')`,
    [session],
  );
  await admin.query(
    `INSERT INTO generated_images (id, session_id, content_type, bytes, byte_size, etag)
     VALUES ($1, $2, 'image/png', 'abc', 3, 'x')`,
    [randomUUID(), session],
  );
  const left: string[] = [];
  const leaveMemory = async (ids: readonly string[]) => {
    expect(await count("sessions")).toBe(ids.length);
    left.push(...ids);
    return ids;
  };
  expect((await purgeExpired(db, leaveMemory)).sessions).toBe(1);
  expect(left).toEqual([session]);
  for (const table of ["messages", "trace_events", "generated_images"])
    expect([table, await count(table)]).toEqual([table, 0]);
});

test("sessions go a few at a time and are given a minute each time, since their traces may be long", async () => {
  const { db, admin } = opened;
  for (let n = 0; n < 3; n += 1) await sessionOfAge("4 days");
  await admin.query(
    `INSERT INTO sessions (id, visitor_id, title, last_active_at)
     SELECT gen_random_uuid(), (SELECT id FROM visitors LIMIT 1), '', now() - interval '4 days' FROM generate_series(1, 40)`,
  );
  await admin.query(
    `CREATE TABLE told (gone INTEGER, patience TEXT);
     CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
     BEGIN
       INSERT INTO told SELECT count(*), current_setting('statement_timeout') FROM gone;
       RETURN NULL;
     END $$;
     CREATE TRIGGER tell AFTER DELETE ON sessions REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tell()`,
  );
  try {
    expect((await purgeExpired(db)).sessions).toBe(43);
    expect((await admin.query("SELECT gone, patience FROM told WHERE gone > 0")).rows).toEqual(
      [20, 20, 3].map((gone) => ({ gone, patience: "1min" })),
    );
  } finally {
    await admin.query("DROP TRIGGER tell ON sessions; DROP FUNCTION tell; DROP TABLE told");
  }
});

test("a session in use stays with its visitor, and both go when it is free", async () => {
  const { db } = opened;
  const used = await sessionOfAge("4 days");
  await sessionOfAge("4 days");
  const purged = await purgeExpired(db, async (ids) => ids.filter((id) => id !== used.session));
  expect([purged.sessions, purged.visitors]).toEqual([1, 1]);
  expect((await opened.admin.query("SELECT id, visitor_id FROM sessions")).rows).toEqual([
    { id: used.session, visitor_id: used.visitor },
  ]);
  const later = await purgeExpired(db);
  expect([later.sessions, later.visitors]).toEqual([1, 1]);
});

test("a visitor outlives the last session, however long ago the cookie expired", async () => {
  const { db, admin } = opened;
  const { session } = await sessionOfAge("4 days");
  await admin.query("UPDATE sessions SET last_active_at = now() WHERE id = $1", [session]);
  const purged = await purgeExpired(db);
  expect([purged.sessions, purged.visitors]).toEqual([0, 0]);
});

test("what strangers used goes after 400 days; the day itself stays", async () => {
  const { db, admin } = opened;
  await admin.query(
    `INSERT INTO daily_quota (day) SELECT (now() AT TIME ZONE 'Asia/Shanghai')::date - age FROM unnest($1::int[]) AS age`,
    [[500, 401, 400, 0]],
  );
  expect((await purgeExpired(db)).quotaDays).toBe(2);
  expect(await count("daily_quota")).toBe(2);
});

test("more than one batch goes in one run", async () => {
  await opened.admin.query(
    `INSERT INTO visitors (token_hash, expires_at)
     SELECT encode(sha256(n::text::bytea), 'hex'), now() - interval '4 days' FROM generate_series(1, 1100) AS n`,
  );
  expect(await purgeExpired(opened.db)).toEqual({
    sessions: 0,
    visitors: 1100,
    uploads: 0,
    auditRows: 0,
    visits: 0,
    quotaDays: 0,
  });
});

test("an upload of the source that nobody committed for a week goes; a younger one and the published commit stay", async () => {
  const { db, admin } = opened;
  const texts = { "a.ts": "a" };
  await publish(db, shaOf("a"), texts);
  await beginSnapshot(db, shaOf("b"), manifestOf(texts));
  await beginSnapshot(db, shaOf("c"), manifestOf(texts));
  await admin.query("UPDATE source_snapshots SET created_at = now() - interval '7 days 1 minute' WHERE sha <> $1", [
    shaOf("c"),
  ]);
  expect((await purgeExpired(db)).uploads).toBe(1);
  expect((await listSnapshots(db)).map(({ sha, status }) => [sha, status])).toEqual([
    [shaOf("a"), "current"],
    [shaOf("c"), "staging"],
  ]);
  expect(await count("source_files")).toBe(2);
});

test("a row of the audit goes after a year, and the audit says so; a younger one stays", async () => {
  const { db, admin } = opened;
  for (const age of ["366 days", "365 days 1 minute", "364 days"]) {
    await admin.query(
      `INSERT INTO mcp_audit (at, outcome, method, summary, remote) VALUES (now() - $1::interval, 'ok', 'tools/call', $1, '')`,
      [age],
    );
  }
  expect((await purgeExpired(db)).auditRows).toBe(2);
  const { rows } = await admin.query("SELECT method, summary, detail FROM mcp_audit ORDER BY id");
  expect(rows).toEqual([
    { method: "tools/call", summary: "364 days", detail: null },
    { method: "purge", summary: "rows past their time were deleted", detail: { rows: 2 } },
  ]);
  expect((await purgeExpired(db)).auditRows).toBe(0);
  expect(await count("mcp_audit")).toBe(2);
});

test("page views of a day before the last 400 go, in as many batches as it takes; the day itself stays", async () => {
  const { db, admin } = opened;
  await admin.query(
    `INSERT INTO visits (day, path, visitor, ua, hits)
     SELECT (now() AT TIME ZONE 'Asia/Shanghai')::date - age, '/', md5(n::text), 'Chrome/Linux', 1
     FROM (VALUES (401, 1100), (400, 1), (0, 1)) AS old (age, rows), generate_series(1, rows) AS n`,
  );
  expect((await purgeExpired(db)).visits).toBe(1100);
  expect(await count("visits")).toBe(2);
  expect((await purgeExpired(db)).visits).toBe(0);
});
