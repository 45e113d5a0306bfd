/** The three steps of a publication, whole and broken off (§15.3, O2 to O4). */
import { beforeEach, describe, expect, it } from "bun:test";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import { batchOf, manifestOf, publish, shaOf } from "../../../tests/support/source.mts";
import { LIMITS } from "../../../shared/limits";
import {
  beginSnapshot,
  commitSnapshot,
  deleteSnapshot,
  listSnapshots,
  type ManifestFile,
  putSourceFiles,
} from "./source-publish";
import { listSource, readSourceFile } from "./source-read";
import { StoreRefusal } from "./store-refusal";

const opened = databaseForFile();
const [A, B, C] = [shaOf("a"), shaOf("b"), shaOf("c")];
const TEXTS = { "README.md": "# Hello\n", "src/a.ts": "export const a = 1;\n", "src/b.ts": "const 清洗 = 2;" };
const CHANGED = { ...TEXTS, "src/b.ts": "const b = 3;\n", "src/c.ts": "" };

beforeEach(async () => {
  await opened.admin.query("DELETE FROM source_snapshots");
});

/** Code and sentence of the refusal that `work` must end in. */
async function refusalOf(work: Promise<unknown>): Promise<[string, string]> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StoreRefusal)) throw new Error(`expected a StoreRefusal, got ${error}`);
  return [error.code, error.message];
}
const snapshots = async () =>
  (await listSnapshots(opened.db)).map(({ sha, status, pending }) => [sha, status, pending]);
const published = async () => {
  const found = await listSource(opened.db, "content_ro");
  return found && [found.sha, found.files.map(({ path }) => path)];
};

describe("a publication", () => {
  it("goes from manifest to texts to the published commit", async () => {
    const { db } = opened;
    expect(await beginSnapshot(db, A, manifestOf(TEXTS))).toEqual({
      sha: A,
      total: 3,
      reused: 0,
      missing: ["README.md", "src/a.ts", "src/b.ts"],
      alreadyCurrent: false,
      status: "staging",
    });
    expect(await putSourceFiles(db, A, batchOf(TEXTS, ["src/b.ts"]))).toEqual({ sha: A, stored: 1, pending: 2 });
    expect(await putSourceFiles(db, A, batchOf(TEXTS, ["README.md", "src/a.ts"]))).toEqual({
      sha: A,
      stored: 2,
      pending: 0,
    });
    expect(await commitSnapshot(db, A)).toEqual({
      sha: A,
      fileCount: 3,
      totalBytes: 8 + 20 + 17,
      publishedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      replaced: null,
      unchanged: false,
      status: "current",
    });
    expect(await readSourceFile(db, "content_ro", "src/b.ts")).toEqual({
      sha: A,
      path: "src/b.ts",
      kind: "typescript",
      bytes: 17,
      lines: 1,
      content: "const 清洗 = 2;",
    });
  });

  it("copies what is the same in the published commit, and asks only for the rest", async () => {
    const { db } = opened;
    await publish(db, A, TEXTS);
    expect(await beginSnapshot(db, B, manifestOf(CHANGED))).toMatchObject({
      total: 4,
      reused: 2,
      missing: ["src/b.ts", "src/c.ts"],
    });
    await putSourceFiles(db, B, batchOf(CHANGED, ["src/b.ts", "src/c.ts"]));
    expect(await commitSnapshot(db, B)).toMatchObject({ replaced: A, unchanged: false });
    expect(await snapshots()).toEqual([[B, "current", 0]]);
    for (const [path, content] of Object.entries(CHANGED)) {
      expect(await readSourceFile(db, "content_ro", path)).toMatchObject({ sha: B, path, content });
    }
  });

  it("of the published commit changes nothing", async () => {
    const { db } = opened;
    await publish(db, A, TEXTS);
    const before = await listSource(db, "content_ro");
    expect(await beginSnapshot(db, A, manifestOf(CHANGED))).toEqual({
      sha: A,
      total: 4,
      reused: 4,
      missing: [],
      alreadyCurrent: true,
      status: "current",
    });
    expect(await commitSnapshot(db, A)).toMatchObject({ sha: A, unchanged: true, replaced: null, fileCount: 3 });
    expect(await listSource(db, "content_ro")).toEqual(before);
  });

  it("that was broken off is taken up again, without what no longer fits its manifest", async () => {
    const { db } = opened;
    await beginSnapshot(db, A, manifestOf(TEXTS));
    await putSourceFiles(db, A, batchOf(TEXTS, ["README.md", "src/b.ts"]));
    expect(await beginSnapshot(db, A, manifestOf(TEXTS))).toMatchObject({ reused: 2, missing: ["src/a.ts"] });
    expect(await beginSnapshot(db, A, manifestOf(CHANGED))).toMatchObject({
      reused: 1,
      missing: ["src/a.ts", "src/b.ts", "src/c.ts"],
    });
    const { "README.md": _, ...without } = CHANGED;
    expect(await beginSnapshot(db, A, manifestOf(without))).toMatchObject({ total: 3, reused: 0 });
  });

  it("shows readers the old commit until it is whole (O4)", async () => {
    const { db } = opened;
    await publish(db, A, TEXTS);
    const before = await published();
    await beginSnapshot(db, B, manifestOf(CHANGED));
    expect(await published()).toEqual(before);
    await putSourceFiles(db, B, batchOf(CHANGED, ["src/b.ts"]));
    expect(await published()).toEqual(before);
    expect(await readSourceFile(db, "content_ro", "src/c.ts")).toBeNull();
    await putSourceFiles(db, B, batchOf(CHANGED, ["src/c.ts"]));
    expect(await published()).toEqual(before);
    await commitSnapshot(db, B);
    expect(await published()).toEqual([B, ["README.md", "src/a.ts", "src/b.ts", "src/c.ts"]]);
  });
});

describe("a batch", () => {
  const wrong: [string, { path: string; content: string }[], string][] = [
    [
      "with a text that is not the manifest's (O2)",
      batchOf({ "README.md": TEXTS["README.md"], "src/a.ts": "export const a = 2;\n" }),
      '"src/a.ts" is not the file that the manifest describes.',
    ],
    [
      "with a path that the manifest does not have",
      batchOf({ "README.md": TEXTS["README.md"], ".env": "KEY=1" }),
      '".env" is not in the manifest.',
    ],
    [
      "with one path twice",
      [...batchOf(TEXTS, ["README.md"]), ...batchOf(TEXTS, ["README.md"])],
      '"README.md" is here already.',
    ],
    [
      "with a NUL",
      batchOf({ "README.md": TEXTS["README.md"], "src/a.ts": "a\0b" }),
      '"src/a.ts" holds a NUL, so it is no text.',
    ],
    [
      "of too many files",
      Array.from({ length: 201 }, () => ({ path: "README.md", content: "" })),
      "A batch has at most 200 files.",
    ],
    [
      "of too many bytes",
      ["README.md", "src/a.ts", "src/b.ts"].map((path) => ({ path, content: "x".repeat(200_000) })),
      "A batch has at most 524288 bytes.",
    ],
  ];
  it.each(wrong)("%s is refused whole", async (_case, files, sentence) => {
    const { db } = opened;
    await beginSnapshot(db, A, manifestOf(TEXTS));
    expect(await refusalOf(putSourceFiles(db, A, files))).toEqual(["invalid", sentence]);
    expect(await snapshots()).toEqual([[A, "staging", 3]]);
  });

  it("of lines or bytes other than the manifest says is refused, though the hash is right", async () => {
    for (const change of [{ lines: 7 }, { bytes: 7 }] as const) {
      const [file, ...rest] = manifestOf(TEXTS);
      await beginSnapshot(opened.db, A, [{ ...file!, ...change }, ...rest]);
      expect((await refusalOf(putSourceFiles(opened.db, A, batchOf(TEXTS, ["README.md"]))))[0]).toBe("invalid");
    }
  });

  it("that arrived already is refused, so that nothing is written twice", async () => {
    const { db } = opened;
    await beginSnapshot(db, A, manifestOf(TEXTS));
    await putSourceFiles(db, A, batchOf(TEXTS, ["README.md"]));
    expect(await refusalOf(putSourceFiles(db, A, batchOf(TEXTS)))).toEqual(["invalid", '"README.md" is here already.']);
    expect(await snapshots()).toEqual([[A, "staging", 2]]);
  });

  it("needs an open upload", async () => {
    await publish(opened.db, A, TEXTS);
    for (const sha of [A, B]) {
      expect(await refusalOf(putSourceFiles(opened.db, sha, batchOf(TEXTS)))).toEqual([
        "not_found",
        "No upload of this commit is open.",
      ]);
    }
  });
});

describe("a manifest", () => {
  const file = (path: string, change: Partial<ManifestFile> = {}): ManifestFile => ({
    ...manifestOf({ [path]: "" })[0]!,
    ...change,
  });
  const wrong: [string, ManifestFile[], string][] = [
    ["that is empty", [], "The pack is empty."],
    ["with a way out", [file("../etc/passwd.txt")], '"../etc/passwd.txt" has a segment of dots alone'],
    ["with a picture", [file("a.ts"), file("logo.svg")], '"logo.svg" is of no kind that may be kept'],
    ["with a path twice", [file("a.ts"), file("a.ts")], '"a.ts" is there twice.'],
    ["with a file too large", [file("a.ts", { bytes: LIMITS.sourceFileBytes + 1 })], '"a.ts" is larger than 262144'],
    [
      "with too many files",
      Array.from({ length: LIMITS.sourceFiles + 1 }, (_, index) => file(`${index}.ts`)),
      "The pack has more than 2000 files.",
    ],
  ];
  it.each(wrong)("%s is refused and opens nothing", async (_case, files, sentence) => {
    const [code, said] = await refusalOf(beginSnapshot(opened.db, A, files));
    expect(code).toBe("invalid");
    expect(said).toStartWith(sentence);
    expect(await snapshots()).toEqual([]);
  });
});

describe("a commit", () => {
  it("of an upload with one text missing is refused, names it, and leaves the published commit (O3)", async () => {
    const { db } = opened;
    await publish(db, A, TEXTS);
    await beginSnapshot(db, B, manifestOf(CHANGED));
    await putSourceFiles(db, B, batchOf(CHANGED, ["src/c.ts"]));
    expect(await refusalOf(commitSnapshot(db, B))).toEqual([
      "invalid",
      'Not all of its files have arrived (missing: 1, the first "src/b.ts").',
    ]);
    expect(await snapshots()).toEqual([
      [A, "current", 0],
      [B, "staging", 1],
    ]);
  });

  it("of a commit that nobody began is refused", async () => {
    expect(await refusalOf(commitSnapshot(opened.db, A))).toEqual(["not_found", "No upload of this commit is open."]);
  });

  it("ends every other upload", async () => {
    const { db } = opened;
    await beginSnapshot(db, A, manifestOf(TEXTS));
    await publish(db, B, CHANGED);
    expect(await snapshots()).toEqual([[B, "current", 0]]);
    expect((await refusalOf(putSourceFiles(db, A, batchOf(TEXTS))))[0]).toBe("not_found");
  });
});

describe("writers at once", () => {
  it("publish one commit: all in the end agree, and every read on the way is of a whole commit", async () => {
    const { db } = opened;
    await publish(db, A, TEXTS);
    const seen = new Set<string>();
    let done = false;
    const reading = (async () => {
      while (!done) seen.add(JSON.stringify(await published()));
    })();
    const ended = await Promise.allSettled([
      publish(db, B, CHANGED),
      publish(db, C, { ...TEXTS, "only-c.ts": "c" }),
      publish(db, B, CHANGED),
    ]);
    done = true;
    await reading;
    const failures = ended.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(failures.filter((error) => !(error instanceof StoreRefusal))).toEqual([]);
    expect(failures.length).toBeLessThan(3);
    const whole: Record<string, string[]> = {
      [A]: Object.keys(TEXTS),
      [B]: Object.keys(CHANGED),
      [C]: ["README.md", "only-c.ts", "src/a.ts", "src/b.ts"],
    };
    for (const each of [...seen].map((json) => JSON.parse(json) as [string, string[]])) {
      expect(each).toEqual([each[0], whole[each[0]]!]);
    }
    const left = await snapshots();
    expect(left.filter(([, status]) => status === "current")).toHaveLength(1);
  });

  it("of the same batch: one stores it, the other is refused", async () => {
    const { db } = opened;
    await beginSnapshot(db, A, manifestOf(TEXTS));
    const ended = await Promise.allSettled([
      putSourceFiles(db, A, batchOf(TEXTS)),
      putSourceFiles(db, A, batchOf(TEXTS)),
    ]);
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await snapshots()).toEqual([[A, "staging", 0]]);
  });
});

describe("a deletion", () => {
  it("takes an upload, never the published commit", async () => {
    const { db } = opened;
    await publish(db, A, TEXTS);
    await beginSnapshot(db, B, manifestOf(CHANGED));
    expect(await refusalOf(deleteSnapshot(db, A))).toEqual(["in_use", "This is the published commit."]);
    await deleteSnapshot(db, B);
    expect(await snapshots()).toEqual([[A, "current", 0]]);
    expect((await refusalOf(deleteSnapshot(db, B)))[0]).toBe("not_found");
  });
});
