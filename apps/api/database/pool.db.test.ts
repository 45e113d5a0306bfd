/** One transaction, one role, one time limit: the promises of the pool, on a real server. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "pg";
import { createTestDatabase, type TestDatabase } from "../../../tests/support/database.mts";
import { DatabaseError } from "./database-error";
import { type Database, openDatabase } from "./pool";

let database: TestDatabase;
let admin: Client;
/** A single connection, so that whatever one statement leaves behind meets the next. */
let db: Database;
const logged: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  admin = new Client({ connectionString: database.adminUrl });
  await admin.connect();
  db = openDatabase(database.appUrl, { max: 1, log: { error: (message) => logged.push(message) } });
});
afterAll(async () => {
  await db.close();
  await admin.end();
  await database.drop();
});

async function failure(promise: Promise<unknown>): Promise<DatabaseError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DatabaseError);
  return error as DatabaseError;
}
const whoami = () =>
  db.queryAs<{ role: string; login: string }>("visitor_rw", "SELECT current_user AS role, session_user AS login");
/** Backend and role of the pooled connection as the next borrower meets it. */
const connection = async () => {
  const { rows } = await admin.query(
    "SELECT pid, state FROM pg_stat_activity WHERE datname = $1 AND usename = 'xray_app'",
    [database.name],
  );
  return rows;
};

describe("roles", () => {
  test("a statement runs as its role, logged in as the application", async () => {
    expect(await whoami()).toEqual([{ role: "visitor_rw", login: "xray_app" }]);
  });

  test("a statement without a role is refused for every table", async () => {
    const plain = new Client({ connectionString: database.appUrl });
    await plain.connect();
    try {
      for (const table of ["notes_chapters", "sessions", "tool_config", "schema_migrations"]) {
        await expect(plain.query(`SELECT 1 FROM ${table}`)).rejects.toMatchObject({ code: "42501" });
      }
      await expect(plain.query("CREATE TABLE mine (id INT)")).rejects.toMatchObject({ code: "42501" });
    } finally {
      await plain.end();
    }
  });

  test("the connection is itself again after a success and after a failure", async () => {
    const roleOutside = async () => {
      // COMMIT ends the role within the pipeline; what follows is what the next borrower would be.
      const rows = await db.asRole("content_ro", async (tx) => {
        await tx.query("COMMIT");
        const found = await tx.query<{ role: string }>("SELECT current_user AS role");
        await tx.query("BEGIN");
        return found;
      });
      return rows[0]!.role;
    };
    expect(await roleOutside()).toBe("xray_app");
    await failure(db.queryAs("agent_ro", "SELECT 1 FROM sessions"));
    expect(await roleOutside()).toBe("xray_app");
    expect(await whoami()).toEqual([{ role: "visitor_rw", login: "xray_app" }]);
  });

  test("a role that reads cannot write, even where a table would let it", async () => {
    await admin.query("CREATE TABLE open_to_all (id INT); GRANT ALL ON open_to_all TO PUBLIC");
    expect(await db.queryAs("visitor_rw", "INSERT INTO open_to_all VALUES (1) RETURNING id")).toEqual([{ id: 1 }]);
    expect((await failure(db.queryAs("agent_ro", "INSERT INTO open_to_all VALUES (2)"))).sqlState).toBe("25006");
    await admin.query("DROP TABLE open_to_all");
  });
});

describe("transactions", () => {
  const addDay = "INSERT INTO daily_quota (day) VALUES ($1)";
  const days = async () =>
    (await db.queryAs<{ day: string }>("visitor_rw", "SELECT day FROM daily_quota ORDER BY day")).map((row) => row.day);

  test("work that rejects leaves nothing behind, and its own error comes through", async () => {
    const mine = new Error("mine");
    const promise = db.asRole("visitor_rw", async (tx) => {
      await tx.query(addDay, ["2026-01-01"]);
      throw mine;
    });
    await expect(promise).rejects.toBe(mine);
    expect(await days()).toEqual([]);
  });

  test("work that swallows a failed statement is refused, since nothing of it was written", async () => {
    const promise = db.asRole("visitor_rw", async (tx) => {
      await tx.query(addDay, ["2026-01-02"]);
      await tx.query("SELECT 1 FROM llm_config").catch(() => {});
    });
    expect((await failure(promise)).code).toBe("rolled_back");
    expect(await days()).toEqual([]);
  });

  test("a transaction that is over can no longer be used", async () => {
    let kept: { query(text: string): Promise<unknown> } | undefined;
    await db.asRole("visitor_rw", async (tx) => {
      kept = tx;
    });
    expect((await failure(kept!.query("SELECT 1"))).code).toBe("rolled_back");
  });

  test("statements sent together run in order in the one transaction", async () => {
    const rows = await db.asRole("visitor_rw", async (tx) => {
      const [, , found] = await Promise.all([
        tx.query(addDay, ["2026-01-03"]),
        tx.query(addDay, ["2026-01-04"]),
        tx.query<{ n: number }>("SELECT count(*) AS n FROM daily_quota"),
      ]);
      return found;
    });
    expect(rows).toEqual([{ n: 2 }]);
    expect(await days()).toEqual(["2026-01-03", "2026-01-04"]);
  });

  test("one statement counts as one, whatever opens and closes its transaction", async () => {
    const before = db.stats().statements;
    await whoami();
    await db.asRole("visitor_rw", async (tx) => {
      await tx.query("SELECT 1");
      await tx.query("SELECT 1");
    });
    expect(db.stats().statements - before).toBe(3);
  });
});

describe("failures", () => {
  test("a statement over its time ends as a timeout, and the connection serves on", async () => {
    const slow = db.asRole("content_ro", (tx) => tx.query("SELECT pg_sleep(30)"), { timeoutMs: 50 });
    expect((await failure(slow)).code).toBe("timeout");
    expect(await whoami()).toHaveLength(1);
  });

  test("a cancelled statement ends as a timeout, and the connection serves on", async () => {
    const slow = failure(db.queryAs("content_ro", "SELECT pg_sleep(4)"));
    const cancel =
      "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND query LIKE 'SELECT pg_sleep%'";
    while ((await admin.query(cancel, [database.name])).rowCount === 0) await Bun.sleep(5);
    expect((await slow).code).toBe("timeout");
    expect(await whoami()).toHaveLength(1);
  });

  test("neither SQL nor a value reaches the error of a bad value or a conflict", async () => {
    await db.queryAs("visitor_rw", "INSERT INTO daily_quota (day) VALUES ('2026-02-01')");
    for (const [text, value] of [
      ["SELECT $1::uuid", "secret-words"],
      ["INSERT INTO visitors (token_hash, expires_at) VALUES ($1, now())", "secret-words"],
      ["INSERT INTO daily_quota (day) VALUES ($1)", "2026-02-01"],
    ] as const) {
      const error = await failure(db.queryAs("visitor_rw", text, [value]));
      expect(error.cause).toBeUndefined();
      expect(`${error.message}${error.stack}`).not.toMatch(/secret-words|2026-02-01|INSERT/);
    }
  });

  test("each kind of failure has its code", async () => {
    const codeOf = async (role: "visitor_rw" | "content_ro", text: string) =>
      (await failure(db.queryAs(role, text))).code;
    expect(await codeOf("visitor_rw", "SELECT 1 FROM llm_config")).toBe("permission_denied");
    expect(await codeOf("visitor_rw", "INSERT INTO daily_quota (day) VALUES ('2026-02-01')")).toBe("conflict");
    expect(await codeOf("visitor_rw", "INSERT INTO daily_quota (day, tokens) VALUES ('2026-02-02', -1)")).toBe(
      "check_failed",
    );
    expect(await codeOf("visitor_rw", "INSERT INTO sessions (visitor_id) VALUES (gen_random_uuid())")).toBe(
      "missing_reference",
    );
    expect(await codeOf("content_ro", "SELECT 9007199254740993")).toBe("out_of_range");
    expect(await codeOf("content_ro", "SELEC")).toBe("failed");
  });

  test("a connection the server ends is replaced, whether it was idle or at work", async () => {
    await whoami();
    const [{ pid: first }] = await connection();
    await admin.query("SELECT pg_terminate_backend($1)", [first]);
    await whoami().catch(() => {});
    expect(await whoami()).toHaveLength(1);
    const [{ pid: second }] = await connection();
    expect(second).not.toBe(first);

    const working = failure(db.asRole("content_ro", (tx) => tx.query("SELECT pg_sleep(4)")));
    const end =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND query LIKE 'SELECT pg_sleep%'";
    while ((await admin.query(end, [database.name])).rowCount === 0) await Bun.sleep(5);
    expect((await working).code).toBe("unavailable");
    expect(await whoami()).toHaveLength(1);
  });

  test("a server that is not there is unavailable, not a crash", async () => {
    const nowhere = openDatabase("postgres://xray_app:x@127.0.0.1:1/xray_test_nowhere");
    expect((await failure(nowhere.queryAs("content_ro", "SELECT 1"))).code).toBe("unavailable");
    await nowhere.close();
  });
});

test("values arrive as the types the code works with", async () => {
  const [row] = await db.queryAs(
    "content_ro",
    `SELECT 9007199254740991::bigint AS big, '2026-01-02 03:04:05.678901+08'::timestamptz AS at, '2026-01-02'::date AS day,
       '{"b": [1, null]}'::jsonb AS data, '\\x00ff'::bytea AS bytes, true AS yes, NULL AS nothing`,
  );
  expect(row).toEqual({
    big: Number.MAX_SAFE_INTEGER,
    at: "2026-01-01T19:04:05.678Z",
    day: "2026-01-02",
    data: { b: [1, null] },
    bytes: Buffer.from([0, 255]),
    yes: true,
    nothing: null,
  });
});

test("the same string gives the same pool, and a closed one is made anew", async () => {
  const url = `${database.appUrl}?application_name=again`;
  const first = openDatabase(url);
  expect(openDatabase(url)).toBe(first);
  expect(first.name).toBe(database.name);
  await first.close();
  const second = openDatabase(url);
  expect(second).not.toBe(first);
  expect(await second.queryAs("content_ro", "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await second.close();
});
