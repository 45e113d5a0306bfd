/**
 * Starts the application on the bundled host, as its own process on a free port, for tests over real HTTP. Each start
 * has its own infrastructure file and its own minimal environment; `stop` leaves nothing behind.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface AppOptions {
  /** Given to the application as its database; its name begins with `xray_test` when `limits` is used. */
  databaseUrl?: string;
  /** Encore name of that database. */
  databaseName?: string;
  env?: Record<string, string>;
  /** Scaled limits, as `XRAY_TEST_LIMITS`. */
  limits?: Record<string, number>;
  /** Values of further Encore secrets. */
  secrets?: Record<string, string>;
  /** Hide what Encore's runtime would not show (a client that leaves). */
  strict?: boolean;
  /** Another application than this repository's. */
  root?: string;
  /** Seconds that a stop may take. */
  shutdownSeconds?: number;
}
export interface RunningApp {
  url: string;
  pid: number;
  /** Everything the process wrote so far, standard output and error. */
  log(): string;
  /** The log once it holds `text`; rejects when the process ends or the time is up without it. */
  logged(text: string): Promise<string>;
  /** Sends a signal and resolves to the exit code, null when a signal killed it. Safe to call twice. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const HOST = join(REPOSITORY, "apps/host/main.mts");
const START_MS = 30_000;
const LOG_MS = 10_000;
const KILL_MS = 15_000;

/** Resolves when the application listens; rejects with its log when it does not start. */
export async function startApp(options: AppOptions = {}): Promise<RunningApp> {
  const directory = mkdtempSync(join(tmpdir(), "xray-app-"));
  const infraPath = join(directory, "infra.json");
  writeFileSync(infraPath, JSON.stringify(infraOf(options)), { mode: 0o600 });
  const child = spawn(process.execPath, ["--bun", HOST], {
    cwd: options.root ?? REPOSITORY,
    env: environmentOf(options, infraPath),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const app = watch(child, () => rmSync(directory, { recursive: true, force: true }));
  try {
    const log = await app.logged('"message":"listening"');
    const address = /"message":"listening","address":"([^"]+)"/.exec(log)![1]!;
    return { ...app, url: `http://${address}`, pid: child.pid! };
  } catch (error) {
    await app.stop("SIGKILL");
    throw error;
  }
}

function watch(child: ChildProcess, onExit: () => void): Pick<RunningApp, "log" | "logged" | "stop"> {
  let text = "";
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const check of waiting) check();
  };
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      wake();
    });
  }
  // `close` comes after the last byte of both streams.
  const closed = once(child, "close").then(([code]) => {
    onExit();
    wake();
    return code as number | null;
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    log: () => text,
    logged: (wanted) =>
      new Promise((resolve, reject) => {
        const finish = (settle: () => void) => {
          clearTimeout(timer);
          waiting.delete(check);
          settle();
        };
        const fail = (reason: string) => finish(() => reject(new Error(`${reason} Its log:\n${text}`)));
        const check = () => {
          if (text.includes(wanted)) finish(() => resolve(text));
          else if (hasEnded()) fail(`The application ended without logging ${wanted}.`);
        };
        const patienceMs = text === "" ? START_MS : LOG_MS;
        const timer = setTimeout(() => fail(`The application did not log ${wanted} in ${patienceMs} ms.`), patienceMs);
        waiting.add(check);
        check();
      }),
    stop: async (signal = "SIGTERM") => {
      if (!hasEnded()) child.kill(signal);
      const timer = setTimeout(() => child.kill("SIGKILL"), KILL_MS);
      const code = await closed;
      clearTimeout(timer);
      return code;
    },
  };
}

function infraOf(options: AppOptions): unknown {
  const { databaseUrl, databaseName = "xray", shutdownSeconds } = options;
  return {
    metadata: { env_name: "test", env_type: "test", cloud: "aws", base_url: "http://127.0.0.1" },
    sql_servers: databaseUrl === undefined ? [] : [sqlServer(new URL(databaseUrl), databaseName)],
    secrets: { ConfigEncryptionKey: { $env: "CONFIG_ENCRYPTION_KEY" }, ...options.secrets },
    ...(shutdownSeconds === undefined ? {} : { graceful_shutdown: { total: shutdownSeconds } }),
  };
}

function sqlServer(url: URL, encoreName: string): unknown {
  return {
    host: url.host,
    tls_config: { disabled: true },
    databases: {
      [encoreName]: {
        name: decodeURIComponent(url.pathname.slice(1)),
        username: decodeURIComponent(url.username),
        password: decodeURIComponent(url.password),
      },
    },
  };
}

/** Nothing of the developer's environment reaches the application, so that no key of theirs changes a test. */
function environmentOf(options: AppOptions, infraPath: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    TMPDIR: tmpdir(),
    ENCORE_LISTEN_ADDR: "127.0.0.1:0",
    // However the runner ends, the pipe closes and the application stops.
    HOST_STOP_WITH_STDIN: "1",
    ENCORE_INFRA_CONFIG_PATH: infraPath,
    CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    ...(options.strict ? { HOST_STRICT: "1" } : {}),
    ...(options.limits ? { XRAY_TEST_LIMITS: JSON.stringify(options.limits) } : {}),
    ...options.env,
  };
}
