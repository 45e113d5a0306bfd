/** The doctor: each prerequisite by name, what is lacking with its remedy, and an exit code that says whether up works. */
import { afterAll, describe, expect, it } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Finding } from "../../cli/prerequisites.mts";
import { xrayCommand } from "../support/xray-command.mts";

const folder = mkdtempSync(join(tmpdir(), "xray-doctor-"));
/** Enough for the script itself, and nothing that the doctor looks for. */
for (const tool of ["sh", "cat", "cksum", "dirname", "readlink"]) symlinkSync(Bun.which(tool)!, join(folder, tool));
const { run, endAll } = xrayCommand(join(folder, "home"), folder);
afterAll(() => {
  endAll();
  rmSync(folder, { recursive: true, force: true });
});

async function doctor(env: Record<string, string>) {
  const { code, out } = await run(["doctor", "--json"], { env });
  return { code, ...(JSON.parse(out) as { ok: boolean; findings: Finding[] }) };
}

const NAMES = ["Node.js", "npm", "bun", "git", "Python", "Postgres", "Landlock", "seccomp", "Chromium", "port 3000"];

describe("./xray doctor", () => {
  it("reports every prerequisite, and a remedy for exactly those that are not as they should be", async () => {
    const { code, ok, findings } = await doctor({ XRAY_CHROMIUM: "/nowhere/chromium" });
    expect(findings.map(({ name }) => name)).toEqual([...NAMES, "disk", "memory"]);
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
    expect((await run(["doctor"], { env: { PATH: folder } })).out).toContain("./xray up needs: Node.js, npm.");
  });
});
