/** Migrating a real database: from nothing, again, at once, half-way, too new, and what the login can do afterwards. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { createEmptyDatabase, type TestDatabase } from "../tests/support/database.mts";
import { migrate, migrationStatus } from "./migrate.mts";
import { readMigrations } from "./migration-files.mts";

let all: number[];
const databases: TestDatabase[] = [];
const folders: string[] = [];
beforeAll(async () => {
  all = (await readMigrations()).map(({ version }) => version);
});
afterAll(async () => {
  for (const database of databases) await database.drop();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

async function emptyDatabase() {
  const database = await createEmptyDatabase();
  databases.push(database);
  return database;
}
function folderOf(...files: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "xray-migrations-"));
  folders.push(folder);
  for (const [index, sql] of files.entries()) writeFileSync(join(folder, `${index + 1}_step.up.sql`), sql);
  return folder;
}
async function ask<R extends object>(url: string, sql: string): Promise<R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}
const versionRows = (url: string) => ask(url, "SELECT version::int, dirty FROM schema_migrations");

describe("migrating", () => {
  test("an empty database applies everything in order, and a second time nothing", async () => {
    const { adminUrl } = await emptyDatabase();
    const lines: string[] = [];
    expect(await migrationStatus({ adminUrl })).toMatchObject({ version: 0, dirty: false });
    expect(await migrate({ adminUrl, log: (line) => lines.push(line) })).toEqual({ applied: all });
    expect(lines).toHaveLength(all.length);
    const before = await ask(
      adminUrl,
      "SELECT relname, relfilenode FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    );
    expect(await migrate({ adminUrl })).toEqual({ applied: [] });
    expect(
      await ask(adminUrl, "SELECT relname, relfilenode FROM pg_class WHERE relnamespace = 'public'::regnamespace"),
    ).toEqual(before);
    expect(await versionRows(adminUrl)).toEqual([{ version: all.at(-1)!, dirty: false }]);
    expect(await migrationStatus({ adminUrl })).toEqual({ version: all.at(-1)!, dirty: false, pending: [] });
  });

  test("one database four times at once applies each file once", async () => {
    const { adminUrl } = await emptyDatabase();
    const runs = await Promise.all([1, 2, 3, 4].map(() => migrate({ adminUrl, appPassword: "xray-test" })));
    expect(runs.flatMap(({ applied }) => applied)).toEqual(all);
  });

  test("carries on from where the database stands", async () => {
    const { adminUrl } = await emptyDatabase();
    const one = folderOf("CREATE TABLE a (id INT);");
    const two = folderOf("CREATE TABLE a (id INT);", "CREATE TABLE b (id INT);");
    expect(await migrate({ adminUrl, folder: one })).toEqual({ applied: [1] });
    expect(await migrationStatus({ adminUrl, folder: two })).toMatchObject({ pending: [{ version: 2, name: "step" }] });
    expect(await migrate({ adminUrl, folder: two })).toEqual({ applied: [2] });
    expect(await versionRows(adminUrl)).toEqual([{ version: 2, dirty: false }]);
  });

  test("leaves a failed file without a trace, and goes on once it is mended", async () => {
    const { adminUrl } = await emptyDatabase();
    const broken = folderOf("CREATE TABLE a (id INT);", "CREATE TABLE b (id INT); SELECT * FROM nowhere;");
    await expect(migrate({ adminUrl, folder: broken })).rejects.toThrow(
      /^Migration 2 step failed and changed nothing: .*nowhere/,
    );
    expect(await versionRows(adminUrl)).toEqual([{ version: 1, dirty: false }]);
    expect(await ask(adminUrl, "SELECT to_regclass('b') AS b")).toEqual([{ b: null }]);
    const mended = folderOf("CREATE TABLE a (id INT);", "CREATE TABLE b (id INT);");
    expect(await migrate({ adminUrl, folder: mended })).toEqual({ applied: [2] });
  });

  test("refuses a database that is half done, too new, or has several versions, and says what to do", async () => {
    const { adminUrl } = await emptyDatabase();
    const folder = folderOf("CREATE TABLE a (id INT);");
    await migrate({ adminUrl, folder });
    const refused = () =>
      migrate({ adminUrl, folder }).then(
        () => "taken",
        (error) => [error.message, error.remedy !== ""],
      );
    await ask(adminUrl, "UPDATE schema_migrations SET dirty = true");
    expect(await refused()).toEqual(["Migration 1 is marked as half done.", true]);
    expect(await migrationStatus({ adminUrl, folder })).toMatchObject({ dirty: true });
    await ask(adminUrl, "UPDATE schema_migrations SET dirty = false, version = 9");
    expect(await refused()).toEqual(["The database is at version 9, this program knows up to 1.", true]);
    await ask(adminUrl, "INSERT INTO schema_migrations VALUES (10, false)");
    expect(await refused()).toEqual(["The table schema_migrations holds several rows.", true]);
  });

  test("refuses a server that does not answer, without its password", async () => {
    const adminUrl = "postgres://admin:the-password@127.0.0.1:1/x";
    const error = await migrate({ adminUrl }).then(
      () => undefined,
      (reason: Error & { remedy: string }) => reason,
    );
    expect(error!.message).toMatch(/^The database does not let the administrator in: .*ECONNREFUSED/);
    expect(`${error!.message} ${error!.remedy}`).not.toContain("the-password");
  });
});

test("asking for the status changes nothing, not even an empty database", async () => {
  const { adminUrl } = await emptyDatabase();
  const { pending, version } = await migrationStatus({ adminUrl });
  expect([version, pending.map((one) => one.version)]).toEqual([0, all]);
  expect(await ask(adminUrl, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([]);
});

describe("the login", () => {
  test("is made with the password", async () => {
    const { adminUrl, appUrl } = await emptyDatabase();
    await migrate({ adminUrl, appPassword: "xray-test" });
    expect(await ask(appUrl, "SELECT current_user::text AS name")).toEqual([{ name: "xray_app" }]);
    const [flags] = await ask(
      adminUrl,
      "SELECT rolcanlogin, rolinherit, rolsuper, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = 'xray_app'",
    );
    expect(flags).toEqual({
      rolcanlogin: true,
      rolinherit: false,
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
    });
  });

  test("can become each role and has none of their rights before", async () => {
    const { adminUrl, appUrl } = await emptyDatabase();
    await migrate({ adminUrl, appPassword: "xray-test" });
    await expect(ask(appUrl, "SELECT * FROM notes_series")).rejects.toMatchObject({ code: "42501" });
    const client = new Client({ connectionString: appUrl });
    await client.connect();
    await client.query("BEGIN; SET LOCAL ROLE agent_ro");
    expect((await client.query("SELECT * FROM notes_series")).rows).toEqual([]);
    await client.query("ROLLBACK");
    await expect(client.query("SET ROLE postgres")).rejects.toThrow();
    await client.end();
  });
});
