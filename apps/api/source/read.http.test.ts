/** The source over real HTTP (§15.5): exactly the contract's fields, of the published commit alone. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";
import { manifestOf, publish, shaOf } from "../../../tests/support/source.mts";
import { openDatabase } from "../database/pool";
import { beginSnapshot } from "../stores/source-publish";

let site: Site;
let empty: unknown[];
const SHA = shaOf("c");
const TEXTS = { "README.md": "# 标题\n<script>1</script>\n", "apps/(site)/[id]/page.tsx": "const Page = 1;\n" };

beforeAll(async () => {
  site = await startSite({ provider: null, env: { XRAY_SOURCE_REPO: "an-owner/agent-x-ray" } });
  empty = await Promise.all(
    ["/source", "/source/file?path=README.md", "/source/search?query=page"].map((path) => site.visitor().json(path)),
  );
  const db = openDatabase(site.database.appUrl);
  await publish(db, SHA, TEXTS);
  await beginSnapshot(db, shaOf("d"), manifestOf({ "half.ts": "half" }));
  await db.close();
}, START_MS);
afterAll(() => site.stop());

const json = (path: string) => site.visitor().json(path);

describe("the source", () => {
  it("is 404 while nothing is published", () => {
    expect(empty).toEqual([1, 2, 3].map(() => expect.objectContaining({ status: 404 })));
  });

  it("is the published commit with its files, whatever is being uploaded", async () => {
    const { status, body } = await json("/source");
    expect([status, body]).toEqual([
      200,
      {
        snapshot: {
          sha: SHA,
          shortSha: "ccccccc",
          publishedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          fileCount: 2,
          totalBytes: 44,
          repo: "an-owner/agent-x-ray",
          repoUrl: "https://github.com/an-owner/agent-x-ray",
        },
        files: [
          { path: "README.md", kind: "markdown", bytes: 28, lines: 2 },
          { path: "apps/(site)/[id]/page.tsx", kind: "typescript", bytes: 16, lines: 1 },
        ],
      },
    ]);
  });

  it("gives a file's text as it is, by its path", async () => {
    const path = "apps/(site)/[id]/page.tsx";
    const { status, body } = await json(`/source/file?path=${encodeURIComponent(path)}`);
    expect([status, body]).toEqual([
      200,
      { path, kind: "typescript", bytes: 16, lines: 1, sha: SHA, content: "const Page = 1;\n" },
    ]);
    expect((await json("/source/file?path=README.md")).body.content).toBe("# 标题\n<script>1</script>\n");
  });

  it("is searched as it stands", async () => {
    expect((await json(`/source/search?query=${encodeURIComponent("标题")}`)).body).toEqual({
      hits: [{ path: "README.md", line: 1, text: "# 标题" }],
      more: false,
    });
    expect((await json("/source/search?query=PAGE&prefix=apps/")).body).toEqual({
      hits: [{ path: "apps/(site)/[id]/page.tsx", line: 1, text: "const Page = 1;" }],
      more: false,
    });
    expect((await json("/source/search?query=%25%25")).body).toEqual({ hits: [], more: false });
  });

  it.each([
    ["/source/file", 400, "bad_request"],
    ["/source/file?path=", 400, "bad_request"],
    ["/source/file?path=a%00b", 400, "bad_request"],
    [`/source/file?path=${"a".repeat(301)}`, 400, "bad_request"],
    ["/source/file?path=a&path=b", 400, "bad_request"],
    ["/source/file?path=half.ts", 404, "not_found"],
    ["/source/file?path=../../etc/passwd", 404, "not_found"],
    ["/source/file?path=%252e%252e%252fetc", 404, "not_found"],
    ["/source/file?path=readme.md", 404, "not_found"],
    ["/source/search", 400, "bad_request"],
    ["/source/search?query=a", 400, "bad_request"],
    ["/source/search?query=a%00", 400, "bad_request"],
    [`/source/search?query=${"a".repeat(101)}`, 400, "bad_request"],
  ])("answers %s with %i", async (path, status, code) => {
    const answer = await json(path);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe("the catalogue of tools", () => {
  const bytes = async () => (await site.visitor().request("/agent/tools")).text();

  it("is the same bytes with everything on, everything off, and nothing configured (S1)", async () => {
    const before = await bytes();
    await site.sql("UPDATE tool_config SET enabled = TRUE, dangerous = FALSE, note = 'zz-note'");
    expect(await bytes()).toBe(before);
    await site.sql("UPDATE tool_config SET enabled = FALSE, dangerous = TRUE");
    expect(await bytes()).toBe(before);
    await site.sql("DELETE FROM tool_config");
    expect(await bytes()).toBe(before);
  });

  it(
    "is the same bytes on a site with a provider and the dangerous tools unlocked, and names none of it (S2)",
    async () => {
      const other = await startSite({ env: { XRAY_UNLOCK_DANGEROUS_TOOLS: "1" } });
      const theirs = await (await other.visitor().request("/agent/tools")).text();
      expect(theirs).toBe(await bytes());
      for (const value of [other.apiKey, other.model.host, "zz9gw", "qq-17x", "enabled", "dangerous"]) {
        expect(theirs).not.toContain(value);
      }
      await other.stop();
    },
    START_MS,
  );
});
