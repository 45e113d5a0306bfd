/**
 * The production build of the pages. It is made only when its inputs changed: their hash is kept in the build itself,
 * so that a deleted or foreign `.next` is never taken for ours. One build at a time per clone, and none while something
 * that runs reads the one before.
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { privateFolder } from "./files.mts";
import { webInputsHash } from "./inputs-hash.mts";
import { noteUse, refuseWhileUsed } from "./in-use.mts";
import { baseEnv, bunPath, lastLines, logPath } from "./launch.mts";
import { dropLock, takeLock } from "./lock.mts";
import type { Paths } from "./paths.mts";
import { recordOf } from "./processes.mts";
import { Refusal } from "./refusal.mts";

/**
 * Builds when needed. Returns whether it built; from then on until it ends, this process counts as a reader of the
 * pages. Aborting ends the build and leaves nothing that passes for one.
 */
export async function buildWeb(paths: Paths, signal: AbortSignal, note: (text: string) => void): Promise<boolean> {
  const output = join(paths.root, "apps/web/.next");
  const stamp = join(output, "xray-inputs");
  const isFresh = (hash: string) =>
    existsSync(join(output, "BUILD_ID")) && existsSync(stamp) && readFileSync(stamp, "utf8") === hash;
  const noteReader = () =>
    noteUse(paths.root, { record: recordOf(process.pid)!, name: "a command that needs the pages", pages: true });
  if (isFresh(webInputsHash(paths.root))) {
    noteReader();
    return false;
  }

  const lock = join(paths.root, ".xray/web-build.lock");
  while (!takeLock(lock)) {
    note("waiting for another build");
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    const hash = webInputsHash(paths.root);
    if (isFresh(hash)) {
      noteReader();
      return false;
    }
    refuseWhileUsed(paths.root, "pages");
    note("building");
    rmSync(stamp, { force: true });
    while ((await runNextBuild(paths, signal)) === "busy") {
      note("waiting for another build");
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    writeFileSync(stamp, hash);
    noteReader();
    note("built");
    return true;
  } finally {
    dropLock(lock);
  }
}

/** `busy`: somebody runs `next build` by hand. */
async function runNextBuild(paths: Paths, signal: AbortSignal): Promise<"built" | "busy"> {
  privateFolder(paths.logs);
  const file = logPath(paths, "web-build");
  const log = openSync(file, "w", 0o600);
  const child = spawn(bunPath(paths), ["--bun", join(paths.root, "node_modules/next/dist/bin/next"), "build"], {
    cwd: join(paths.root, "apps/web"),
    env: { ...baseEnv(), NEXT_TELEMETRY_DISABLED: "1" },
    detached: true,
    stdio: ["ignore", log, log],
  });
  // The build has workers; its own process group ends them with it.
  const kill = () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  try {
    const [code, killedBy] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (...ended) => resolve(ended));
    });
    signal.throwIfAborted();
    if (code === 0) return "built";
    if (lastLines(file, 15).includes("Another next build process")) return "busy";
    throw buildFailed(file, killedBy);
  } finally {
    signal.removeEventListener("abort", kill);
    closeSync(log);
  }
}

function buildFailed(log: string, killedBy: NodeJS.Signals | null): Refusal {
  const tail = lastLines(log, 15);
  if (/ENOSPC|No space left/.test(tail)) {
    return new Refusal("The disk is full: the pages could not be built.", "Free about 1 GB, then run this again.");
  }
  if (killedBy === "SIGKILL" || /out of memory/i.test(tail)) {
    return new Refusal(
      "The system ended the build of the pages, most likely for lack of memory.",
      "Free about 2 GB of memory.",
    );
  }
  return new Refusal(
    `The pages could not be built.\n\n${tail.replace(/^/gm, "    ")}\n`,
    `The whole log is in ${log}.`,
  );
}
