/** The skills library: packs written whole, archives built from the rows, equal content without a trace. */
import { beforeAll, describe, expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { skillsIndex as indexShape, skillView } from "../../../shared/contracts/skills";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import { deleteSkillCategory, listSkillCategories, upsertSkillCategory } from "./skill-categories-admin";
import { skillArchive } from "./skill-archive";
import { readSkill, readSkillZip, skillsIndex } from "./skills";
import {
  deleteSkill,
  getSkill,
  getSkillFile,
  listSkills,
  setSkillAgentEnabled,
  type SkillWrite,
  upsertSkill,
} from "./skills-admin";

const opened = databaseForFile();

const head = (name: string, text = "# Words") => ({ path: "SKILL.md", content: `---\nname: ${name}\n---\n${text}\n` });
const FILES = [
  { path: "scripts/count.py", content: "print('内核')\n" },
  head("words"),
  { path: "LICENSE", content: "" },
  { path: "data/a.json", content: '{"a": 1}' },
];
const skill = (more: Partial<SkillWrite> = {}): SkillWrite => ({
  name: "words",
  categorySlug: "text",
  summary: "Counts words.",
  sourceType: "own",
  repo: "owner/skills",
  files: FILES,
  ...more,
});
const stored = async (name: string) => {
  const { rows } = await opened.admin.query(
    "SELECT to_jsonb(s) AS skill, (SELECT jsonb_agg(f ORDER BY sort_order) FROM skill_files f WHERE skill_name = name) AS files FROM skills s WHERE name = $1",
    [name],
  );
  return rows[0];
};

beforeAll(async () => {
  await upsertSkillCategory(opened.db, { slug: "web", name: "Web", dot: "#0000ff", sortOrder: 2 });
  await upsertSkillCategory(opened.db, { slug: "text", name: "文字", dot: "#ff0000", sortOrder: 1 });
});

test("an empty library has its categories, no skill and no latest change", async () => {
  expect(await skillsIndex(opened.db)).toEqual({
    categories: [
      { slug: "text", name: "文字", dot: "#ff0000", skills: [] },
      { slug: "web", name: "Web", dot: "#0000ff", skills: [] },
    ],
    total: 0,
    latest: null,
  });
});

describe("a pack", () => {
  test("may be in no repository", async () => {
    const { row } = await upsertSkill(opened.db, skill({ name: "loose", repo: "", files: [head("loose")] }));
    expect(row.repo).toBe("");
    await deleteSkill(opened.db, "loose");
  });

  test("is read back whole, SKILL.md first, then in the pack's order", async () => {
    const { row, changed } = await upsertSkill(
      opened.db,
      skill({ repoUrl: "https://example.com/skills", version: "1.2" }),
    );
    expect(changed).toBe(true);
    const view = (await readSkill(opened.db, "words"))!;
    expect(skillView.parse(view)).toEqual(view);
    expect(view).toEqual({
      name: "words",
      summary: "Counts words.",
      sourceType: "own",
      repo: "owner/skills",
      repoUrl: "https://example.com/skills",
      version: "1.2",
      fileCount: 4,
      zipBytes: row.zipBytes,
      agentEnabled: false,
      contentHash: row.contentHash,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      category: { slug: "text", name: "文字", dot: "#ff0000" },
      files: [
        { ...FILES[1]!, kind: "markdown", bytes: 28, lines: 4 },
        { ...FILES[0]!, kind: "python", bytes: 16, lines: 1 },
        { ...FILES[2]!, kind: "text", bytes: 0, lines: 0 },
        { ...FILES[3]!, kind: "json", bytes: 8, lines: 1 },
      ] as never,
    });
    expect(await readSkill(opened.db, "none")).toBeNull();
  });

  test("is an archive of exactly its files, none of them absolute or leading out", async () => {
    const { bytes, etag } = (await readSkillZip(opened.db, "words"))!;
    const entries = unzipSync(bytes);
    expect(Object.keys(entries)).toEqual([
      "words/SKILL.md",
      "words/scripts/count.py",
      "words/LICENSE",
      "words/data/a.json",
    ]);
    for (const { path, content } of FILES) expect(Buffer.from(entries[`words/${path}`]!).toString()).toBe(content);
    expect(etag).toBe((await getSkill(opened.db, "words"))!.contentHash);
    expect(await readSkillZip(opened.db, "none")).toBeNull();
  });

  test("written again as it is leaves rows, archive and hash as they are; a word of its summary moves no file", async () => {
    const before = await stored("words");
    expect((await upsertSkill(opened.db, skill())).changed).toBe(false);
    expect(await stored("words")).toEqual(before);
    const { row, changed } = await upsertSkill(opened.db, { name: "words", summary: "Counts all words." });
    expect(changed).toBe(true);
    const after = await stored("words");
    expect(after.files).toEqual(before.files);
    expect([after.skill.zip, after.skill.content_hash]).toEqual([before.skill.zip, before.skill.content_hash]);
    expect(row.summary).toBe("Counts all words.");
  });

  test("replaces the one that was there: what it does not have is gone", async () => {
    const first = (await getSkill(opened.db, "words"))!;
    const { row } = await upsertSkill(opened.db, { name: "words", files: [head("words", "# New")] });
    expect(row.contentHash).not.toBe(first.contentHash);
    const { files } = (await readSkill(opened.db, "words"))!;
    expect(files.map(({ path, content }) => ({ path, content }))).toEqual([head("words", "# New")]);
    const { bytes } = (await readSkillZip(opened.db, "words"))!;
    expect(Object.keys(unzipSync(bytes))).toEqual(["words/SKILL.md"]);
    expect(row.zipBytes).toBe(bytes.length);
    await upsertSkill(opened.db, skill());
  });

  test("with another order of its files is another pack, for its archive is", async () => {
    const { row } = await upsertSkill(opened.db, skill());
    const turned = await upsertSkill(opened.db, skill({ files: [...FILES].reverse() }));
    expect([turned.changed, turned.row.contentHash === row.contentHash]).toEqual([true, false]);
    expect((await upsertSkill(opened.db, skill())).row.contentHash).toBe(row.contentHash);
  });

  test.each<[string, Partial<SkillWrite>, object]>([
    [
      "a path that leads out",
      { files: [head("words"), { path: "../x.md", content: "" }] },
      { facts: { field: "files" } },
    ],
    ["a picture", { files: [head("words"), { path: "a.svg", content: "<svg/>" }] }, { facts: { field: "files" } }],
    ["no SKILL.md", { files: [{ path: "a.md", content: "" }] }, { facts: { field: "files" } }],
    ["another skill's SKILL.md", { files: [head("other")] }, { facts: { field: "files" } }],
    ["a script for an address", { repoUrl: "javascript:alert(1)" }, { facts: { field: "repoUrl" } }],
    ["a repo that could end a command", { repo: "a/b; rm" }, { facts: { field: "repo" } }],
    ["a version too long", { version: "x".repeat(33) }, { facts: { field: "version" } }],
    [
      "a category that is not there",
      { categorySlug: "none" },
      { code: "missing_reference", facts: { field: "categorySlug", allowed: ["text", "web"] } },
    ],
  ])("with %s is refused, and nothing of it is kept", async (_what, more, refusal) => {
    const before = await stored("words");
    await expect(upsertSkill(opened.db, skill({ summary: "Half written.", ...more }))).rejects.toMatchObject({
      code: "invalid",
      ...refusal,
    });
    expect(await stored("words")).toEqual(before);
    const write = { ...skill(more), name: "fresh" };
    await expect(upsertSkill(opened.db, write)).rejects.toThrow();
    expect(await stored("fresh")).toBeUndefined();
  });

  test("that is new needs all that makes a skill", async () => {
    const fields = ["categorySlug", "summary", "sourceType", "repo", "files"] as const;
    for (const field of fields) {
      const write = { ...skill({ files: [head("fresh")] }), name: "fresh", [field]: undefined };
      await expect(upsertSkill(opened.db, write)).rejects.toMatchObject({ code: "required", facts: { field } });
    }
  });
});

describe("an archive", () => {
  test("has the same bytes in every time zone", () => {
    const here = process.env.TZ;
    const made = ["UTC", "Asia/Shanghai", "America/New_York", "Pacific/Kiritimati"].map((zone) => {
      process.env.TZ = zone;
      return skillArchive("words", FILES).toString("base64");
    });
    process.env.TZ = here ?? "UTC";
    expect(new Set(made).size).toBe(1);
  });

  test("keeps the order of files whose names are numbers", () => {
    const files = ["9", "10", "__proto__", "constructor", "1"].map((path) => ({ path, content: path }));
    expect(Object.keys(unzipSync(skillArchive("n", files)))).toEqual(files.map(({ path }) => `n/${path}`));
  });
});

describe("the owner", () => {
  test("lists skills without their texts, and reads one file", async () => {
    const row = (await listSkills(opened.db, "text"))[0]!;
    const { files, ...one } = (await getSkill(opened.db, "words"))!;
    expect(one).toEqual(row);
    expect(files.map(({ path, bytes }) => [path, bytes])).toEqual([
      ["SKILL.md", 28],
      ["scripts/count.py", 16],
      ["LICENSE", 0],
      ["data/a.json", 8],
    ]);
    expect(files[0]!.sha256).toBe(new Bun.CryptoHasher("sha256").update(head("words").content).digest("hex"));
    expect(await getSkillFile(opened.db, "words", "LICENSE")).toEqual({ ...files[2]!, content: "" });
    expect(await getSkillFile(opened.db, "words", "none")).toBeNull();
    expect(await getSkill(opened.db, "none")).toBeNull();
    expect(await listSkills(opened.db, "web")).toEqual([]);
  });

  test("switches a skill for the agent, and a new pack does not switch it back", async () => {
    const on = await setSkillAgentEnabled(opened.db, "words", true);
    expect([on.changed, on.row.agentEnabled]).toEqual([true, true]);
    expect((await setSkillAgentEnabled(opened.db, "words", true)).changed).toBe(false);
    expect((await upsertSkill(opened.db, skill({ summary: "Again." }))).row.agentEnabled).toBe(true);
    await expect(setSkillAgentEnabled(opened.db, "none", true)).rejects.toMatchObject({ code: "not_found" });
  });

  test("who expects another revision writes and deletes nothing", async () => {
    const { row } = await upsertSkill(opened.db, skill({ summary: "One." }));
    const now = await upsertSkill(opened.db, { name: "words", summary: "Two." }, { expectedRevision: row.revision });
    const stale = { code: "stale_revision", current: now.row.revision };
    const expected = { expectedRevision: row.revision };
    await expect(upsertSkill(opened.db, { name: "words", summary: "Three." }, expected)).rejects.toMatchObject(stale);
    await expect(setSkillAgentEnabled(opened.db, "words", false, expected)).rejects.toMatchObject(stale);
    await expect(deleteSkill(opened.db, "words", expected)).rejects.toMatchObject(stale);
    expect((await listSkills(opened.db)).map(({ summary }) => summary)).toEqual(["Two."]);
  });

  test("does not delete a category in use; a skill goes with its files", async () => {
    await expect(deleteSkillCategory(opened.db, "text")).rejects.toMatchObject({ code: "in_use", facts: { count: 1 } });
    expect((await deleteSkill(opened.db, "words")).row.name).toBe("words");
    expect(await readSkill(opened.db, "words")).toBeNull();
    expect((await opened.admin.query("SELECT count(*)::int AS n FROM skill_files")).rows[0].n).toBe(0);
    await deleteSkillCategory(opened.db, "text");
    expect((await listSkillCategories(opened.db)).map(({ slug }) => slug)).toEqual(["web"]);
    await expect(deleteSkill(opened.db, "words")).rejects.toMatchObject({ code: "not_found" });
  });
});

test("the pages see skills by category and order, the newest change, and no link that is none", async () => {
  const { db, admin } = opened;
  for (const [name, sortOrder] of [
    ["b", 1],
    ["a", 1],
    ["c", 0],
  ] as const) {
    await upsertSkill(db, skill({ name, sortOrder, categorySlug: "web", files: [head(name)] }));
  }
  await admin.query("UPDATE skills SET repo_url = 'javascript:alert(1)' WHERE name = 'a'");
  const index = await skillsIndex(db);
  expect(indexShape.parse(index)).toEqual(index);
  expect(index.categories.map(({ slug, skills }) => [slug, skills.map(({ name }) => name)])).toEqual([
    ["web", ["c", "a", "b"]],
  ]);
  expect([index.total, index.latest]).toEqual([3, index.categories[0]!.skills[0]!.updatedAt]);
  expect(index.categories[0]!.skills[1]!.repoUrl).toBeNull();
  expect((await readSkill(db, "a"))!.repoUrl).toBeNull();
});
