/**
 * The script that comes before everything else: what it installs, when it does not, and its sentence for each way in
 * which installing fails. It runs as it is, in a folder of its own, with a node and an npm that do as they are told.
 */
import { afterEach, describe, expect, it } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TOOLS = ["cat", "cksum", "date", "dirname", "grep", "mkdir", "readlink", "rm", "sh", "tail"];
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Machine {
  root: string;
  /** Versions of what is installed; null for what is missing. */
  node?: string | null;
  npm?: string | null;
  /** Lines of a failing npm; absent: it works. */
  npmFails?: string;
  /** What `df` says is free, before npm and after it; absent: there is no `df`. */
  freeMb?: [number, number];
}

/** A clone without packages on a machine that has nothing but these programs. */
function machine(options: Omit<Machine, "root"> = {}): Machine {
  const outer = mkdtempSync(join(tmpdir(), "xray install "));
  folders.push(outer);
  const root = join(outer, "the clone");
  mkdirSync(join(outer, "bin"));
  mkdirSync(root);
  copyFileSync("xray", join(root, "xray"));
  writeFileSync(join(root, "package-lock.json"), "1");
  for (const tool of TOOLS) symlinkSync(Bun.which(tool)!, join(outer, "bin", tool));
  return { root, node: "20.9.0", npm: "11.0.0", ...options };
}

function program(machine: Machine, name: string, script: string): void {
  const path = join(machine.root, "../bin", name);
  writeFileSync(path, `#!${Bun.which("sh")}\n${script}\n`);
  chmodSync(path, 0o755);
}

/** Runs `./xray words…`; `calls` is how often npm was asked so far. */
function xray(machine: Machine, words: string[] = ["status"], file = join(machine.root, "xray")) {
  const { root, node, npm, npmFails, freeMb } = machine;
  const log = join(root, "../npm-calls");
  const bun = "node_modules/.bin/bun";
  program(machine, "sleep", `exec ${Bun.which("sleep")} 0.02`);
  if (freeMb) {
    const line = (mb: number) => `echo '/dev/disk 9 9 ${mb * 1024} 9% /the mount'`;
    program(machine, "df", `if [ -f '${log}' ]; then ${line(freeMb[1])}; else ${line(freeMb[0])}; fi`);
  }
  if (node) program(machine, "node", `echo ${node}`);
  if (npm) {
    const works = `mkdir -p node_modules/.bin; printf '#!${Bun.which("sh")}\\necho "$@"\\n' >${bun}; "$CHMOD" +x ${bun}`;
    const fails = `cat >&2 <<'END'\n${npmFails}\nEND\nexit 1`;
    program(machine, "npm", `echo "$@" >>'${log}'\n${npmFails === undefined ? works : fails}`);
  }
  const { status, stdout, stderr } = spawnSync(file, words, {
    cwd: tmpdir(),
    env: { PATH: join(root, "../bin"), CHMOD: Bun.which("chmod")! },
    encoding: "utf8",
  });
  const calls = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0;
  return { status, stdout, stderr, calls };
}

describe("./xray without packages", () => {
  it("installs what the lock file pins, says so, and hands its words over to the command line", () => {
    const here = machine();
    const { status, stdout, stderr, calls } = xray(here, ["logs", "two words", "-f"]);
    expect([status, calls]).toEqual([0, 1]);
    expect(stdout).toBe(`--bun ${here.root}/cli/main.mts logs two words -f\n`);
    expect(stderr).toContain("installed packages");
    expect(stderr).toContain("Python 3.11 or newer was not found. The site runs without it");
    expect(readFileSync(join(here.root, "../npm-calls"), "utf8")).toStartWith("ci ");
  });

  it("installs once, also when called through a link, and again when the lock file changed", () => {
    const here = machine();
    xray(here);
    symlinkSync(join(here.root, "xray"), join(here.root, "../bin/linked"));
    expect(xray(here, ["up"], join(here.root, "../bin/linked"))).toMatchObject({ status: 0, stderr: "", calls: 1 });
    writeFileSync(join(here.root, "package-lock.json"), "2");
    expect(xray(here, ["up"])).toMatchObject({ status: 0, calls: 2 });
  });

  it("never lets npm at packages that are only linked here: it would delete another folder's", () => {
    const here = machine();
    const theirs = join(here.root, "../theirs");
    mkdirSync(theirs);
    symlinkSync(theirs, join(here.root, "node_modules"));
    const { status, stderr, calls } = xray(here);
    expect([status, calls]).toEqual([1, 0]);
    expect(stderr).toContain("The packages here are a link to another folder");
    expect(stderr).toContain(`Remove the link (rm '${here.root}/node_modules')`);
    expect(existsSync(join(here.root, ".xray/install.lock"))).toBe(false);
  });

  it("runs on linked packages when they fit", () => {
    const [here, other] = [machine(), machine()];
    xray(other);
    writeFileSync(join(other.root, "node_modules/.package-lock.json"), "");
    symlinkSync(join(other.root, "node_modules"), join(here.root, "node_modules"));
    expect(xray(here)).toMatchObject({ status: 0, stderr: "", calls: 0 });
  });

  it("tries again after an installation that failed, and takes over the lock of one that died", () => {
    const here = machine({ npmFails: "npm error network" });
    expect(xray(here)).toMatchObject({ status: 1, calls: 1 });
    mkdirSync(join(here.root, ".xray/install.lock"), { recursive: true });
    writeFileSync(join(here.root, ".xray/install.lock/pid"), "4194303");
    expect(xray({ ...here, npmFails: undefined })).toMatchObject({ status: 0, calls: 2 });
    expect(existsSync(join(here.root, ".xray/install.lock"))).toBe(false);
  });

  it("takes over a lock that was cut off before it had a name", () => {
    const here = machine();
    mkdirSync(join(here.root, ".xray/install.lock"), { recursive: true });
    expect(xray(here)).toMatchObject({ status: 0, calls: 1 });
  });

  it("keeps its folder to itself", () => {
    const here = machine();
    xray(here);
    const mode = (path: string) => statSync(join(here.root, path)).mode & 0o777;
    expect([mode(".xray"), mode(".xray/logs")]).toEqual([0o700, 0o700]);
  });

  it("says at once that nothing can be written, instead of waiting for a lock that nobody holds", () => {
    const here = machine();
    // A file in the folder's place refuses root as well.
    writeFileSync(join(here.root, ".xray"), "");
    const { status, stderr, calls } = xray(here);
    expect([status, calls]).toEqual([1, 0]);
    expect(stderr).toMatch(
      /\n {2}Nothing can be written in .+: (File exists|Not a directory)\.\n {2}Clone the project/,
    );
  });

  it.if(process.getuid?.() !== 0)("says so too where only the lock cannot be made", () => {
    const here = machine();
    mkdirSync(join(here.root, ".xray/logs"), { recursive: true });
    chmodSync(join(here.root, ".xray"), 0o555);
    expect(xray(here).stderr).toContain(`  Nothing can be written in ${here.root}: Permission denied.\n`);
    chmodSync(join(here.root, ".xray"), 0o755);
  });

  it.each<[string, Omit<Machine, "root">, string, string]>([
    ["Node.js is missing", { node: null }, "Node.js is missing.", "Install Node.js 20.9 or newer"],
    ["Node.js is a major version too old", { node: "18.20.8" }, "Node.js 18.20.8 is too old.", "20.9 or newer"],
    ["Node.js is a minor version too old", { node: "20.8.1" }, "Node.js 20.8.1 is too old.", "20.9 or newer"],
    ["npm is missing", { npm: null }, "npm is missing.", "apt-get install npm"],
  ])("refuses before it installs anything when %s", (_case, lacks, sentence, remedy) => {
    const { status, stderr, calls } = xray(machine(lacks));
    expect([status, calls]).toEqual([1, 0]);
    expect(stderr).toContain(`  ${sentence}\n`);
    expect(stderr).toContain(remedy);
  });

  it("does not begin on a disk that cannot hold the packages", () => {
    const { status, stderr, calls } = xray(machine({ freeMb: [399, 399] }));
    expect([status, calls]).toEqual([1, 0]);
    expect(stderr).toContain("  The disk is nearly full: 399 MB are free at ");
    expect(xray(machine({ freeMb: [1_000, 80] }))).toMatchObject({ status: 0, calls: 1 });
  });

  it("knows a disk that npm has filled, although npm's last words did not fit on it either", () => {
    const full = "\n  The disk is full: the packages could not be written.\n";
    expect(xray(machine({ freeMb: [1_100, 0], npmFails: "npm warn EBADEN" })).stderr).toContain(full);
    const npmFails = "npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write";
    expect(xray(machine({ freeMb: [1_100, 1_100], npmFails })).stderr).toContain(full);
    expect(xray(machine({ freeMb: [1_100, 1_100], npmFails: "npm warn EBADEN" })).stderr).not.toContain(full);
  });

  it.each([
    ["ENOSPC: no space left on device, write", "The disk is full: the packages could not be written.", "Free about"],
    ["code EACCES\nnpm error syscall mkdir", "No permission to write the packages.", "chown"],
    ["code EBADENGINE", "This Node.js is too old for the packages.", "Install Node.js"],
    ["code ECONNREFUSED", "The package registry is out of reach.", "npm ping"],
    ["getaddrinfo ENOTFOUND some.host", "The package registry is out of reach.", "npm ping"],
    ["request failed, reason: ETIMEDOUT", "The package registry is out of reach.", "npm ping"],
    ["something else", "The packages could not be installed.", "run this again. The whole log is in"],
  ])("an npm that ends with %j: %s", (line, sentence, remedy) => {
    // A warning may name anything; only errors say why it ended.
    const npmFails = `npm warn EBADENGINE ENOSPC ECONNREFUSED EACCES\nnpm error ${line}`;
    const here = machine({ npmFails });
    const { status, stderr } = xray(here);
    expect(status).toBe(1);
    expect(stderr).toContain(`\n  ${sentence}\n  `);
    expect(stderr.slice(stderr.indexOf(sentence))).toContain(remedy);
    expect(existsSync(join(here.root, ".xray/installed"))).toBe(false);
    expect(readFileSync(join(here.root, ".xray/logs/install.log"), "utf8")).toBe(`${npmFails}\n`);
  });
});
