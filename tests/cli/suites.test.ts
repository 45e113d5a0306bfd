/** What a run of tests counts as, which file is in which suite, and what the checks of the tree find. */
import { afterAll, describe, expect, it } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseError } from "../../apps/api/database/database-error.ts";
import { webInputsHash } from "../../cli/inputs-hash.mts";
import { isAtLeast } from "../../cli/versions.mts";
import { refusalOf } from "../../cli/refusal.mts";
import { lockFileFaults } from "../../cli/static-checks.mts";
import {
  countPictures,
  countPython,
  countRun,
  LANES,
  processesOf,
  SUITES,
  suiteOf,
  summaryLine,
  testFiles,
  total,
} from "../../cli/suites.mts";

const root = mkdtempSync(join(tmpdir(), "xray-suites-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function put(file: string, text = ""): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

describe("countRun", () => {
  const summary = (pass: number, fail: number, more = "") =>
    `bun test v1\n\n(fail) 7 pass\n\n ${pass} pass\n${more} ${fail} fail\n 9 expect() calls\nRan 9 tests across 2 files.\n`;

  it("reads bun's closing lines, skipped and planned tests together", () => {
    expect(countRun(summary(12, 0, " 2 skip\n 1 todo\n"), 0)).toEqual({ passed: 12, failed: 0, skipped: 3 });
    expect(countRun(summary(12, 3), 1)).toEqual({ passed: 12, failed: 3, skipped: 0 });
  });

  it("counts a bad end without a counted failure, and a run of nothing, as one failed", () => {
    expect(countRun(summary(12, 0), 1).failed).toBe(1);
    expect(countRun(summary(12, 0), null).failed).toBe(1);
    expect(countRun(summary(0, 0), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(countRun("Segmentation fault", null)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it("takes the last summary when a test printed another one", () => {
    expect(countRun(` 5 pass\n 9 fail\n${summary(2, 0)}`, 0)).toEqual({ passed: 2, failed: 0, skipped: 0 });
  });
});

describe("countPython", () => {
  it("reads the closing line of the runner's tests, and takes nothing else for it", () => {
    const output = "test_x ... 9 passed, 9 failed, 9 skipped\n54.8 s\n149 passed, 4 failed, 7 skipped\n";
    expect(countPython(output, 1)).toEqual({ passed: 149, failed: 4, skipped: 7 });
    expect(countPython("12 passed, 0 failed, 0 skipped\n", 0)).toEqual({ passed: 12, failed: 0, skipped: 0 });
  });

  it("counts a bad end without a counted failure, and a run of nothing, as one failed", () => {
    expect(countPython("12 passed, 0 failed, 0 skipped\n", 1).failed).toBe(1);
    expect(countPython("12 passed, 0 failed, 0 skipped\n", null).failed).toBe(1);
    expect(countPython("0 passed, 0 failed, 3 skipped\n", 0).failed).toBe(1);
    expect(countPython("Traceback (most recent call last):\n", 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe("countPictures", () => {
  it("counts the files named, and a bad end or none at all as one failed", () => {
    const output = "landing-phone-dark-en.png\na line of a server about x.png\nabout-desktop-light-zh.png\n";
    expect(countPictures(output, 0)).toEqual({ passed: 2, failed: 0, skipped: 0 });
    expect(countPictures(output, 1)).toEqual({ passed: 2, failed: 1, skipped: 0 });
    expect(countPictures("", 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it("counts each picture that could not be taken", () => {
    const output = "✗ landing-phone-dark-en.png: not there\n✗ about-desktop-light-zh.png: not there\n";
    expect(countPictures(`${output}help-phone-dark-en.png\n`, 1)).toEqual({ passed: 1, failed: 2, skipped: 0 });
    expect(countPictures(output, null)).toEqual({ passed: 0, failed: 2, skipped: 0 });
  });
});

describe("suites", () => {
  it("run as one process, and Chromium's as one for each file, some at once", () => {
    expect(processesOf("http", ["a", "b"])).toEqual({ runs: [["a", "b"]], atOnce: 1 });
    expect(processesOf("browser", ["a", "b"])).toEqual({ runs: [["a"], ["b"]], atOnce: 3 });
  });

  it("are told by the file's name", () => {
    const names = [
      "a.test.ts",
      "a.test.tsx",
      "a.db.test.ts",
      "a.http.test.ts",
      "a.mcp.test.ts",
      "a.browser.test.ts",
      "a.ts",
      "test.ts",
      "a.test.json",
    ];
    expect(names.map(suiteOf)).toEqual([
      "unit",
      "unit",
      "db",
      "http",
      "mcp",
      "browser",
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("hold every test file of the tree, and none of packages and builds", () => {
    for (const folder of ["apps/web/.next", "bench", "cli", "shared", "tests"]) put(`${folder}/x.ts`);
    for (const file of [
      "apps/b.test.ts",
      "apps/a.test.ts",
      "apps/web/.next/c.test.ts",
      "shared/node_modules/d.test.ts",
      "cli/e.db.test.ts",
    ])
      put(file);
    expect(testFiles(root, "unit")).toEqual(["apps/a.test.ts", "apps/b.test.ts"]);
    expect(testFiles(root, "db")).toEqual(["cli/e.db.test.ts"]);
  });

  it("run side by side in lanes that hold each once, after the static checks", () => {
    expect(["static", ...LANES.flat()].toSorted()).toEqual(SUITES.toSorted());
  });

  it("add up to the closing line", () => {
    const rows = [
      { passed: 3, failed: 0, skipped: 0 },
      { passed: 4, failed: 1, skipped: 0 },
    ];
    expect(summaryLine(total(rows))).toBe("7 passed, 1 failed");
    expect(summaryLine(total([...rows, { passed: 0, failed: 0, skipped: 2 }]))).toBe("7 passed, 1 failed, 2 skipped");
  });
});

describe("the lock file", () => {
  const manifest = JSON.stringify({ dependencies: { a: "1.0.0" }, devDependencies: { b: "2.0.0" } });
  const lock = (change: object = {}, first: object = {}) =>
    JSON.stringify({
      packages: {
        "": { dependencies: { a: "1.0.0" }, devDependencies: { b: "2.0.0" }, ...first },
        "node_modules/a": { version: "1.0.0", ...change },
        "node_modules/b": { version: "2.0.0" },
      },
    });

  it("of this repository is in order", () => {
    expect(lockFileFaults(readFileSync("package.json", "utf8"), readFileSync("package-lock.json", "utf8"))).toBe("");
  });

  it("is faulty when it names a registry, misses a package or locks another version", () => {
    expect(lockFileFaults(manifest, lock())).toBe("");
    expect(lockFileFaults(manifest, lock({ resolved: "https://somewhere.example/a.tgz" }))).toStartWith(
      "node_modules/a names where",
    );
    expect(lockFileFaults(manifest, lock({ version: "1.0.1" }))).toBe(
      "dependencies.a: pinned to 1.0.0, locked to 1.0.1",
    );
    expect(lockFileFaults(manifest, lock({}, { devDependencies: {} }))).toBe(
      "devDependencies.b: package.json says 2.0.0, the lock nothing",
    );
  });
});

describe("the hash of the pages' inputs", () => {
  it("changes with what the build reads, and with nothing else", () => {
    for (const file of [
      "package.json",
      "package-lock.json",
      "tsconfig.json",
      "apps/web/app/page.tsx",
      "shared/limits.ts",
    ])
      put(file, "1");
    const first = webInputsHash(root);
    for (const file of [
      "apps/web/.next/BUILD_ID",
      "apps/web/next-env.d.ts",
      "apps/web/app/page.test.tsx",
      "apps/api/x.ts",
    ])
      put(file, "2");
    expect(webInputsHash(root)).toBe(first);

    const changed = ["apps/web/app/page.tsx", "shared/limits.ts", "package-lock.json"].map((file) => {
      put(file, "2");
      const hash = webInputsHash(root);
      put(file, "1");
      return hash;
    });
    put("apps/web/app/other.tsx");
    expect(new Set([first, ...changed, webInputsHash(root)]).size).toBe(5);
  });
});

describe("isAtLeast", () => {
  it("compares number by number", () => {
    const versions = ["20.9.0", "20.10.1", "22.0", "20.8.9", "9.99", "20", ""];
    expect(versions.map((version) => isAtLeast(version, [20, 9]))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("refusalOf", () => {
  it("gives a system error its sentence and a remedy, wherever it came from", () => {
    const error = (code: string, path?: string) =>
      Object.assign(new Error(`${code}: words of the system`), { code, path });
    const cases = [
      error("ENOSPC", "/x"),
      error("EACCES", "/x"),
      error("EROFS"),
      error("EADDRINUSE"),
      new Error("write: No space left on device"),
      new DatabaseError("unavailable", "53100"),
    ];
    expect(cases.map((cause) => refusalOf(cause, "working").sentence)).toEqual([
      "The disk is full while working (/x).",
      "No permission while working (/x).",
      "The file system is read-only while working.",
      "A port is taken while working.",
      "The disk is full while working.",
      "The disk is full while working.",
    ]);
    for (const cause of cases) expect(refusalOf(cause).remedy).not.toBe("");
  });
});
