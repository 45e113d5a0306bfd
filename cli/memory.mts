/**
 * Memory of a process with all its children, in bytes. On Linux the proportional share (PSS), so that pages shared by
 * Postgres's processes count once; where that is not shown, and elsewhere, the resident size.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export function memoryOfTree(root: number): number {
  return process.platform === "linux" ? linuxTree(root) : psTree(root);
}

function linuxTree(root: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  }
  return tree(root, parents).reduce((sum, pid) => sum + 1024 * kilobytes(pid), 0);
}

function kilobytes(pid: number): number {
  const pss = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`));
  const rss = pss ?? /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`));
  return rss ? Number(rss[1]) : 0;
}

function psTree(root: number): number {
  const rows = execFileSync("ps", ["-axo", "pid=,ppid=,rss="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const members = new Set(tree(root, new Map(rows.map(([pid, parent]) => [pid!, parent!]))));
  return rows.reduce((sum, [pid, , kb]) => sum + (members.has(pid!) ? kb! * 1024 : 0), 0);
}

function tree(root: number, parents: ReadonlyMap<number, number>): number[] {
  const members = [root];
  for (const member of members) {
    for (const [pid, parent] of parents) if (parent === member) members.push(pid);
  }
  return members;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
