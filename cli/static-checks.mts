/** Checks that read the tree and run nothing of it. Each returns what is wrong, as text; an empty text means nothing. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bunPath } from "./launch.mts";
import type { Paths } from "./paths.mts";

export interface StaticCheck {
  name: string;
  find(paths: Paths): Promise<string>;
}

export const STATIC_CHECKS: readonly StaticCheck[] = [
  { name: "types", find: (paths) => types(paths, paths.root) },
  { name: "types of the pages", find: (paths) => types(paths, join(paths.root, "apps/web")) },
  { name: "lint", find: (paths) => script(paths, "node_modules/.bin/biome", ["lint", "--diagnostic-level=error"]) },
  { name: "format", find: (paths) => script(paths, "node_modules/.bin/biome", ["format", "--diagnostic-level=error"]) },
  { name: "layout for Encore's parser", find: (paths) => script(paths, "apps/host/layout-guard.mts", []) },
  {
    name: "lock file",
    find: async ({ root }) => lockFileFaults(readText(root, "package.json"), readText(root, "package-lock.json")),
  },
  { name: "secrets in tracked files", find: secrets },
];

/** encore.dev ships its sources as its types; their faults under newer Node types are not ours, so only ours count. */
async function types(paths: Paths, folder: string): Promise<string> {
  const { code, output } = await capture(
    paths,
    [join(paths.root, "node_modules/.bin/tsc"), "--noEmit", "--pretty", "false"],
    folder,
  );
  const ours = output
    .split("\n")
    .filter((line) => /: error TS\d+|^error TS\d+/.test(line) && !/^(?:\.\.\/)*node_modules\//.test(line));
  if (ours.length > 0) return ours.join("\n");
  return code === 0 || /: error TS\d+/.test(output) ? "" : output || "the compiler failed without a word";
}

async function script(paths: Paths, file: string, args: string[]): Promise<string> {
  const { code, output } = await capture(paths, [join(paths.root, file), ...args], paths.root);
  return code === 0 ? "" : output || `${file} failed without a word`;
}

/** The lock names no registry, and says the same as package.json. */
export function lockFileFaults(manifestText: string, lockText: string): string {
  const manifest = JSON.parse(manifestText) as Record<string, Record<string, string> | undefined>;
  const lock = JSON.parse(lockText) as { packages: Record<string, Record<string, unknown>> };
  const faults: string[] = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    if ("resolved" in entry)
      faults.push(`${path} names where it was downloaded from; install with this repository's .npmrc`);
  }
  for (const kind of ["dependencies", "devDependencies", "optionalDependencies"]) {
    const wanted = manifest[kind] ?? {};
    const locked = (lock.packages[""]?.[kind] ?? {}) as Record<string, string>;
    for (const name of new Set([...Object.keys(wanted), ...Object.keys(locked)])) {
      if (wanted[name] !== locked[name]) {
        faults.push(
          `${kind}.${name}: package.json says ${wanted[name] ?? "nothing"}, the lock ${locked[name] ?? "nothing"}`,
        );
      } else if (lock.packages[`node_modules/${name}`]?.version !== wanted[name]) {
        faults.push(
          `${kind}.${name}: pinned to ${wanted[name]}, locked to ${lock.packages[`node_modules/${name}`]?.version}`,
        );
      }
    }
  }
  return faults.join("\n");
}

/** Outside a git work tree (a downloaded archive) there is no list of tracked files, which is said, not passed. */
async function secrets(paths: Paths): Promise<string> {
  const listed = await run("git", ["-C", paths.root, "ls-files", "-z"], paths.root);
  if (listed.code !== 0) return "git does not list the tracked files here";
  const files = listed.output.split("\0").filter((file) => file && existsSync(join(paths.root, file)));
  return await script(paths, "node_modules/.bin/secretlint", ["--no-glob", "--no-gitignore", ...files]);
}

function capture(paths: Paths, argv: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  return run(bunPath(paths), ["--bun", ...argv], cwd);
}

function run(program: string, args: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.once("error", (error) =>
      resolve({ code: null, output: `${program} could not be started: ${error.message}` }),
    );
    child.once("close", (code) => resolve({ code, output: output.trim() }));
  });
}

function readText(root: string, file: string): string {
  return readFileSync(join(root, file), "utf8");
}
