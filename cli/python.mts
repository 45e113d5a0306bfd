/**
 * The Python that runs scripts of skills, found once: the first of the usual names that is new enough, by the absolute
 * and real path of the interpreter itself. A name on PATH may be a script that looks for a version first, which costs
 * ten times as much as the start, and as root it may lie in a folder that a run's own user cannot enter.
 */
import { execFile } from "node:child_process";
import { constants, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { isAtLeast } from "./versions.mts";

const run = promisify(execFile);

export interface Python {
  /** Absolute and real. */
  path: string;
  version: string;
  /** The kernel's answer when it is asked for its Landlock version: that, or the number of its error, negative. */
  landlock: number;
}

/** `closed`: new enough, and another user cannot reach it. */
export type NoPython = { lacking: "python" } | { lacking: "version" | "open_folder"; found: string };

const LEAST = [3, 11];
const NAMES = ["python3", "/usr/bin/python3", "/usr/local/bin/python3"];
const NEWER = ["python3.14", "python3.13", "python3.12", "python3.11"];

/** `-I` and no site: what it says is about the interpreter, whatever the folder or the environment holds. */
const PROBE = `
import ctypes, json, os, platform, sys
answer = -38
if sys.platform == "linux":
    libc = ctypes.CDLL(None, use_errno=True)
    answer = libc.syscall(444, None, 0, 1)
    if answer < 0:
        answer = -ctypes.get_errno()
print(json.dumps([os.path.realpath(sys.executable), platform.python_version(), answer]))
`;

/** `XRAY_PYTHON` names the only one that is asked. */
export async function findPython(
  env: NodeJS.ProcessEnv = process.env,
  uid = process.getuid?.() ?? -1,
): Promise<Python | NoPython> {
  let best: NoPython = { lacking: "python" };
  for (const name of env.XRAY_PYTHON ? [env.XRAY_PYTHON] : [...NAMES, ...NEWER]) {
    const python = await ask(name);
    if (!python) continue;
    if (!isAtLeast(python.version, LEAST)) {
      if (best.lacking === "python") best = { lacking: "version", found: python.version };
    } else if (uid === 0 && !isOpenToAll(python.path)) {
      best = { lacking: "open_folder", found: python.path };
    } else {
      return python;
    }
  }
  return best;
}

export function isPython(found: Python | NoPython): found is Python {
  return "path" in found;
}

async function ask(name: string): Promise<Python | undefined> {
  try {
    const { stdout } = await run(name, ["-I", "-c", PROBE], { timeout: 10_000 });
    const [path, version, landlock] = JSON.parse(stdout) as [string, string, number];
    return { path, version, landlock };
  } catch {
    return undefined; // Not there, or no Python: the next name may be.
  }
}

/** Whether every user may enter the folders above the file and execute it. */
function isOpenToAll(path: string): boolean {
  try {
    for (let at = realpathSync(path); ; at = dirname(at)) {
      if ((statSync(at).mode & constants.S_IXOTH) === 0) return false;
      if (dirname(at) === at) return true;
    }
  } catch {
    return false;
  }
}
