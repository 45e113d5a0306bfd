/**
 * The embedded Postgres of a bare machine and of tests: one cluster in one folder, made once, started as a process of
 * its own that outlives its starter. Promises: it listens on loopback only and asks for a random password, it never
 * runs as root, and a server that already runs on the folder is joined instead of doubled.
 *
 * Every failure is a `Refusal`.
 */
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { LIMITS } from "../shared/limits.ts";
import { clusterErrorFrom } from "./cluster-error.mts";
import { readIfThere } from "./files.mts";
import { type Account, postgresAccount } from "./postgres-account.mts";
import { freePort } from "./ports.mts";
import { type PostgresBinaries, postgresBinaries } from "./postgres-binaries.mts";
import { type ProcessRecord, isOurs, recordOf, stopProcess } from "./processes.mts";
import { Refusal } from "./refusal.mts";

export interface ClusterOptions {
  /** Folder of this cluster alone. As root it must lie where an ordinary user can reach it. */
  home: string;
  /** A free one when left out. */
  port?: number;
  log?: (line: string) => void;
}
export interface Cluster {
  /** Connection string of the superuser, to the database `postgres`. */
  adminUrl: string;
  port: number;
  pid: number;
  /** Fast shutdown; resolves when the process is gone. */
  stop(): Promise<void>;
}

const ADMIN = "xray_admin";
const NOT_READY: Error & { code?: string } = new Error("not ready");
/** Of `postmaster.pid`, counted from 0. */
const STATUS_LINE = 7;

/** Starts the cluster of `home`, making it first when there is none. Resolves when it takes connections. */
export async function startCluster({ home, port, log = () => {} }: ClusterOptions): Promise<Cluster> {
  const account = postgresAccount();
  const place = prepareHome(home, account);
  const binaries = postgresBinaries(home, account.other);
  initialise(place, binaries, account, log);

  const running = runningServer(place);
  if (running) {
    log(`postgres runs already (pid ${running.record.pid})`);
    await untilReady(place, running.record, running.port, undefined);
    return clusterOf(place, running.record, running.port);
  }
  // What is left belongs to a process that is gone, or whose number now belongs to somebody else.
  rmSync(join(place.data, "postmaster.pid"), { force: true });

  for (let attempt = 1; ; attempt++) {
    const chosen = port ?? (await freePort());
    log(`starting postgres on 127.0.0.1:${chosen}`);
    const logStart = existsSync(place.logFile) ? statSync(place.logFile).size : 0;
    const record = launch(place, binaries, account, chosen);
    try {
      await untilReady(place, record, chosen, logStart);
      return clusterOf(place, record, chosen);
    } catch (error) {
      await stopProcess(record, "SIGINT", LIMITS.databaseStopWaitMs);
      // Between finding a free port and binding it somebody else may have taken it.
      const again = port === undefined && attempt < 3 && /^Port \d+ is taken/.test((error as Error).message);
      if (!again) throw error;
    }
  }
}

interface Place {
  data: string;
  passwordFile: string;
  logFile: string;
}

/** The folder belongs to whoever starts this; the data in it, to the account that runs Postgres. */
function prepareHome(home: string, account: Account): Place {
  mkdirSync(home, { recursive: true, mode: 0o755 });
  if (account.other) chmodSync(home, 0o711);
  const place = { data: join(home, "data"), passwordFile: join(home, "password"), logFile: join(home, "postgres.log") };
  if (existsSync(place.data) && statSync(place.data).uid !== account.uid) {
    throw new Refusal(
      `The database in ${home} belongs to another user (uid ${statSync(place.data).uid}).`,
      "Run this as that user, or point XRAY_HOME at a folder of your own.",
    );
  }
  if (!existsSync(place.passwordFile)) {
    writeFileSync(place.passwordFile, randomBytes(24).toString("base64url"), { mode: 0o600 });
  }
  return place;
}

/** Makes the cluster in a folder beside and renames it, so that an interrupted start leaves nothing half made. */
function initialise(place: Place, binaries: PostgresBinaries, account: Account, log: (line: string) => void): void {
  const versionFile = join(place.data, "PG_VERSION");
  if (existsSync(versionFile)) {
    const major = readFileSync(versionFile, "utf8").trim();
    if (major === binaries.major) return;
    throw new Refusal(
      `The database in ${place.data} was made by Postgres ${major}; this one is ${binaries.major}.`,
      "Run the earlier version of this program to save what you need, then move that folder aside.",
    );
  }
  log("making a new database cluster");
  const fresh = `${place.data}.new`;
  const passwordCopy = `${place.passwordFile}.initdb`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordCopy, readFileSync(place.passwordFile), { mode: 0o600 });
  if (account.other) {
    chownSync(fresh, account.uid, account.gid);
    chownSync(passwordCopy, account.uid, account.gid);
  }
  try {
    const { status, stdout, stderr, error } = spawnSync(
      binaries.initdb,
      [
        ...["-D", fresh, "-U", ADMIN, `--pwfile=${passwordCopy}`, "--auth=scram-sha-256", "--encoding=UTF8"],
        // The same order and letter cases on every machine, whatever its own locale is.
        ...["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-instructions"],
      ],
      { ...as(account), cwd: "/", env: {}, encoding: "utf8" },
    );
    if (error || status !== 0) {
      throw clusterErrorFrom(`${stdout}${stderr}${error?.message ?? ""}`, "making the database", place);
    }
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordCopy, { force: true });
  }
  renameSync(fresh, place.data);
}

/** Sized for a small server beside a web site. Its log never holds a statement or a value: those are visitors' words. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "60",
  shared_buffers: "32MB",
  max_wal_size: "256MB",
  io_method: "sync",
  jit: "off",
  max_parallel_workers: "0",
  max_logical_replication_workers: "0",
  timezone: "UTC",
  log_timezone: "UTC",
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

function launch(place: Place, binaries: PostgresBinaries, account: Account, port: number): ProcessRecord {
  const settings = Object.entries({ ...SETTINGS, port: String(port) }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const logFile = openSync(place.logFile, "a", 0o600);
  try {
    const child = spawn(binaries.postgres, ["-D", place.data, ...settings], {
      ...as(account),
      cwd: "/",
      env: {},
      detached: true,
      stdio: ["ignore", logFile, logFile],
    });
    child.on("error", () => {});
    child.unref();
    const record = recordOf(child.pid ?? 0);
    if (!record) throw clusterErrorFrom(tail(place.logFile, 0), "starting the database", { ...place, port });
    return record;
  } finally {
    closeSync(logFile);
  }
}

/** The server that now works on the data folder, if there is one. A pid in a file proves nothing by itself. */
function runningServer(place: Place): { record: ProcessRecord; port: number; isReady: boolean } | undefined {
  const lines = readIfThere(join(place.data, "postmaster.pid"))?.split("\n") ?? [];
  const [pid, , , port] = lines;
  const record = recordOf(Number(pid));
  if (!record || !worksOn(record.pid, place.data)) return undefined;
  return { record, port: Number(port), isReady: lines[STATUS_LINE]?.trim() === "ready" };
}

/** Postgres makes its data folder the working directory; where that cannot be read, its command line names it. */
function worksOn(pid: number, data: string): boolean {
  try {
    if (process.platform === "linux") return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
  } catch {
    return false;
  }
  const { stdout } = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.includes(` -D ${data} `);
}

/** Resolves when the server answers the superuser; throws when it ends before, or takes too long. */
async function untilReady(place: Place, record: ProcessRecord, port: number, logStart: number | undefined) {
  const deadline = Date.now() + LIMITS.startWaitMs;
  for (;;) {
    const error = saysReady(place, record) ? await connectionError(place, port) : NOT_READY;
    if (error === undefined) return;
    if (!isOurs(record)) {
      throw clusterErrorFrom(tail(place.logFile, logStart ?? 0), "starting the database", { ...place, port });
    }
    if (error.code === "28P01") {
      throw new Refusal(
        "The database refuses its own password.",
        `The file ${place.passwordFile} does not belong to it; restore it, or move the folder aside to start afresh.`,
      );
    }
    if (Date.now() > deadline) {
      throw new Refusal("The database did not become ready in time.", `The log is ${place.logFile}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Whether this very server has bound its port. Until then whoever sits on the port could ask for the password in the
 * clear, as the protocol allows any server to.
 */
function saysReady(place: Place, record: ProcessRecord): boolean {
  const running = runningServer(place);
  return running?.record.pid === record.pid && running.isReady;
}

/** Why the superuser cannot log in now; undefined when it can. */
async function connectionError(place: Place, port: number): Promise<(Error & { code?: string }) | undefined> {
  const client = new Client({ connectionString: urlOf(place, port), connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.end();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function clusterOf(place: Place, record: ProcessRecord, port: number): Cluster {
  return {
    adminUrl: urlOf(place, port),
    port,
    pid: record.pid,
    stop: async () => {
      await stopProcess(record, "SIGINT", LIMITS.databaseStopWaitMs);
    },
  };
}

function urlOf(place: Place, port: number): string {
  return `postgres://${ADMIN}:${readFileSync(place.passwordFile, "utf8")}@127.0.0.1:${port}/postgres`;
}

function tail(file: string, from: number): string {
  return existsSync(file) ? readFileSync(file).subarray(from).toString("utf8") : "";
}

function as(account: Account): { uid?: number; gid?: number } {
  return account.other ? { uid: account.uid, gid: account.gid } : {};
}
