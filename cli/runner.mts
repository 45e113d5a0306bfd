/**
 * The runner of a bare-machine site: one supervised process that takes scripts over a socket of its own, started when
 * this machine can wall a script in, and told of only after its own attempts to break out have failed. Where it cannot
 * run the site runs without it, and says why.
 */
import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { healthText } from "../apps/api/tools/sandbox/runner-client.ts";
import { LIMITS } from "../shared/limits.ts";
import { siteSettings } from "./infra.mts";
import { baseEnv, launch } from "./launch.mts";
import type { Paths } from "./paths.mts";
import { isOurs, type ProcessRecord, stopProcess } from "./processes.mts";
import { findPython, isPython } from "./python.mts";
import { runnerPackages } from "./runner-packages.mts";

/** `absent` says why there is none, as the end of a sentence. `url` alone: a runner that the owner's settings name. */
export type StartedRunner = { url: string; process?: ProcessRecord } | { absent: string };

/** Two instances of one program: without a network, and with the way to public https alone. */
export const RUNNERS = {
  none: { name: "runner", variable: "XRAY_SKILL_RUNNER_URL" },
  egress: { name: "runner-egress", variable: "XRAY_SKILL_RUNNER_EGRESS_URL" },
} as const;
export type Tier = keyof typeof RUNNERS;

export interface StartRunnerOptions {
  /** `none` unless said otherwise. The open one runs on the interpreter of its packages. */
  tier?: Tier;
  signal: AbortSignal;
  /** Hears of the process as soon as there is one, so that it can be stopped whatever happens next. */
  onProcess(process: ProcessRecord): void;
}

/** Resolves when the runner has passed its self-test, or with the reason why this site has none. Never rejects for one. */
export async function startRunner(
  paths: Paths,
  { tier = "none", signal, onProcess }: StartRunnerOptions,
): Promise<StartedRunner> {
  const { name, variable } = RUNNERS[tier];
  const named = siteSettings(paths, "")[variable];
  if (named) return { url: named };
  if (process.platform !== "linux") return { absent: "only Linux can wall them in" };
  const python = await findPython();
  if (!isPython(python)) {
    return {
      absent: { python: "there is no Python", version: "Python is too old", open_folder: CLOSED }[python.lacking],
    };
  }
  if (python.landlock < 2) return { absent: "this kernel offers no Landlock" };
  const place = runnerPlace(paths, name);
  if (!place) return { absent: "its folder belongs to another user" };
  const packages = tier === "egress" ? await runnerPackages(paths, python.path, signal) : { python: python.path };
  if ("absent" in packages) return packages;
  signal.throwIfAborted();

  rmSync(place.socket, { force: true });
  const record = launch(paths, {
    name,
    program: packages.python,
    // -B: the clone stays as it is. -s and -P: nothing of a person's own packages or of the folder it starts in.
    argv: ["-B", "-s", "-m", "xray_runner"],
    cwd: join(paths.root, "runner"),
    env: {
      ...(baseEnv().PATH ? { PATH: baseEnv().PATH! } : {}),
      LANG: "C.UTF-8",
      RUNNER_LISTEN: place.socket,
      RUNNER_NETWORK: tier,
      RUNNER_WORK: place.work,
    },
  });
  onProcess(record);
  const fault = await untilTested(place.socket, record, signal);
  if (fault === undefined) return { url: `unix:${place.socket}`, process: record };
  await stopProcess(record, "SIGTERM", LIMITS.stopWaitMs);
  return { absent: fault };
}

const CLOSED = "Python lies where only root may enter";

export interface RunnerPlace {
  socket: string;
  work: string;
}

/**
 * Its folders, made when absent: as root where a run's own user gets through, and the socket where its path fits into
 * the system's bound. Undefined when somebody else has made one of them first.
 */
export function runnerPlace(paths: Paths, name: string = RUNNERS.none.name): RunnerPlace | undefined {
  const uid = process.getuid?.() ?? -1;
  const mode = uid === 0 ? 0o711 : 0o700;
  if (uid === 0 && !ownFolder(paths.cluster, uid, 0o711)) return undefined;
  if (!ownFolder(paths.runner, uid, mode)) return undefined;
  const inPlace = join(paths.runner, `${name}.sock`);
  const work = join(paths.runner, `${name}-work`);
  if (Buffer.byteLength(inPlace) <= SOCKET_PATH_BYTES) return { socket: inPlace, work };
  const short = `/tmp/xray-${uid}-${createHash("sha256").update(paths.home).digest("hex").slice(0, 16)}`;
  if (!ownFolder(short, uid, 0o700)) return undefined;
  return { socket: join(short, `${name}.sock`), work };
}

const SOCKET_PATH_BYTES = 100;

/** A folder of that user's own with exactly that mode. A link to one is none. */
function ownFolder(path: string, uid: number, mode: number): boolean {
  mkdirSync(path, { recursive: true, mode });
  const found = lstatSync(path);
  if (!found.isDirectory() || found.uid !== uid) return false;
  chmodSync(path, mode);
  return true;
}

/** Undefined once the runner says that runs are possible; else what is the matter, as the end of a sentence. */
async function untilTested(socket: string, record: ProcessRecord, signal: AbortSignal): Promise<string | undefined> {
  const deadline = Date.now() + LIMITS.startWaitMs;
  let health: RunnerHealth | undefined;
  while (isOurs(record) && Date.now() < deadline) {
    signal.throwIfAborted();
    health = await runnerHealth(socket);
    if (health?.ok) return undefined;
    if (health && health.missing.length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
  if (health && health.missing.length > 0) return `the runner lacks ${health.missing.join(", ")}`;
  return isOurs(record) ? "its self-test did not end in time" : "the runner ended (./xray logs says why)";
}

export interface RunnerHealth {
  ok: boolean;
  /** Codes of what stands in the way of runs. */
  missing: string[];
}

/** What a runner says of itself; undefined when nobody answers. */
export async function runnerHealth(socketPath: string): Promise<RunnerHealth | undefined> {
  const text = await healthText({ socketPath }, LIMITS.runnerHealthMs);
  return text === undefined ? undefined : healthOf(text);
}

function healthOf(text: string): RunnerHealth | undefined {
  try {
    const { ok, missing } = JSON.parse(text) as { ok?: unknown; missing?: unknown };
    const codes = Array.isArray(missing) ? missing.filter((code) => typeof code === "string") : [];
    return { ok: ok === true, missing: codes.filter((code) => /^[a-z0-9_]{1,64}$/.test(code)) };
  } catch {
    return undefined;
  }
}

/** What the API is told of the runners; the owner's own settings win over each. */
export function runnerSettings(urls: Partial<Record<Tier, string>>): Record<string, string> {
  const told = Object.entries(urls).map(([tier, url]) => [RUNNERS[tier as Tier].variable, url]);
  return told.length > 0 ? { ...Object.fromEntries(told), XRAY_UNLOCK_DANGEROUS_TOOLS: "1" } : {};
}
