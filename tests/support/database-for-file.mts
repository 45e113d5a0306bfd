/** A migrated database for the tests of one file: opened before the first, dropped after the last. And a slow one. */
import { afterAll, beforeAll } from "bun:test";
import { Client } from "pg";
import { type Database, openDatabase } from "../../apps/api/database/pool.ts";
import { createTestDatabase, type TestDatabase } from "./database.mts";

export interface OpenTestDatabase {
  /** As the API has it. */
  db: Database;
  /** The superuser's connection, for arranging and inspecting. */
  admin: Client;
  /** Messages that were logged as errors. */
  logged: string[];
}

/** Call at the top of a test file; the properties are there once the tests run. */
export function databaseForFile(): OpenTestDatabase {
  const opened = { logged: [] } as unknown as OpenTestDatabase;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    opened.admin = new Client({ connectionString: database.adminUrl });
    await opened.admin.connect();
    opened.db = openDatabase(database.appUrl, { log: { error: (message) => opened.logged.push(message) } });
  });
  afterAll(async () => {
    await opened.db.close();
    await opened.admin.end();
    await database.drop();
  });
  return opened;
}

/** The same database with every single statement running into the server's own time limit first. */
export function slowDatabase(db: Database): Database {
  return {
    ...db,
    queryAs: (role, text, params) =>
      db.asRole(
        role,
        async (tx) => {
          await tx.query("SELECT pg_sleep(60)");
          return tx.query(text, params);
        },
        { timeoutMs: 20 },
      ),
  };
}
