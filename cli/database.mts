/**
 * The database of a bare-machine site: the embedded cluster, or the server that `DATABASE_URL` names. Either way the
 * administrator's address is used to migrate and for nothing else; the application logs in as `xray_app`.
 */
import { appendFileSync } from "node:fs";
import { Client, escapeIdentifier } from "pg";
import { type Database, openDatabase } from "../apps/api/database/pool.ts";
import { LIMITS } from "../shared/limits.ts";
import { readEnvFile } from "./env-file.mts";
import { privateFolder } from "./files.mts";
import { addressOf, appUrl, type DatabaseAddress } from "./infra.mts";
import { noteUse } from "./in-use.mts";
import { logPath } from "./launch.mts";
import { dropLock, takeLock } from "./lock.mts";
import { migrate } from "./migrate.mts";
import type { Paths } from "./paths.mts";
import { keptPort } from "./ports.mts";
import { startCluster } from "./postgres-cluster.mts";
import { isOurs, type ProcessRecord, recordOf, stopProcess } from "./processes.mts";
import { Refusal } from "./refusal.mts";
import { deadProcesses, readRunning } from "./running.mts";
import { mintSecrets } from "./secrets.mts";

export interface StartedDatabase {
  kind: "embedded" | "external";
  adminUrl: string;
  address: DatabaseAddress;
  /** The embedded server; absent when it is somebody else's. */
  process?: ProcessRecord;
}

const EMBEDDED_NAME = "xray";

/** `DATABASE_URL` of the shell, else of `.xray/env`: somebody else's server. Undefined means the embedded one. */
export function externalUrl(paths: Paths, env = process.env): string | undefined {
  return env.DATABASE_URL || readEnvFile(paths.env).DATABASE_URL || undefined;
}

/** Starts the embedded cluster, or takes the server that `DATABASE_URL` names. */
export async function startDatabase(paths: Paths): Promise<StartedDatabase> {
  const external = externalUrl(paths);
  if (external) {
    await refuseUnusable(external);
    return { kind: "external", adminUrl: external, address: addressOf(external) };
  }
  const port = await keptPort(paths.ports, "postgres");
  const cluster = await startCluster({ home: paths.cluster, port, log: logLines(paths) });
  const started = recordOf(cluster.pid);
  if (started) noteUse(paths.root, { record: started, name: "postgres", pages: false });
  try {
    const adminUrl = await ensureDatabase(cluster.adminUrl);
    return { kind: "embedded", adminUrl, address: addressOf(adminUrl), process: started };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

export interface OpenSite {
  db: Database;
  /** Key that seals provider keys, base64. */
  encryptionKey: string;
}

/** Lends the site's database to a command, whether the site runs or not; one that does not run is migrated first. */
export async function withSite<T>(paths: Paths, work: (site: OpenSite) => Promise<T>): Promise<T> {
  const secrets = mintSecrets(paths.secrets);
  const use = async (address: DatabaseAddress) => {
    const db = openDatabase(appUrl(address, secrets));
    try {
      return await work({ db, encryptionKey: secrets.configEncryptionKey });
    } finally {
      await db.close();
    }
  };
  const running = readRunning(paths.running);
  if (running?.ready && running.address && deadProcesses(running).length === 0) return await use(running.address);
  return await withDatabase(paths, async (adminUrl) => {
    await migrate({ adminUrl, appPassword: secrets.postgresAppPassword, log: logLines(paths) });
    return await use(addressOf(adminUrl));
  });
}

/**
 * Lends the administrator's address to a command. A cluster that had to be started for it is stopped again; a site that
 * is being started by another command is refused, since both would start it.
 */
export async function withDatabase<T>(paths: Paths, work: (adminUrl: string) => Promise<T>): Promise<T> {
  const running = readRunning(paths.running);
  if (running?.adminUrl && isOurs(running.processes.postgres)) return await work(running.adminUrl);
  if (running?.database === "external" && !externalUrl(paths) && isOurs(running.processes.api)) {
    throw new Refusal(
      "This site runs on the server of a DATABASE_URL that is not set here.",
      "Set it as for ./xray up.",
    );
  }
  if (!takeLock(paths.startLock)) {
    throw new Refusal("The site is being started by another command.", "Run this again when it is ready.");
  }
  try {
    const database = await startDatabase(paths);
    try {
      return await work(database.adminUrl);
    } finally {
      if (database.process) await stopProcess(database.process, "SIGINT", LIMITS.databaseStopWaitMs);
    }
  } finally {
    dropLock(paths.startLock);
  }
}

/** Steps of cluster and migrations go to a file; a person sees the progress line. */
export function logLines(paths: Paths): (line: string) => void {
  privateFolder(paths.logs);
  return (line) => appendFileSync(logPath(paths, "database"), `${line}\n`, { mode: 0o600 });
}

/** Somebody else's server: says which of address, password, database or rights is wrong before anything is changed. */
async function refuseUnusable(databaseUrl: string): Promise<void> {
  const { host, port, name } = addressOf(databaseUrl);
  const server = `${host}:${port}`;
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: LIMITS.databaseConnectMs });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query(
      `SELECT rolsuper OR (rolcreaterole AND has_database_privilege(current_database(), 'CREATE')) AS able
       FROM pg_roles WHERE rolname = current_user`,
    );
    if (rows[0]?.able) return;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === "3D000") throw new Refusal(`${server} has no database "${name}".`, `Create it: createdb ${name}`);
    if (code?.startsWith("28")) {
      throw new Refusal(`${server} does not let the user of DATABASE_URL in.`, "Check its name and password there.");
    }
    throw new Refusal(
      `The database at ${server} does not answer (${code ?? message}).`,
      "Start it or correct DATABASE_URL; without DATABASE_URL the embedded Postgres is used.",
    );
  } finally {
    await client.end().catch(() => {});
  }
  throw new Refusal(
    "The user of DATABASE_URL may not create roles and tables there, which migrating needs.",
    `As its administrator: ALTER ROLE … CREATEROLE; GRANT CREATE ON DATABASE ${name} TO …`,
  );
}

/** The cluster comes with the database `postgres`; the product has its own. Returns the address of that one. */
async function ensureDatabase(clusterUrl: string): Promise<string> {
  const url = new URL(clusterUrl);
  const client = new Client({ connectionString: clusterUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query("SELECT FROM pg_database WHERE datname = $1", [EMBEDDED_NAME]);
    if (rows.length === 0) await client.query(`CREATE DATABASE ${escapeIdentifier(EMBEDDED_NAME)}`);
  } finally {
    await client.end();
  }
  url.pathname = `/${EMBEDDED_NAME}`;
  return url.href;
}
