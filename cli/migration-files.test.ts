import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readMigrations, untransactional } from "./migration-files.mts";
import { Refusal } from "./refusal.mts";

const folders: string[] = [];
function folderOf(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "xray-migrations-"));
  folders.push(folder);
  for (const name of names) writeFileSync(join(folder, name), "SELECT 1;");
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
const refusal = async (...names: string[]) =>
  readMigrations(folderOf(...names)).then(
    () => "taken",
    (error: unknown) => (error instanceof Refusal ? error.message : error),
  );

describe("a folder of migrations", () => {
  test("is read by number, whatever the leading zeros", async () => {
    const files = await readMigrations(
      folderOf(
        "2_b.up.sql",
        "001_a.up.sql",
        "10_j.up.sql",
        ...[3, 4, 5, 6, 7, 8, 9].map((n) => `00${n}_x.up.sql`),
        "notes.md",
      ),
    );
    expect(files.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(files[0]).toEqual({ version: 1, name: "a", sql: "SELECT 1;" });
  });

  test("with a hole, a double or a stray name is refused", async () => {
    expect(await refusal("001_a.up.sql", "003_c.up.sql")).toBe("Migration 2 is missing.");
    expect(await refusal("002_b.up.sql")).toBe("Migration 1 is missing.");
    expect(await refusal("001_a.up.sql", "002_b.up.sql", "02_c.up.sql")).toBe("Two migrations have the number 2.");
    expect(await refusal("001_a.up.sql", "001_a.down.sql")).toBe("001_a.down.sql is no migration.");
    expect(await refusal("001_a.up.sql", "002.sql")).toBe("002.sql is no migration.");
    expect(await refusal("001_a.up.sql", "002_b.c.up.sql")).toBe("002_b.c.up.sql is no migration.");
  });

  test("of the product is whole", async () => {
    expect((await readMigrations()).length).toBeGreaterThan(0);
  });
});

describe("a statement that a transaction cannot hold", () => {
  test.each([
    ["CREATE INDEX CONCURRENTLY i ON t (a);", "CREATE INDEX CONCURRENTLY"],
    ["create unique index\n concurrently i on t (a)", "CREATE UNIQUE INDEX CONCURRENTLY"],
    ["SELECT 1; VACUUM t;", "VACUUM"],
    ["-- words\nCOMMIT;", "COMMIT"],
    ["/* words */ BEGIN", "BEGIN"],
    ["CREATE TABLE a (b TEXT DEFAULT ';'); ROLLBACK;", "ROLLBACK"],
    ["START  TRANSACTION;", "START TRANSACTION"],
    ["CREATE DATABASE x;", "CREATE DATABASE"],
    ["ALTER SYSTEM SET a = 1;", "ALTER SYSTEM"],
    ["DO $$ BEGIN NULL; END $$; END;", "END"],
  ])("%p", (sql, offence) => {
    expect(untransactional(sql)).toBe(offence);
  });

  test.each([
    "CREATE INDEX i ON t (a);",
    "DO $$ BEGIN PERFORM 1; COMMIT; END $$;",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $body$ SELECT 1; VACUUM; $body$;",
    "INSERT INTO t VALUES ('a; VACUUM; it''s');",
    "-- COMMIT;\nSELECT 1; /* VACUUM; */",
    'SELECT "; COMMIT;" FROM t;',
    "CREATE TABLE beginnings (end_at INT);",
  ])("is not %p", (sql) => {
    expect(untransactional(sql)).toBeUndefined();
  });
});
