/**
 * Starts the application on the bundled host, as its own process on a free port, for tests over real HTTP. Each start
 * has its own infrastructure file and its own minimal environment; `stop` leaves nothing behind.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type WatchedProcess, watchProcess } from "./watched-process.mts";

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
export interface RunningApp extends Omit<WatchedProcess, "url"> {
  url: string;
  pid: number;
}

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const HOST = join(REPOSITORY, "apps/host/main.mts");

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
  const app = watchProcess(child, () => rmSync(directory, { recursive: true, force: true }));
  try {
    return { ...app, url: await app.url(), pid: child.pid! };
  } catch (error) {
    await app.stop("SIGKILL");
    throw error;
  }
}

function infraOf(options: AppOptions): unknown {
  const { databaseUrl, databaseName = "xray", shutdownSeconds } = options;
  return {
    metadata: { env_name: "test", env_type: "test", cloud: "aws", base_url: "http://127.0.0.1" },
    sql_servers: databaseUrl === undefined ? [] : [sqlServer(new URL(databaseUrl), databaseName)],
    secrets: {
      ConfigEncryptionKey: { $env: "CONFIG_ENCRYPTION_KEY" },
      McpAuthTokenHash: { $env: "MCP_AUTH_TOKEN_HASH" },
      MetricsIpSalt: { $env: "METRICS_IP_SALT" },
      ...options.secrets,
    },
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
    METRICS_IP_SALT: randomBytes(32).toString("base64"),
    ...(options.strict ? { HOST_STRICT: "1" } : {}),
    ...(options.limits ? { XRAY_TEST_LIMITS: JSON.stringify(options.limits) } : {}),
    ...options.env,
  };
}
