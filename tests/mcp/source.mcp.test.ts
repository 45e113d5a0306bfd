/** Publishing the site's source in three steps over the wire, and what readers see meanwhile (§15.3, §21.3, 47–51). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "bun:test";
import { LIMITS } from "../../shared/limits";
import cases from "../cases/paths.json";
import { type McpSite, startMcpSite } from "../support/mcp.mts";
import { batchOf, manifestOf, shaOf, type Texts } from "../support/source.mts";
import { START_MS } from "../support/site.mts";

let site: McpSite;
beforeAll(async () => {
  site = await startMcpSite({ provider: null, env: { SITE_ORIGIN: "https://xray.example" } });
}, START_MS);
afterAll(() => site.stop());
beforeEach(() => site.sql("TRUNCATE source_snapshots CASCADE"));

const [A, B] = [shaOf("a"), shaOf("b")];
const TEXTS: Texts = { "README.md": "# One\n", "src/a.ts": "export const a = 1;\n", "src/b.ts": "" };
const begin = (sha: string, texts: Texts) => site.mcp.ok("source_snapshot_begin", { sha, files: manifestOf(texts) });
const put = (sha: string, texts: Texts, paths?: string[]) =>
  site.mcp.ok("source_files_put", { sha, files: batchOf(texts, paths) });
const publish = async (sha: string, texts: Texts) => {
  const { missing } = await begin(sha, texts);
  if (missing.length > 0) await put(sha, texts, missing);
  return site.mcp.ok("source_snapshot_commit", { sha });
};
const published = async () => {
  const response = await fetch(`${site.app.url}/source`);
  return response.status === 200 ? ((await response.json()) as { snapshot: { sha: string } }).snapshot.sha : null;
};
const stored = () => site.dump().then((lines) => lines.filter((line) => line.startsWith("source_")));

describe("a commit", () => {
  it("is begun, put and published, and readers see it from then on", async () => {
    expect(await begin(A, TEXTS)).toEqual({
      sha: A,
      total: 3,
      reused: 0,
      missing: ["README.md", "src/a.ts", "src/b.ts"],
      truncated: false,
      alreadyCurrent: false,
      status: "staging",
    });
    expect(await put(A, TEXTS, ["README.md"])).toEqual({ sha: A, stored: 1, pending: 2 });
    expect(await published()).toBeNull();
    expect(await begin(A, TEXTS)).toMatchObject({ reused: 1, missing: ["src/a.ts", "src/b.ts"] });
    expect(await put(A, TEXTS, ["src/a.ts", "src/b.ts"])).toEqual({ sha: A, stored: 2, pending: 0 });
    const committed = await site.mcp.ok("source_snapshot_commit", { sha: A });
    expect(committed).toEqual({
      sha: A,
      fileCount: 3,
      totalBytes: 26,
      publishedAt: committed.publishedAt,
      replaced: null,
      unchanged: false,
      status: "current",
      url: "https://xray.example/source",
    });
    expect(await published()).toBe(A);
    expect(await site.mcp.ok("source_snapshot_commit", { sha: A })).toEqual({
      ...committed,
      replaced: null,
      unchanged: true,
    });
    expect(await begin(A, TEXTS)).toMatchObject({ alreadyCurrent: true, missing: [], status: "current" });
  });

  it("takes over what the one before it has, and takes its place", async () => {
    await publish(A, TEXTS);
    const texts = { ...TEXTS, "src/a.ts": "export const a = 2;\n" };
    expect(await begin(B, texts)).toMatchObject({ reused: 2, missing: ["src/a.ts"] });
    expect(await published()).toBe(A);
    await put(B, texts, ["src/a.ts"]);
    expect(await site.mcp.ok("source_snapshot_commit", { sha: B })).toMatchObject({ replaced: A, fileCount: 3 });
    const { snapshots, total } = await site.mcp.ok("source_snapshots_list");
    expect([snapshots, total]).toMatchObject([[{ sha: B, status: "current", pending: 0, fileCount: 3 }], 1]);
  });

  it("with more missing files than an answer has room for tells some, and the rest after they are put", async () => {
    const name = (index: number) => `${"long".repeat(60)}-${String(index).padStart(4, "0")}.md`;
    const texts = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [name(index), `${index}`]));
    const seen: string[] = [];
    for (let rounds = 0; rounds < 5; rounds += 1) {
      const called = await site.mcp.call("source_snapshot_begin", { sha: A, files: manifestOf(texts) });
      expect(Buffer.byteLength(called.wire.body.result.content[0].text)).toBeLessThan(60_000);
      const { missing, truncated, reused } = called.result;
      expect([reused, truncated]).toEqual([seen.length, seen.length + missing.length < 300]);
      if (missing.length === 0) break;
      for (let at = 0; at < missing.length; at += 200) await put(A, texts, missing.slice(at, at + 200));
      seen.push(...missing);
    }
    expect(seen).toEqual(Object.keys(texts).sort());
    expect(await site.mcp.ok("source_snapshot_commit", { sha: A })).toMatchObject({ fileCount: 300 });
  });

  it("is refused while a file is missing, names the first, and readers keep the old one", async () => {
    await publish(A, TEXTS);
    const texts = { ...TEXTS, "src/a.ts": "2", "src/c.ts": "3" };
    await begin(B, texts);
    await put(B, texts, ["src/c.ts"]);
    expect(await site.mcp.refused("source_snapshot_commit", { sha: B })).toEqual({
      error: 'Not all of its files have arrived (missing: 1, the first "src/a.ts").',
      field: "sha",
      count: 1,
      retry: expect.stringContaining("source_snapshot_begin"),
    });
    expect(await published()).toBe(A);
  });

  it("has two writers who each see the whole of what they did", async () => {
    await begin(A, TEXTS);
    const both = await Promise.all(
      [1, 2].map(() => site.mcp.call("source_files_put", { sha: A, files: batchOf(TEXTS) })),
    );
    expect(both.map(({ isError }) => isError).sort()).toEqual([false, true]);
    expect(both.find(({ isError }) => isError)!.result.error).toBe('"README.md" is here already.');
    const commits = await Promise.all([1, 2].map(() => site.mcp.ok("source_snapshot_commit", { sha: A })));
    expect(commits.map(({ unchanged }) => unchanged).sort()).toEqual([false, true]);
  });
});

describe("an upload", () => {
  it.each<[string, Texts | null, object[], string, string]>([
    ["no upload is open", null, batchOf(TEXTS), "sha", "No upload of this commit is open."],
    ["another text", TEXTS, [{ path: "README.md", content: "# Two\n" }], "files", "is not the file that the manifest"],
    ["not in the list", TEXTS, [{ path: "x.md", content: "" }], "files", '"x.md" is not in the manifest.'],
    ["twice in one batch", TEXTS, [...batchOf(TEXTS), ...batchOf(TEXTS)], "files", "is here already."],
    ["a NUL", TEXTS, [{ path: "README.md", content: "\0" }], "files", "holds a NUL"],
    ["half a pair", TEXTS, [{ path: "README.md", content: "\udfff" }], "files", "half of a surrogate pair"],
    [
      "one good, one bad",
      TEXTS,
      [...batchOf(TEXTS), { path: "x.md", content: "" }],
      "files",
      "is not in the manifest.",
    ],
    ["no file", TEXTS, [], "files", "The least possible here is 1 items."],
    ["no content", TEXTS, [{ path: "README.md" }], "files.0.content", "A value of type string is needed here."],
  ])("takes no batch with: %s", async (_case, texts, files, field, error) => {
    if (texts) await begin(A, texts);
    const before = await stored();
    const refusal = await site.mcp.refused("source_files_put", { sha: A, files });
    expect([refusal.field, refusal.error, typeof refusal.retry]).toEqual([
      field,
      expect.stringContaining(error),
      "string",
    ]);
    expect(await stored()).toEqual(before);
  });

  it("takes a batch as large as it may be, and none that is larger", async () => {
    const half = "x".repeat(LIMITS.sourceFileBytes);
    const texts = { "a.md": half, "b.md": half, "c.md": "x" };
    await begin(A, texts);
    expect((await site.mcp.refused("source_files_put", { sha: A, files: batchOf(texts) })).error).toBe(
      `A batch has at most ${LIMITS.sourceBatchBytes} bytes.`,
    );
    expect(await put(A, texts, ["a.md", "b.md"])).toMatchObject({ stored: 2, pending: 1 });
    const many = Array.from({ length: LIMITS.sourceBatchFiles + 1 }, () => ({ path: "c.md", content: "x" }));
    expect((await site.mcp.refused("source_files_put", { sha: A, files: many })).field).toBe("files");
  });

  it("is deleted with what was put; the published commit is not", async () => {
    await publish(A, TEXTS);
    await begin(B, { ...TEXTS, "new.md": "new" });
    const { snapshots } = await site.mcp.ok("source_snapshots_list");
    expect(snapshots.map(({ sha, pending }: Record<string, unknown>) => [sha, pending])).toEqual([
      [A, 0],
      [B, 1],
    ]);
    expect(await site.mcp.refused("source_snapshot_delete", { sha: A })).toMatchObject({
      error: "This is the published commit.",
      field: "sha",
    });
    expect(await site.mcp.refused("source_snapshot_delete", { sha: shaOf("c") })).toMatchObject({
      error: "No upload of this commit is open.",
      existing: [B],
    });
    expect(await site.mcp.ok("source_snapshot_delete", { sha: B })).toEqual({ sha: B });
    expect((await site.mcp.ok("source_snapshots_list")).total).toBe(1);
    expect(await published()).toBe(A);
  });
});

describe("the list of a commit's files", () => {
  const file = (path: string, more: object = {}) => ({ ...manifestOf({ [path]: "" })[0]!, ...more });

  it.each<[string, unknown, string]>([
    ["no file", [], "files"],
    ["one path twice", [file("a.md"), file("a.md")], "files"],
    ["a kind that is not kept", [file("a.png")], "files"],
    ["SVG", [file("a.svg")], "files"],
    ["a hash that is none", [file("a.md", { sha256: "x" })], "files.0.sha256"],
    ["a file too large", [file("a.md", { bytes: LIMITS.sourceFileBytes + 1 })], "files.0.bytes"],
    ["less than no line", [file("a.md", { lines: -1 })], "files.0.lines"],
    ["a property of its own", [file("a.md", { kind: "markdown" })], "files.0.kind"],
    ["too many", Array.from({ length: LIMITS.sourceFiles + 1 }, (_, index) => file(`${index}.md`)), "files"],
  ])("is refused, and nothing is stored: %s", async (_case, files, field) => {
    const refusal = await site.mcp.refused("source_snapshot_begin", { sha: A, files });
    expect([refusal.field, refusal.error.endsWith(".")]).toEqual([field, true]);
    expect(await stored()).toEqual([]);
  });

  it.each(["", "a".repeat(39), "A".repeat(40), `${A}\n`, "HEAD", `${A.slice(1)}g`])(
    "is of no commit that is called %j",
    async (sha) => {
      for (const [tool, args] of [
        ["source_snapshot_begin", { files: manifestOf(TEXTS) }],
        ["source_files_put", { files: batchOf(TEXTS) }],
        ["source_snapshot_commit", {}],
        ["source_snapshot_delete", {}],
      ] as const) {
        expect([tool, (await site.mcp.refused(tool, { ...args, sha })).field]).toEqual([tool, "sha"]);
      }
      expect(await stored()).toEqual([]);
    },
  );

  it("has paths as the cases say: those that leave the pack are refused, with nothing stored", async () => {
    // These differ from a skill's by rule: more segments, parentheses and brackets.
    const deep = cases.path_cases
      .filter(({ path }) => path.split("/").length > 4 && !path.includes(".."))
      .map(({ id }) => id);
    let refused = 0;
    for (const { id, path, verdict, level } of cases.path_cases) {
      if (verdict !== "reject" || level !== "must" || deep.includes(id)) continue;
      const { isError } = await site.mcp.call("source_snapshot_begin", { sha: A, files: [file("ok.md"), file(path)] });
      expect([id, isError]).toEqual([id, true]);
      refused += 1;
    }
    expect(refused).toBeGreaterThan(40);
    expect(await stored()).toEqual([]);
  });
});
