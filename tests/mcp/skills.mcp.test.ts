/** The skills library as its owner writes it, and what of it the agent gets (§12, §13.1, §21.3, 35–44). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { SKILL_MANIFEST } from "../../apps/api/tools/sandbox/skill-manifest";
import { LIMITS } from "../../shared/limits";
import cases from "../cases/paths.json";
import unicode from "../cases/unicode.json";
import { type McpSite, startMcpSite } from "../support/mcp.mts";
import { START_MS } from "../support/site.mts";

let site: McpSite;
beforeAll(async () => {
  site = await startMcpSite({
    provider: null,
    env: { XRAY_UNLOCK_DANGEROUS_TOOLS: "1", XRAY_SKILL_RUNNER_URL: "unix:/run/nobody-is-there.sock" },
  });
}, START_MS);
afterAll(() => site.stop());
beforeEach(async () => {
  await site.sql("TRUNCATE skills_categories CASCADE");
  await site.mcp.ok("skills_category_upsert", { slug: "craft", name: "Craft", dot: "#112233" });
});

const head = (name = "words") => ({ path: "SKILL.md", content: `---\nname: ${name}\n---\n# Words\n` });
const SKILL = {
  name: "words",
  categorySlug: "craft",
  summary: "Counts words.",
  sourceType: "own",
  repo: "owner/words",
  files: [head(), { path: "scripts/count.py", content: "print(1)\n" }],
};
const stored = () => site.dump().then((lines) => lines.filter((line) => line.startsWith("skill")));
const archive = async (name = "words") => {
  const response = await fetch(`${site.app.url}/assets/skills/${name}.zip`);
  const entries = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(Object.entries(entries).map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));
};

describe("a category of skills", () => {
  it("is created, changed field by field, listed, and deleted once nothing is in it", async () => {
    const { category } = await site.mcp.ok("skills_category_upsert", { slug: "craft", sortOrder: 7 });
    expect(category).toEqual({
      slug: "craft",
      name: "Craft",
      dot: "#112233",
      sortOrder: 7,
      revision: category.revision,
    });
    expect(await site.mcp.ok("skills_categories_list")).toEqual({ categories: [category], total: 1 });
    await site.mcp.ok("skills_upsert", SKILL);
    expect(await site.mcp.refused("skills_category_delete", { slug: "craft" })).toMatchObject({
      error: "This category still has skills.",
      count: 1,
      retry: expect.stringContaining("skills_upsert"),
    });
    await site.mcp.ok("skills_delete", { name: "words" });
    expect(await site.mcp.ok("skills_category_delete", { slug: "craft" })).toEqual({ category, changed: true });
    expect((await site.mcp.refused("skills_category_delete", { slug: "craft" })).existing).toEqual([]);
  });

  it("is refused without a field, without what a new one needs, and when it has changed since it was read", async () => {
    expect((await site.mcp.refused("skills_category_upsert", { slug: "craft" })).allowed).toEqual([
      "name",
      "dot",
      "sortOrder",
    ]);
    expect((await site.mcp.refused("skills_category_upsert", { slug: "new", name: "New" })).field).toBe("dot");
    const stale = { slug: "craft", name: "Other", expectedRevision: "0".repeat(16) };
    expect((await site.mcp.refused("skills_category_upsert", stale)).field).toBe("expectedRevision");
    expect((await site.mcp.ok("skills_categories_list")).categories).toMatchObject([{ slug: "craft", name: "Craft" }]);
  });
});

describe("a skill", () => {
  it("is created with its archive, read file by file, listed, and deleted", async () => {
    const { skill, changed } = await site.mcp.ok("skills_upsert", { ...SKILL, version: "1.0" });
    expect([skill, changed]).toMatchObject([
      {
        name: "words",
        categorySlug: "craft",
        summary: "Counts words.",
        sourceType: "own",
        repo: "owner/words",
        repoUrl: null,
        version: "1.0",
        sortOrder: 0,
        agentEnabled: false,
        fileCount: 2,
      },
      true,
    ]);
    const got = await site.mcp.ok("skills_get", { name: "words" });
    expect(got.skill).toEqual(skill);
    expect(got.files.map(({ path, kind, lines }: Record<string, unknown>) => [path, kind, lines])).toEqual([
      ["SKILL.md", "markdown", 4],
      ["scripts/count.py", "python", 1],
    ]);
    expect(JSON.stringify(got)).not.toContain("print(1)");
    expect(await site.mcp.ok("skills_file_get", { name: "words", path: "scripts/count.py" })).toEqual({
      file: got.files[1],
      content: "print(1)\n",
      totalChars: 9,
    });
    expect(await site.mcp.ok("skills_list", { categorySlug: "craft" })).toEqual({ skills: [skill], total: 1 });
    expect(await archive()).toEqual({ "words/SKILL.md": head().content, "words/scripts/count.py": "print(1)\n" });
    expect(await site.mcp.ok("skills_delete", { name: "words" })).toEqual({ skill, changed: true });
    expect(await site.sql("SELECT path FROM skill_files")).toEqual([]);
  });

  it("keeps its files when a write leaves them out, and has only the new ones when it does not", async () => {
    const { skill } = await site.mcp.ok("skills_upsert", { ...SKILL, version: "1.0", repoUrl: "https://example.com/" });
    expect((await site.mcp.ok("skills_upsert", SKILL)).changed).toBe(false);
    const cleared = await site.mcp.ok("skills_upsert", { name: "words", version: null, repoUrl: "" });
    expect(cleared.skill).toMatchObject({ version: "", repoUrl: null, contentHash: skill.contentHash, fileCount: 2 });
    const replaced = await site.mcp.ok("skills_upsert", { name: "words", files: [head()] });
    expect([replaced.changed, replaced.skill.fileCount]).toEqual([true, 1]);
    expect(await archive()).toEqual({ "words/SKILL.md": head().content });
  });

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ["no field", { name: "words" }, undefined],
    ["no files", { ...SKILL, files: undefined }, "files"],
    ["an empty pack", { ...SKILL, files: [] }, "files"],
    ["no SKILL.md", { ...SKILL, files: [{ path: "a.md", content: "" }] }, "files"],
    ["a SKILL.md of another name", { ...SKILL, files: [head("other")] }, "files"],
    ["a SKILL.md without a head", { ...SKILL, files: [{ path: "SKILL.md", content: "# Words" }] }, "files"],
    ["a picture", { ...SKILL, files: [head(), { path: "a.png", content: "" }] }, "files"],
    ["SVG", { ...SKILL, files: [head(), { path: "a.svg", content: "<svg/>" }] }, "files"],
    ["HTML", { ...SKILL, files: [head(), { path: "a.html", content: "<p>" }] }, "files"],
    ["a NUL", { ...SKILL, files: [head(), { path: "a.md", content: "\0" }] }, "files"],
    ["half a pair", { ...SKILL, files: [head(), { path: "a.md", content: "\ud800" }] }, "files"],
    ["one file twice", { ...SKILL, files: [head(), head()] }, "files"],
    ["a file too large", { ...SKILL, files: [head(), { path: "a.md", content: "字".repeat(87_382) }] }, "files"],
    ["no content", { ...SKILL, files: [head(), { path: "a.md" }] }, "files.1.content"],
    ["a kind of its own", { ...SKILL, files: [head(), { path: "a.md", content: "", kind: "html" }] }, "files.1.kind"],
    ["a category that is not there", { ...SKILL, categorySlug: "none" }, "categorySlug"],
    ["a repo that is an address", { ...SKILL, repo: "https://example.com/a" }, "repo"],
    ["an address that runs", { ...SKILL, repoUrl: "javascript:alert(1)" }, "repoUrl"],
    ["a source of its own", { ...SKILL, sourceType: "stolen" }, "sourceType"],
    ["the agent's switch", { ...SKILL, agentEnabled: true }, "agentEnabled"],
  ])("is refused, and nothing of it is stored: %s", async (_case, args, field) => {
    const before = await stored();
    const refusal = await site.mcp.refused("skills_upsert", args);
    expect([refusal.field, refusal.error.endsWith(".")]).toEqual([field, true]);
    expect(await stored()).toEqual(before);
  });

  it("is refused whole when its pack is larger than a pack may be, and the old one stays", async () => {
    await site.mcp.ok("skills_upsert", SKILL);
    const before = await stored();
    const half = "x".repeat(LIMITS.skillFileBytes);
    const files = [head(), ...["a.md", "b.md"].map((path) => ({ path, content: half }))];
    expect((await site.mcp.refused("skills_upsert", { ...SKILL, files })).error).toContain("The pack is larger");
    expect(await stored()).toEqual(before);
    const fitting = [head(), { path: "a.md", content: half }];
    expect((await site.mcp.ok("skills_upsert", { ...SKILL, files: fitting })).changed).toBe(true);
    let read = "";
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const piece = await site.mcp.ok("skills_file_get", { name: "words", path: "a.md", offset });
      read += piece.content;
      offset = piece.nextOffset;
    }
    expect(read === half).toBe(true);
  });

  it("that is not there is refused with those that are, and so is a file", async () => {
    await site.mcp.ok("skills_upsert", SKILL);
    for (const [tool, args] of [
      ["skills_get", { name: "none" }],
      ["skills_delete", { name: "none" }],
      ["skills_file_get", { name: "none", path: "SKILL.md" }],
    ] as const) {
      const { field, existing } = await site.mcp.refused(tool, args);
      expect([tool, field, existing]).toEqual([tool, "name", ["words"]]);
    }
    for (const path of ["none.md", "../words/SKILL.md", "SKILL.md\0", "", "skill.md"]) {
      const { field, existing } = await site.mcp.refused("skills_file_get", { name: "words", path });
      expect([path, field, existing]).toEqual([path, "path", ["SKILL.md", "scripts/count.py"]]);
    }
    const inNone = await site.mcp.refused("skills_list", { categorySlug: "none" });
    expect([inNone.field, inNone.existing]).toEqual(["categorySlug", ["craft"]]);
  });

  it("has two writers of which the slower is told, and the pack is the winner's whole", async () => {
    const { skill } = await site.mcp.ok("skills_upsert", SKILL);
    const write = (text: string) =>
      site.mcp.call("skills_upsert", {
        name: "words",
        files: [head(), { path: "a.md", content: text }, { path: `${text}.md`, content: text }],
        expectedRevision: skill.revision,
      });
    const both = await Promise.all([write("one"), write("other")]);
    const won = both.findIndex(({ isError }) => !isError);
    const lost = both[1 - won]!;
    expect(lost.result).toMatchObject({ field: "expectedRevision", revision: both[won]!.result.skill.revision });
    const text = ["one", "other"][won]!;
    expect(await archive()).toEqual({
      "words/SKILL.md": head().content,
      "words/a.md": text,
      [`words/${text}.md`]: text,
    });
    const stale = { name: "words", expectedRevision: skill.revision };
    expect((await site.mcp.refused("skills_delete", stale)).field).toBe("expectedRevision");
  });
});

describe("paths of a pack", () => {
  it("are as the cases say, one by one: refused with nothing stored, or stored and in the archive", async () => {
    for (const { id, path, verdict, level } of cases.path_cases) {
      if (path === "SKILL.md") continue;
      // A path of no kind is refused for that; the rule about paths is seen with a name that has one.
      const named = verdict === "reject" || /\.md$/.test(path) ? path : `${path}.md`;
      const files = [head(), { path: named, content: id }];
      const { isError } = await site.mcp.call("skills_upsert", { ...SKILL, files });
      if (verdict !== "either" && level === "must") expect([id, isError]).toEqual([id, verdict === "reject"]);
      const expected = isError ? [] : ["SKILL.md", named];
      const rows = await site.sql("SELECT path FROM skill_files ORDER BY sort_order");
      expect([id, rows.map((row) => row.path)]).toEqual([id, expected]);
      if (isError) continue;
      expect(Object.keys(await archive())).toEqual(["words/SKILL.md", `words/${named}`]);
      await site.mcp.ok("skills_delete", { name: "words" });
    }
  });

  it("are as the cases say, as sets", async () => {
    for (const { id, paths, verdict } of cases.set_cases) {
      const files = paths.map((path) => (path === "SKILL.md" ? head() : { path, content: id }));
      if (paths.length > 0 && !paths.includes("SKILL.md")) files.push(head());
      const { isError, result } = await site.mcp.call("skills_upsert", { ...SKILL, files });
      if (verdict !== "either") expect([id, isError]).toEqual([id, verdict === "reject"]);
      if (isError)
        expect([id, await site.sql("SELECT name FROM skills"), typeof result.retry]).toEqual([id, [], "string"]);
    }
  });

  it("are compared whatever Unicode writes them with, and contents are kept to the byte or refused", async () => {
    for (const { id, input } of unicode.cases) {
      const isText = input.isWellFormed() && !input.includes("\0");
      const files = [head(), { path: "a.md", content: input }];
      const { isError } = await site.mcp.call("skills_upsert", { ...SKILL, files });
      expect([id, isError]).toEqual([id, !isText]);
      if (!isError) expect([id, (await archive())["words/a.md"]]).toEqual([id, input]);
    }
  });
});

/** A released skill as it is in the repository, every file of it. */
const released = (name: string) => {
  const skill = SKILL_MANIFEST.skills.find((it) => it.name === name)!;
  const read = (path: string) => readFileSync(join(import.meta.dir, "../../runner/skills", name, path), "utf8");
  return { ...SKILL, name, files: skill.files.map(({ path }) => ({ path, content: read(path) })) };
};
const statusOf = async (name: string) =>
  (await site.mcp.ok("skills_agent_status")).skills.find((it: { name: string }) => it.name === name);

describe("what the agent gets", () => {
  beforeEach(async () => {
    for (const name of ["skill_load", "skill_run"]) await site.mcp.ok("tool_config_set", { name, enabled: true });
  });

  it("is told of each released skill, in the order of the manifest, when the library has none", async () => {
    const status = await site.mcp.ok("skills_agent_status");
    expect([status.skillLoad, status.skillRun]).toEqual(["on", "on"]);
    expect(status.skills).toEqual(
      SKILL_MANIFEST.skills.map(({ name, network }) => ({
        name,
        network,
        inLibrary: false,
        agentEnabled: false,
        consistency: "missing",
        differingPaths: [],
        available: false,
        runnable: false,
      })),
    );
  });

  it("is a skill that is released, stored as released, and switched on; and every gate counts", async () => {
    await site.mcp.ok("skills_upsert", released("text-tools"));
    expect(await statusOf("text-tools")).toMatchObject({ consistency: "ok", agentEnabled: false, available: false });
    const { skill, changed, revision } = await site.mcp.ok("skills_agent_set", { name: "text-tools", enabled: true });
    expect([skill, changed]).toEqual([
      {
        name: "text-tools",
        network: "none",
        inLibrary: true,
        agentEnabled: true,
        consistency: "ok",
        differingPaths: [],
        available: true,
        runnable: true,
      },
      true,
    ]);
    expect((await site.mcp.ok("skills_get", { name: "text-tools" })).skill.revision).toBe(revision);
    expect((await site.mcp.ok("skills_agent_set", { name: "text-tools", enabled: true })).changed).toBe(false);

    await site.mcp.ok("tool_config_set", { name: "skill_run", enabled: false });
    expect(await statusOf("text-tools")).toMatchObject({ available: true, runnable: false });
    await site.mcp.ok("tool_config_set", { name: "skill_load", enabled: false });
    const closed = await site.mcp.ok("skills_agent_status");
    expect([closed.skillLoad, closed.skillRun]).toEqual(["off", "off"]);
    expect(await statusOf("text-tools")).toMatchObject({ available: false, runnable: false });
  });

  it("is no skill that differs by a byte, lacks a file or has one more, and the paths are named", async () => {
    const pack = released("text-tools");
    await site.mcp.ok("skills_upsert", pack);
    await site.mcp.ok("skills_agent_set", { name: "text-tools", enabled: true });
    const changedFile = pack.files.at(-1)!;
    const missing = pack.files.find(({ path }) => path.startsWith("scripts/"))!;
    const files = [
      ...pack.files.filter((file) => file !== changedFile && file !== missing),
      { ...changedFile, content: `${changedFile.content}\n` },
      { path: "extra.md", content: "" },
    ];
    await site.mcp.ok("skills_upsert", { name: "text-tools", files });
    expect(await statusOf("text-tools")).toMatchObject({
      consistency: "drift",
      agentEnabled: true,
      available: false,
      runnable: false,
      differingPaths: [changedFile.path, missing.path, "extra.md"].sort(),
    });
    await site.mcp.ok("skills_upsert", pack);
    expect(await statusOf("text-tools")).toMatchObject({ consistency: "ok", available: true });
  });

  it("is no skill whose network no runner serves", async () => {
    await site.mcp.ok("skills_upsert", released("web-fetch"));
    const { skill } = await site.mcp.ok("skills_agent_set", { name: "web-fetch", enabled: true });
    expect(skill).toMatchObject({ network: "egress", consistency: "ok", available: false, runnable: false });
  });

  it("cannot be widened: a skill that is not released, or not in the library, is refused", async () => {
    await site.mcp.ok("skills_upsert", SKILL);
    const names = SKILL_MANIFEST.skills.map(({ name }) => name);
    const foreign = await site.mcp.refused("skills_agent_set", { name: "words", enabled: true });
    expect([foreign.field, foreign.existing]).toEqual(["name", names]);
    const absent = await site.mcp.refused("skills_agent_set", { name: "calc", enabled: true });
    expect([absent.error, absent.retry]).toEqual([
      "The library does not have this skill.",
      expect.stringContaining("skills_upsert"),
    ]);
    expect(await site.sql("SELECT name FROM skills WHERE agent_enabled")).toEqual([]);
  });
});
