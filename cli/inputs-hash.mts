/** What a build or a start was made from, as one hash: SHA-256 over names and bytes of the files. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { filesBelow } from "./files.mts";

const IGNORED = /^(?:\.next|node_modules|__tests__|next-env\.d\.ts|.*\.tsbuildinfo|.*\.test\.tsx?)$/;

/** Of everything that the build of the pages reads. */
export function webInputsHash(root: string): string {
  return hashOf(root, ["package.json", "package-lock.json", "tsconfig.json"], ["apps/web", "shared"]);
}

/** Of everything that a running site has loaded. */
export function siteInputsHash(root: string): string {
  return hashOf(root, ["package-lock.json"], ["apps", "shared"]);
}

function hashOf(root: string, files: readonly string[], folders: readonly string[]): string {
  const hash = createHash("sha256");
  const all = [
    ...files.map((name) => join(root, name)),
    ...folders.flatMap((name) => filesBelow(join(root, name), IGNORED)),
  ];
  for (const file of all) {
    const bytes = readFileSync(file);
    hash.update(`${relative(root, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}
