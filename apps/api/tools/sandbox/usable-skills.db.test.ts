/** Which skills may be used, by the library as it really is: the switch, the text, and the tier (§13.1, M2). */
import { beforeEach, describe, expect, it } from "bun:test";
import { createHash } from "node:crypto";
import { databaseForFile } from "../../../../tests/support/database-for-file.mts";
import type { ManifestSkill } from "../../../../shared/skill-manifest";
import { readSandboxConfig } from "../../stores/sandbox-config";
import { readAgentSkills } from "../../stores/skills-agent";
import { aSkill } from "../__tests__/a-sandbox";
import { skillState, usableSkills } from "./usable-skills";

const opened = databaseForFile();
const TEXTS: Record<string, string> = {
  "SKILL.md": "---\nname: counting\n---\n\n数一数 \\x41\n",
  "scripts/count.py": "print(3)\n",
};
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const files = Object.entries(TEXTS).map(([path, text]) => ({ path, sha256: sha256(text) }));
const counting = aSkill({ files });
const NONE = new Set<ManifestSkill["network"]>(["none"]);
const ALL = new Set<ManifestSkill["network"]>(["none", "egress"]);

beforeEach(async () => {
  const { admin } = opened;
  await admin.query("DELETE FROM skills");
  await admin.query(
    "INSERT INTO skills_categories (slug, name, dot) VALUES ('tools', 'Tools', '#112233') ON CONFLICT DO NOTHING",
  );
  await admin.query(
    `INSERT INTO skills (name, category_slug, summary, source_type, repo, zip, zip_size, content_hash, agent_enabled)
     VALUES ('counting', 'tools', 's', 'own', 'owner/repo', '\\x00', 1, $1, TRUE)`,
    ["0".repeat(64)],
  );
  for (const [path, text] of Object.entries(TEXTS)) await put(path, text);
});

async function put(path: string, text: string): Promise<void> {
  await opened.admin.query(
    `INSERT INTO skill_files (skill_name, path, kind, content, sha256, size_bytes, line_count, sort_order)
     VALUES ('counting', $1, 'text', $2, $3, $4, 1, 0)`,
    [path, text, sha256(text), Buffer.byteLength(text)],
  );
}
async function stateNow(skill = counting, tiers = NONE) {
  const library = await readAgentSkills(opened.db, [skill.name]);
  const drifted: string[] = [];
  const usable = usableSkills({ skills: [skill] }, library, tiers, (name) => drifted.push(name));
  return { state: skillState(skill, library.get(skill.name), tiers), usable: usable.length, drifted };
}

describe("a skill", () => {
  it("that the library holds as it was released, and the owner lets the agent use, is usable", async () => {
    expect(await stateNow()).toEqual({ state: "ok", usable: 1, drifted: [] });
  });

  it("that the owner has switched off, or that the library lacks, is not", async () => {
    await opened.admin.query("UPDATE skills SET agent_enabled = FALSE");
    expect(await stateNow()).toEqual({ state: "off", usable: 0, drifted: [] });
    await opened.admin.query("DELETE FROM skills");
    expect(await stateNow()).toEqual({ state: "missing", usable: 0, drifted: [] });
  });

  it("whose text was changed in the library drifts, although every hash and size beside it stayed", async () => {
    await opened.admin.query("UPDATE skill_files SET content = 'print(4)' || chr(10) WHERE path = 'scripts/count.py'");
    expect(await stateNow()).toEqual({ state: "drift", usable: 0, drifted: ["counting"] });
  });

  it("with a file more, a file less or a file of another name drifts", async () => {
    await put("scripts/more.py", "");
    expect((await stateNow()).state).toBe("drift");
    await opened.admin.query("DELETE FROM skill_files WHERE path LIKE 'scripts/%'");
    expect((await stateNow()).state).toBe("drift");
    await put("scripts/Count.py", TEXTS["scripts/count.py"]!);
    expect((await stateNow()).state).toBe("drift");
  });

  it("that drifts and is switched off is no news", async () => {
    await opened.admin.query("UPDATE skills SET agent_enabled = FALSE");
    await put("scripts/more.py", "");
    expect(await stateNow()).toEqual({ state: "drift", usable: 0, drifted: [] });
  });

  it("of the open tier needs a runner of that tier", async () => {
    const open = { ...counting, network: "egress" } as const;
    expect(await stateNow(open)).toMatchObject({ state: "no_runner", usable: 0 });
    expect(await stateNow(open, ALL)).toMatchObject({ state: "ok", usable: 1 });
  });
});

describe("the bounds of a run", () => {
  it("are the owner's row", async () => {
    expect(await readSandboxConfig(opened.db)).toEqual({ dailyRunLimit: 0, totalTimeoutMs: 30_000 });
    await opened.admin.query("UPDATE sandbox_config SET daily_run_limit = 5, total_timeout_ms = 9000");
    expect(await readSandboxConfig(opened.db)).toEqual({ dailyRunLimit: 5, totalTimeoutMs: 9_000 });
  });
});
