/** `./xray bench`: runs one measurement of `bench/`, or all. Each prints its ratio and fails when the claim does. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { nearest, type Words } from "../args.mts";
import { bunPath } from "../launch.mts";
import { pathsOf } from "../paths.mts";
import { Refusal, UsageError } from "../refusal.mts";

export default async function bench(words: Words): Promise<number> {
  const paths = pathsOf();
  const names = benchNames(join(paths.root, "bench"));
  const asked = words.words[0];
  if (asked !== undefined && !names.includes(asked)) {
    const guess = nearest(asked, names);
    throw new UsageError(
      `There is no bench "${asked}".`,
      guess ? `Did you mean ${guess}?` : `It is one of: ${names.join(", ")}.`,
    );
  }
  if (names.length === 0) throw new Refusal("There is nothing to measure in bench/.");
  let failed = 0;
  for (const name of asked ? [asked] : names) {
    const run = spawnSync(bunPath(paths), ["--bun", join(paths.root, "bench", `${name}.mts`)], {
      stdio: "inherit",
      cwd: paths.root,
    });
    if (run.status !== 0) failed += 1;
  }
  return failed === 0 ? 0 : 1;
}

/** `lib.mts` and `lib-*.mts` are what the measurements share. */
function benchNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((file) => /^(?!lib(?:-|\.))([a-z0-9-]+)\.mts$/.exec(file)?.[1] ?? [])
    .sort();
}
