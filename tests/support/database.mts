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
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { APP_LOGIN, migrate } from "../../cli/migrate.mts";
import { readMigrations } from "../../cli/migration-files.mts";
import { startCluster } from "../../cli/postgres-cluster.mts";

export interface TestDatabase {
  /** What the API would connect with: the login that can do nothing outside a role. */
  appUrl: string;
  /** The superuser, for arranging and inspecting. */
  adminUrl: string;
  name: string;
  drop(): Promise<void>;
}

// The first database of a run may have to wait for a server that is made for it.
if (!process.env.XRAY_TEST_ADMIN_URL) setDefaultTimeout(60_000);

/** Logins belong to the cluster, so every test database shares this one. */
const APP_PASSWORD = "xray-test";
const TEMPLATE_LOCK = 7_250_922;

/** Returns a new database with every table, whose name begins with `xray_test`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(`TEMPLATE ${await templateDatabase()} STRATEGY WAL_LOG`);
}

/** Returns a new database without any table, for tests of the migrations themselves. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase("TEMPLATE template0");
}

async function createDatabase(how: string): Promise<TestDatabase> {
  const server = await serverUrl();
  const name = `xray_test_${randomBytes(6).toString("hex")}`;
  await onServer(server, async (client) => {
    await client.query(`CREATE DATABASE ${name} ${how}`);
    // Nobody will miss what a crash of the machine takes from a test.
    await client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  });
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
  embedded ??= startEmbedded();
  return embedded;
}

/** Kept, because its end of the pipe closes when it is collected. */
let janitor: ChildProcess | undefined;

async function startEmbedded(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "xray-test-postgres-"));
  const cluster = await startCluster({ home });
  // The test runner calls no exit handlers, and may be killed. This shell outlives it, sees its end of the pipe close,
  // and throws server and data away.
  const script =
    'cat; kill -INT "$1"; while [ -e "$2/data/postmaster.pid" ] && kill -0 "$1"; do sleep 0.1; done; rm -rf "$2"';
  janitor = spawn("sh", ["-c", script, "sh", String(cluster.pid), home], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  janitor.unref();
  (janitor.stdin as unknown as { unref?(): void }).unref?.();
  return cluster.adminUrl;
}
