/**
 * Reads a commit from git's own store of objects, never from the working tree: what was not committed cannot be seen
 * from here (§15.3). Runs `git`, hears nothing of the caller's git environment, and never lets it fetch.
 */
import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { Refusal } from "./refusal.mts";

export interface TreeEntry {
  path: string;
  /** `file`, executable or not; `other` is a symbolic link or another repository. */
  type: "file" | "other";
  /** Name of the object that holds the content. */
  oid: string;
  bytes: number;
}

/**
 * Full name of a commit of the repository whose top folder is `root`. Null when `root` is not one: a downloaded archive,
 * also one that was unpacked inside of another repository. Throws a `Refusal` for an unknown commit.
 */
export async function commitName(root: string, commit = "HEAD"): Promise<string | null> {
  const top = await git(root, ["rev-parse", "--show-toplevel"]).catch(() => null);
  // Compared as git prints it, without its line end: a folder's name may end with a blank.
  if (top === null || top.toString("utf8").replace(/\n$/, "") !== realpathSync(root)) return null;
  const name = await git(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${commit}^{commit}`]).catch(
    () => Buffer.of(),
  );
  const [sha] = /^[0-9a-f]{40}$/m.exec(name.toString("latin1")) ?? [];
  if (sha === undefined) throw new Refusal(`git knows no commit ${commit}.`, "Name one that git log shows.");
  return sha;
}

/** Every entry of a commit, by path as git orders them. */
export async function treeOf(root: string, sha: string): Promise<TreeEntry[]> {
  const listing = await git(root, ["ls-tree", "-r", "-l", "-z", "--full-tree", sha]);
  return listing
    .toString("utf8")
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [, mode = "", oid = "", bytes = ""] = /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t/.exec(line) ?? [];
      const type = /^100/.test(mode) ? "file" : "other";
      return { path: line.slice(line.indexOf("\t") + 1), type, oid, bytes: Number(bytes) || 0 };
    });
}

/** The contents of objects, in the order of `oids`. */
export async function blobsOf(root: string, oids: readonly string[]): Promise<Buffer[]> {
  if (oids.length === 0) return [];
  const answer = await git(root, ["cat-file", "--batch"], `${oids.join("\n")}\n`);
  let at = 0;
  return oids.map((oid) => {
    // `<oid> blob <size>`, a line end, the content, a line end.
    const end = answer.indexOf("\n", at);
    const [name, type, size] = answer.toString("latin1", at, end).split(" ");
    if (name !== oid || type !== "blob") throw new Refusal(`git could not read the object ${oid}.`, "Run git fsck.");
    const start = end + 1;
    at = start + Number(size) + 1;
    return answer.subarray(start, at - 1);
  });
}

function git(root: string, args: string[], input = ""): Promise<Buffer> {
  // A hook, an editor or a surrounding git names its own repository in these.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  return new Promise((resolve, reject) => {
    // The owner of the folder may be another than who runs this, as root does; objects are read and nothing is run.
    const child = spawn("git", ["-c", "safe.directory=*", ...args], {
      cwd: root,
      env: { ...Object.fromEntries(own), GIT_NO_LAZY_FETCH: "1", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("error", () => reject(new Refusal("git is not installed.", "Install git.")));
    child.once("close", (code) => {
      if (code === 0) resolve(Buffer.concat(chunks));
      else reject(new Refusal(`git ${args[0]} failed.`, "Run git fsck in this folder."));
    });
    // A child that is gone before it has read everything closes with its own code.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
