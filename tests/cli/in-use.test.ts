/** Packages and built pages are not replaced under what still reads them: the notes, the refusal, and the script. */
import { afterEach, beforeEach, describe, expect, it } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { noteUse, refuseWhileUsed, usesOf } from "../../cli/in-use.mts";
import { recordOf } from "../../cli/processes.mts";
import { buildWeb } from "../../cli/web-build.mts";
import { pathsOf } from "../../cli/paths.mts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const children: ChildProcess[] = [];
let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "xray in-use "));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

function reader(name: string, pages: boolean): ChildProcess {
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  children.push(child);
  noteUse(root, { record: recordOf(child.pid!)!, name, pages });
  return child;
}

function refusal(what: "packages" | "pages"): string {
  try {
    refuseWhileUsed(root, what);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

describe("a note of use", () => {
  it("keeps packages from being replaced, and pages when it reads them", () => {
    expect([refusal("packages"), refusal("pages")]).toEqual(["", ""]);
    const api = reader("api", false).pid;
    const sentence = (what: string, who: string) =>
      `The ${what} of this folder have changed, and what runs still reads the earlier ones: ${who}.`;
    expect([refusal("packages"), refusal("pages")]).toEqual([sentence("packages", `api (pid ${api})`), ""]);
    const web = reader("web", true).pid;
    expect(refusal("pages")).toBe(sentence("pages", `web (pid ${web})`));
  });

  it("ends with its process, and a stranger under the same pid does not renew it", async () => {
    const api = reader("api", false);
    const { pid } = reader("web", true);
    noteUse(root, { record: { pid: pid!, started: "another boot:1" }, name: "web", pages: true });
    api.kill();
    await once(api, "exit");
    expect(usesOf(root)).toEqual([]);
    expect(readdirSync(join(root, ".xray/in-use"))).toEqual([]);
  });

  it("does not stand in its own process's way", () => {
    noteUse(root, { record: recordOf(process.pid)!, name: "test", pages: true });
    expect([refusal("packages"), refusal("pages")]).toEqual(["", ""]);
  });
});

describe("a build of the pages", () => {
  it("is refused while another process serves the earlier ones, whose files stay", async () => {
    for (const file of ["package.json", "package-lock.json", "tsconfig.json"]) writeFileSync(join(root, file), "{}");
    for (const folder of ["apps/web/.next", "shared"]) mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, "apps/web/.next/BUILD_ID"), "earlier");
    writeFileSync(join(root, "apps/web/.next/xray-inputs"), "of other sources");
    reader("web", true);
    const paths = { ...pathsOf({ XRAY_HOME: join(root, "home") }), root };
    const built = buildWeb(paths, new AbortController().signal, () => {});
    await expect(built).rejects.toThrow(/^The pages of this folder have changed/);
    expect(readFileSync(join(root, "apps/web/.next/xray-inputs"), "utf8")).toBe("of other sources");
    expect(existsSync(join(root, ".xray/web-build.lock"))).toBe(false);
  });
});

describe("./xray after the lock file has changed", () => {
  /** A clone with this script and command line, and an npm that only says that it was called. */
  function clone(): (...args: string[]) => { code: number | null; err: string; installed: boolean } {
    cpSync(join(ROOT, "xray"), join(root, "xray"));
    for (const folder of ["cli", "shared"]) cpSync(join(ROOT, folder), join(root, folder), { recursive: true });
    for (const folder of ["bin", "node_modules/.bin", ".xray"]) mkdirSync(join(root, folder), { recursive: true });
    symlinkSync(process.execPath, join(root, "node_modules/.bin/bun"));
    writeFileSync(join(root, "package-lock.json"), "new");
    writeFileSync(join(root, ".xray/installed"), "sum of the one before");
    writeFileSync(join(root, "bin/npm"), `#!/bin/sh\necho called >"${root}/npm-was-called"\n`);
    chmodSync(join(root, "bin/npm"), 0o755);
    return (...args) => {
      const env = { PATH: `${join(root, "bin")}:${process.env.PATH}`, HOME: root };
      const { status, stderr } = spawnSync(join(root, "xray"), args, { env, encoding: "utf8" });
      return { code: status, err: stderr, installed: existsSync(join(root, "npm-was-called")) };
    };
  }

  it("installs nothing under a running site, and says how to go on", () => {
    const xray = clone();
    const { pid } = reader("api", false);
    expect(xray("doctor")).toEqual({
      code: 1,
      err:
        `\n  The packages of this folder have changed, and what runs still reads the earlier ones: api (pid ${pid}).\n` +
        "  Stop it first (a site: ./xray down), then run this again.\n\n",
      installed: false,
    });
  });

  it("still stops a site with the packages that are there", () => {
    const xray = clone();
    reader("api", false);
    expect(xray("down")).toEqual({ code: 0, err: "", installed: false });
  });

  it("installs when nothing runs", () => {
    const xray = clone();
    expect(xray("help")).toMatchObject({ code: 0, installed: true });
  });
});
