/**
 * A fresh, migrated database for a test file: cloned from a template in a few milliseconds, dropped by the caller.
 *
 * The server is the one of `XRAY_TEST_ADMIN_URL`; without it an embedded Postgres is started in a temporary folder when
 * the first database is asked for, and stopped with the process. The template is named by the hash of the migrations,
 * so that it is made once and never stale; a lock lets parallel test processes agree on who makes it.
 */
import { setDefaultTimeout } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { APP_LOGIN, migrate } from "../../cli/migrate.mts";
import { readMigrations } from "../../cli/migration-files.mts";
import { startCluster } from "../../cli/postgres-cluster.mts";
import { LIMITS } from "../../shared/limits.ts";

export interface TestDatabase {
  /** What the API would connect with: the login that can do nothing outside a role. */
  appUrl: string;
  /** The superuser, for arranging and inspecting. */
  adminUrl: string;
  name: string;
  drop(): Promise<void>;
}

// Hooks that wait for a database have the time of a test in `./xray test`, also where a file is run by hand: the first one
// of a run may have to make a server, and any of them may stand behind others on a busy machine.
setDefaultTimeout(LIMITS.testMs);

/** Logins belong to the cluster, so every test database shares this one. */
const APP_PASSWORD = "xray-test";
const TEMPLATE_LOCK = 7_250_922;

/** Returns a new database with every table, whose name begins with `xray_test`; on a server of the test's own if given. */
export async function createTestDatabase(own?: OwnServer): Promise<TestDatabase> {
  if (own === undefined) return sharedDatabase(`TEMPLATE ${await templateDatabase()} STRATEGY WAL_LOG`);
  const database = await createDatabase(own.adminUrl, "TEMPLATE template0");
  await migrate({ adminUrl: database.adminUrl, appPassword: APP_PASSWORD });
  return database;
}

/** Returns a new database without any table, for tests of the migrations themselves. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return sharedDatabase("TEMPLATE template0");
}

async function sharedDatabase(how: string): Promise<TestDatabase> {
  const server = await serverUrl();
  const database = await createDatabase(server, how);
  // Nobody will miss what a crash of the machine takes from a test.
  await onServer(server, (client) => client.query(`ALTER DATABASE ${database.name} SET synchronous_commit = off`));
  return database;
}

async function createDatabase(server: string, how: string): Promise<TestDatabase> {
  const name = `xray_test_${randomBytes(6).toString("hex")}`;
  await onServer(server, (client) => client.query(`CREATE DATABASE ${name} ${how}`));
  return {
    name,
    adminUrl: urlOf(server, name),
    appUrl: urlOf(server, name, APP_LOGIN, APP_PASSWORD),
    drop: async () => {
      await onServer(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

let template: Promise<string> | undefined;

function templateDatabase(): Promise<string> {
  template ??= makeTemplate();
  return template;
}

async function makeTemplate(): Promise<string> {
  const server = await serverUrl();
  const files = await readMigrations();
  const hash = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
  const name = `xray_template_${hash}`;
  await onServer(server, async (client) => {
    // Held until the connection closes; whoever comes second finds the template finished.
    await client.query("SELECT pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    const { rows } = await client.query("SELECT datistemplate FROM pg_database WHERE datname = $1", [name]);
    if (rows[0]?.datistemplate) return;
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
    await migrate({ adminUrl: urlOf(server, name), appPassword: APP_PASSWORD });
    await client.query(`ALTER DATABASE ${name} IS_TEMPLATE true`);
  });
  return name;
}

async function onServer<T>(server: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(server: string, database: string, user?: string, password?: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  if (user) url.username = user;
  if (password) url.password = password;
  return url.href;
}

let embedded: Promise<string> | undefined;

function serverUrl(): Promise<string> {
  const given = process.env.XRAY_TEST_ADMIN_URL;
  if (given) return Promise.resolve(given);
  embedded ??= startOwnServer().then(({ adminUrl }) => adminUrl);
  return embedded;
}

export interface OwnServer {
  adminUrl: string;
  /** Ends it as `pg_ctl stop -m immediate` does: at once, leaving a log to recover from. */
  crash(): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
}

/** Kept, because their ends of the pipes close when they are collected. */
const janitors: ChildProcess[] = [];

/** Starts an embedded Postgres in a temporary folder. Both go with the process. */
export async function startOwnServer(): Promise<OwnServer> {
  const home = mkdtempSync(join(tmpdir(), "xray-test-postgres-"));
  let cluster = await startCluster({ home });
  // The test runner calls no exit handlers, and may be killed. This shell outlives it, sees its end of the pipe close,
  // and throws server and data away.
  const script =
    'cat; file=$1/data/postmaster.pid; pid=$(head -n 1 "$file") && kill -INT "$pid"; ' +
    'while [ -e "$file" ] && kill -0 "$pid"; do sleep 0.1; done; rm -rf "$1"';
  const janitor = spawn("sh", ["-c", script, "sh", home], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  janitor.unref();
  (janitor.stdin as unknown as { unref?(): void }).unref?.();
  janitors.push(janitor);
  const { port, adminUrl } = cluster;
  return {
    adminUrl,
    crash: async () => {
      process.kill(cluster.pid, "SIGQUIT");
      while (existsSync(join(home, "data", "postmaster.pid")) && isAlive(cluster.pid)) await Bun.sleep(10);
    },
    start: async () => {
      cluster = await startCluster({ home, port });
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
