/** The source tools' results, whole, as a model reads them (§15.4, O5). */
import { beforeAll, describe, expect, it } from "bun:test";
import { databaseForFile, slowDatabase } from "../../../tests/support/database-for-file.mts";
import { publish, shaOf, type Texts } from "../../../tests/support/source.mts";
import { LIMITS } from "../../../shared/limits";
import type { Database } from "../database/pool";
import { type KernelTool, ToolFailure } from "../kernel/kernel-types";
import { sourceList } from "./pure/source-list";
import { NO_SUCH_FILE, NO_SUCH_LINES, sourceRead } from "./pure/source-read";
import { sourceSearch } from "./pure/source-search";
import { NO_SOURCE, SOURCE_FAILED } from "./pure/source-text";
import type { ToolContext } from "./tool-context";

const opened = databaseForFile();
const SHA = shaOf("1");
const TEXTS: Texts = {
  "README.md": "# Agent\n\n事件在这里清洗。\n",
  "src/sanitise.ts": "/** Cleans. */\nexport function sanitiseEvent(e) {\n  return e; // 100% clean_up\\n\n}\n",
  "src/sub/[id].ts": "// SANITISEEVENT is called here\nΣΑΣ Straße\n",
  "src/empty.txt": "",
  "many/forty.txt": "match\n".repeat(40),
  "more/one.txt": "unique match\n",
  "long/line.json": `{"a":"${"x".repeat(5_000)} needle ${"y".repeat(5_000)}"}\n`,
  "long/lines.txt": Array.from({ length: 1_000 }, (_, n) => `line ${n + 1} of the long file, padded with words\n`).join(
    "",
  ),
};

async function call(build: (context: ToolContext) => KernelTool, params: object, on: Database = opened.db) {
  const tool = build({ db: on, sessionId: "", titleSource: "derived", log: { info: () => {}, error: () => {} } });
  const signal = new AbortController().signal;
  return tool.execute(params as Record<string, unknown>, { toolCallId: "t", signal, onPhase: () => {} });
}
const textOf = async (...args: Parameters<typeof call>) => (await call(...args)).text;
async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ToolFailure)) throw new Error(`expected a ToolFailure, got ${error}`);
  return error.message;
}

describe("before anything is published", () => {
  it("every tool says so", async () => {
    expect(await failureOf(call(sourceList, {}))).toBe(NO_SOURCE);
    expect(await failureOf(call(sourceSearch, { query: "clean" }))).toBe(NO_SOURCE);
    expect(await failureOf(call(sourceRead, { file: "README.md" }))).toBe(NO_SUCH_FILE);
  });
});

describe("of a published commit", () => {
  beforeAll(() => publish(opened.db, SHA, TEXTS));

  it("source_list names the files and their lines, by path", async () => {
    expect(await textOf(sourceList, {})).toBe(
      `Source at 1111111: 8 files
README.md (3 lines)
long/line.json (1 line)
long/lines.txt (1000 lines)
many/forty.txt (40 lines)
more/one.txt (1 line)
src/empty.txt (0 lines)
src/sanitise.ts (4 lines)
src/sub/[id].ts (2 lines)`,
    );
    expect(await textOf(sourceList, { prefix: "src/s" })).toBe(
      "Source at 1111111: 2 files, beginning with src/s\nsrc/sanitise.ts (4 lines)\nsrc/sub/[id].ts (2 lines)",
    );
    for (const prefix of ["%", "SRC", "src/_", "/"]) {
      expect(await textOf(sourceList, { prefix })).toBe("No file begins with that.");
    }
  });

  it("source_read numbers the lines, whole or a range", async () => {
    expect(await textOf(sourceRead, { file: "src/sanitise.ts" })).toBe(
      `src/sanitise.ts at 1111111, lines 1 to 4 of 4
1\t/** Cleans. */
2\texport function sanitiseEvent(e) {
3\t  return e; // 100% clean_up\\n
4\t}`,
    );
    expect(await textOf(sourceRead, { file: "src/sanitise.ts", startLine: 2, endLine: 3 })).toBe(
      `src/sanitise.ts at 1111111, lines 2 to 3 of 4
2\texport function sanitiseEvent(e) {
3\t  return e; // 100% clean_up\\n`,
    );
    expect(await textOf(sourceRead, { file: "src/sub/[id].ts", startLine: 2, endLine: 99 })).toBe(
      "src/sub/[id].ts at 1111111, lines 2 to 2 of 2\n2\tΣΑΣ Straße",
    );
    expect(await textOf(sourceRead, { file: "src/empty.txt" })).toBe("src/empty.txt at 1111111, empty");
  });

  it("source_read stops after a complete line and says where to go on, until all is read", async () => {
    const seen: string[] = [];
    let startLine = 1;
    for (let turn = 0; turn < 20 && startLine > 0; turn++) {
      const text = await textOf(sourceRead, { file: "long/lines.txt", startLine });
      expect(text.length).toBeLessThanOrEqual(LIMITS.toolResultChars);
      seen.push(...[...text.matchAll(/^\d+\t(.*)$/gm)].map((line) => line[1]!));
      const next = /\n\nNot all of it fits; go on with startLine (\d+)\.$/.exec(text);
      startLine = Number(next?.[1] ?? 0);
    }
    expect(`${seen.join("\n")}\n`).toBe(TEXTS["long/lines.txt"]!);
  });

  it("source_read gives at most 400 lines, and fails for what is not there", async () => {
    const text = await textOf(sourceRead, { file: "many/forty.txt", startLine: 1, endLine: 40 });
    expect(text.match(/^\d+\t/gm)).toHaveLength(40);
    expect(await failureOf(call(sourceRead, { file: "src" }))).toBe(NO_SUCH_FILE);
    expect(await failureOf(call(sourceRead, { file: "../etc/passwd" }))).toBe(NO_SUCH_FILE);
    expect(await failureOf(call(sourceRead, { file: "src/sanitise.ts", startLine: 5 }))).toBe(NO_SUCH_LINES);
    expect(await failureOf(call(sourceRead, { file: "src/sanitise.ts", startLine: 3, endLine: 2 }))).toBe(
      NO_SUCH_LINES,
    );
  });

  it("source_search finds Chinese, identifiers and signs as they stand, letter case aside", async () => {
    expect(await textOf(sourceSearch, { query: "清洗" })).toBe("README.md:3: 事件在这里清洗。");
    expect(await textOf(sourceSearch, { query: "SanitiseEvent" })).toBe(
      "src/sanitise.ts:2: export function sanitiseEvent(e) {\nsrc/sub/[id].ts:1: // SANITISEEVENT is called here",
    );
    expect(await textOf(sourceSearch, { query: "sanitiseevent", prefix: "src/sub/" })).toBe(
      "src/sub/[id].ts:1: // SANITISEEVENT is called here",
    );
    expect(await textOf(sourceSearch, { query: "σας" })).toBe("No line contains that.");
    expect(await textOf(sourceSearch, { query: "σα" })).toBe("src/sub/[id].ts:2: ΣΑΣ Straße");
    for (const query of ["0% c", "n_u", "p\\n"]) {
      expect(await textOf(sourceSearch, { query })).toBe("src/sanitise.ts:3: return e; // 100% clean_up\\n");
    }
    for (const query of ["%%", "clean%", "c_ean", "' OR 1=1", ".*", "# Agent\n"]) {
      expect(await textOf(sourceSearch, { query })).toBe("No line contains that.");
    }
  });

  it("source_search gives 40 lines without a word, and of 41 the first 40 and that there are more (O5)", async () => {
    const forty = Array.from({ length: 40 }, (_, n) => `many/forty.txt:${n + 1}: match`).join("\n");
    expect(await textOf(sourceSearch, { query: "match", prefix: "many/" })).toBe(forty);
    expect(await textOf(sourceSearch, { query: "match" })).toBe(
      `${forty}\n\nThere are more lines; give a longer query, or a prefix.`,
    );
  });

  it("source_search shows of a long line the part around the query", async () => {
    const text = await textOf(sourceSearch, { query: "needle" });
    expect(text).toMatch(/^long\/line\.json:1: x+ needle y+$/);
    expect(text.length).toBe("long/line.json:1: ".length + LIMITS.sourceHitChars);
  });

  it("says one fixed sentence when the database is too slow, and nothing of it", async () => {
    const slow = slowDatabase(opened.db);
    expect(await failureOf(call(sourceList, {}, slow))).toBe(SOURCE_FAILED);
    expect(await failureOf(call(sourceRead, { file: "README.md" }, slow))).toBe(SOURCE_FAILED);
    expect(await failureOf(call(sourceSearch, { query: "clean" }, slow))).toBe(SOURCE_FAILED);
  });
});

describe("of a large commit", () => {
  it("source_list ends after a complete line and names the folders to go on with", async () => {
    const paths = ["api", "web", "cli"].flatMap((folder, place) =>
      Array.from({ length: 300 - place * 50 }, (_, n) => `apps/${folder}/file-${String(n).padStart(3, "0")}.ts`),
    );
    await publish(opened.db, shaOf("2"), Object.fromEntries([...paths, "z.md"].map((path) => [path, "x\n"])));
    const text = await textOf(sourceList, {});
    expect(text.length).toBeLessThanOrEqual(LIMITS.toolResultChars);
    expect(text).toMatch(/ \(1 line\)\n\n\d+ of 751 are listed\. Give one of these as prefix: apps\/ \(750\)\.$/);
    expect(await textOf(sourceList, { prefix: "apps/" })).toEndWith(
      " of 750 are listed. Give one of these as prefix: apps/api/ (300), apps/web/ (250), apps/cli/ (200).",
    );
    expect(await textOf(sourceList, { prefix: "apps/api/f" })).toEndWith(" of 300 are listed. Give a longer prefix.");
    expect(await textOf(sourceList, { prefix: "apps/cli/file-1" })).toMatch(/^Source at 2222222: 100 files/);
  });
});
