/** The doctor: each prerequisite by name, what is lacking with its remedy, and an exit code that says whether up works. */
import { afterAll, describe, expect, it } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { writeJson } from "../../cli/files.mts";
import { type Finding, landlockFinding } from "../../cli/prerequisites.mts";
import { recordOf } from "../../cli/processes.mts";
import { findPython } from "../../cli/python.mts";
import { xrayCommand } from "../support/xray-command.mts";

const folder = mkdtempSync(join(tmpdir(), "xray-doctor-"));
/** Enough for the script itself, and nothing that the doctor looks for. */
for (const tool of ["sh", "cat", "cksum", "dirname", "readlink"]) symlinkSync(Bun.which(tool)!, join(folder, tool));
const { run, endAll } = xrayCommand(join(folder, "home"), folder);
const records = join(folder, "home/running.json");
afterAll(() => {
  endAll();
  rmSync(folder, { recursive: true, force: true });
});

/** Without Python unless told otherwise: trying the sandbox takes its time. */
async function doctor(env: Record<string, string>) {
  const { code, out } = await run(["doctor", "--json"], { env: { XRAY_PYTHON: "/nowhere/python", ...env } });
  return { code, ...(JSON.parse(out) as { ok: boolean; findings: Finding[] }) };
}

const NAMES = [
  "Node.js",
  "npm",
  "bun",
  "git",
  "Python",
  "Postgres",
  "Landlock",
  "seccomp",
  "sandbox",
  "venv",
  "Chromium",
  "records",
];

describe("./xray doctor", () => {
  it("reports every prerequisite, and a remedy for exactly those that are not as they should be", async () => {
    const { code, ok, findings } = await doctor({ XRAY_CHROMIUM: "/nowhere/chromium" });
    expect(findings.map(({ name }) => name)).toEqual([...NAMES, "port 3000", "disk", "memory"]);
    expect(findings.filter(({ state, remedy }) => (state === "ok") !== (remedy === undefined))).toEqual([]);
    // What it names here is missing for certain, and is needed by tests only.
    expect(findings.find(({ name }) => name === "Chromium")).toMatchObject({
      state: "missing",
      found: "/nowhere/chromium not found",
      needed: false,
    });
    expect([ok, code]).toEqual([true, 0]);
  });

  it("says no when something is lacking that up cannot do without, and which", async () => {
    const { code, ok, findings } = await doctor({ PATH: folder });
    const lacking = findings.filter(({ state, needed }) => needed && state !== "ok").map(({ name }) => name);
    expect([code, ok, lacking]).toEqual([1, false, ["Node.js", "npm"]]);
    expect((await run(["doctor"], { env: { PATH: folder, XRAY_PYTHON: "/nowhere/python" } })).out).toContain(
      "./xray up needs: Node.js, npm.",
    );
  });

  it("says how to get virtual environments where Python comes without them, as Debian's does", async () => {
    const open = join(folder, "pythons");
    mkdirSync(open);
    for (const path of [folder, open]) chmodSync(path, 0o755);
    const answers = ["exit 1", "exit 0"].map(async (answer, at) => {
      const python = join(open, `python${at}`);
      writeFileSync(
        python,
        `#!/bin/sh\ncase "$*" in *ensurepip*) ${answer} ;; esac\necho '["${python}", "3.12.0", 7]'\n`,
      );
      chmodSync(python, 0o755);
      const { findings, code } = await doctor({ XRAY_PYTHON: python });
      const found = findings.find(({ name }) => name === "venv");
      return [found?.state, /apt-get install python3-venv/.test(found?.remedy ?? ""), code];
    });
    expect(await Promise.all(answers)).toEqual([
      ["missing", true, 0],
      ["ok", false, 0],
    ]);
  });

  it("looks at the port as up does: one that localhost may mean counts, too", async () => {
    const server = createServer();
    const isOurs = await new Promise((resolve) => {
      server.once("error", () => resolve(false)); // Somebody else has it, which is as good.
      server.listen({ host: "::1", port: 3_000, ipv6Only: true }, () => resolve(true));
    });
    const { findings } = await doctor({});
    server.close();
    const found = findings.find(({ name }) => name === "port 3000");
    expect([found?.state, found?.remedy]).toEqual(["taken", "./xray up --port N takes another"]);
    if (isOurs && process.platform === "linux") expect(found?.found).toBe(`used by bun (pid ${process.pid})`);
  });

  it("names the port of the site that runs here, and does not call it taken", async () => {
    const site = { url: "http://localhost:4321", port: 4_321, processes: { web: recordOf(process.pid) } };
    writeJson(records, site);
    const { findings } = await doctor({});
    expect(findings.find(({ name }) => name.startsWith("port"))).toEqual({
      name: "port 4321",
      state: "ok",
      found: "held by this site, http://localhost:4321",
      needed: false,
    });
    // A record of a process that is gone is no site.
    writeJson(records, { ...site, processes: { web: { pid: process.pid, started: "another boot:1" } } });
    expect((await doctor({})).findings.some(({ name }) => name === "port 3000")).toBe(true);
    rmSync(records);
  });

  it("says that records cannot be read, as status, up and down do instead of guessing", async () => {
    writeFileSync(records, "{");
    const sentence = `The record of what runs, ${records}, cannot be read.`;
    const { code, findings } = await doctor({});
    const found = findings.find(({ name }) => name === "records");
    expect([code, found]).toMatchObject([1, { state: "broken", found: sentence, needed: true }]);
    const runs = await Promise.all(["status", "up", "down"].map((command) => run([command])));
    for (const { code: exit, out, err } of runs) {
      expect([exit, out, err.split("\n")[1]]).toEqual([1, "", `  ${sentence}`]);
    }
    rmSync(records);
    expect((await run(["status"])).out).toContain("stopped");
  });
});

describe("the sandbox", () => {
  it("is what the runner found when it tried, and without Python what is said beside Python", async () => {
    const { findings } = await doctor({ XRAY_PYTHON: "" });
    const of = (name: string) => findings.find((finding) => finding.name === name);
    if (of("Python")?.state === "ok" && of("Landlock")?.state === "ok" && of("seccomp")?.state === "ok") {
      expect(of("sandbox")).toEqual({ name: "sandbox", state: "ok", found: "a run stays in", needed: false });
    }
    const without = await doctor({});
    expect(without.findings.find(({ name }) => name === "sandbox")).toMatchObject({ state: "missing", needed: false });
  });
});

describe("Landlock", () => {
  const { EOPNOTSUPP, EPERM, ENOSYS } = constants.errno;

  it("is found by its version, and each way to lack it has the way to get it", () => {
    expect(landlockFinding(7, "linux")).toMatchObject({ state: "ok", found: "ABI 7" });
    expect(landlockFinding(2, "linux").state).toBe("ok");
    const lacking: [number | undefined, string, string, RegExp][] = [
      [1, "linux", "too old", /^Boot Linux 5\.19 or newer \(this is \S+\)\./],
      [-ENOSYS, "linux", "missing", /^Boot Linux 5\.19 or newer/],
      [-EOPNOTSUPP, "linux", "missing", /^Add landlock to the kernel's lsm= boot option/],
      [-EPERM, "linux", "missing", /^Update the container engine/],
      [undefined, "linux", "missing", /^Get Python/],
      [undefined, "darwin", "missing", /^Run this in a Linux machine, virtual machine or container/],
    ];
    for (const [answer, platform, state, remedy] of lacking) {
      const finding = landlockFinding(answer, platform);
      expect([answer, finding.state, finding.needed, remedy.test(finding.remedy ?? "")]).toEqual([
        answer,
        state as Finding["state"],
        false,
        true,
      ]);
    }
  });
});

describe("Python", () => {
  const put = (name: string, says: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 });
    return path;
  };

  it("is the interpreter itself, not the name it was found by", async () => {
    const real = put("python-real", "[]");
    const shim = put("python-shim", JSON.stringify([real, "3.13.1", 7]));
    expect(await findPython({ XRAY_PYTHON: shim }, 1_000)).toEqual({ path: real, version: "3.13.1", landlock: 7 });
  });

  it("that is too old, silent or absent is none, and it is told which", async () => {
    const old = put("python-old", JSON.stringify(["/usr/bin/x", "3.10.9", 7]));
    expect(await findPython({ XRAY_PYTHON: old }, 1_000)).toEqual({ lacking: "version", found: "3.10.9" });
    expect(await findPython({ XRAY_PYTHON: put("no-python", "hello") }, 1_000)).toEqual({ lacking: "python" });
    expect(await findPython({ XRAY_PYTHON: join(folder, "nothing") }, 1_000)).toEqual({ lacking: "python" });
  });

  it("for root must lie where a run's own user can reach it", async () => {
    const closed = join(folder, "closed");
    mkdirSync(closed);
    writeFileSync(join(closed, "python"), "", { mode: 0o755 });
    const shim = put("python-closed", JSON.stringify([join(closed, "python"), "3.12.0", 7]));
    chmodSync(folder, 0o755);
    chmodSync(closed, 0o755);
    expect(await findPython({ XRAY_PYTHON: shim }, 0)).toMatchObject({ version: "3.12.0" });
    chmodSync(closed, 0o700);
    expect(await findPython({ XRAY_PYTHON: shim }, 0)).toEqual({
      lacking: "open_folder",
      found: join(closed, "python"),
    });
    expect(await findPython({ XRAY_PYTHON: shim }, 1_000)).toMatchObject({ version: "3.12.0" });
  });
});
