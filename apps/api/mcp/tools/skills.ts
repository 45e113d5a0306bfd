/** The skills library: its categories and its packs (§12, §21.3). A pack is written whole; its archive follows from it. */
import { z } from "zod";
import { SKILL_FILE_KINDS, skillName } from "../../../../shared/contracts/skills";
import { LIMITS } from "../../../../shared/limits";
import type { Database } from "../../database/pool";
import { listSkillCategories } from "../../stores/skill-categories-admin";
import { deleteSkill, getSkill, getSkillFile, listSkills, SOURCE_TYPES, upsertSkill } from "../../stores/skills-admin";
import { changed, defineTool, expectedRevision, revision } from "../define-tool";
import { pageInput, pageOutput, pieceInput, pieceOf, pieceOutput } from "../paging";
import { patchOf } from "../partial-update";
import { advised, noSuch } from "../store-advice";
import { unknownName } from "../tool-refusal";
import { slug, sortOrder } from "./fields";

const skill = z.object({
  name: z.string(),
  categorySlug: z.string(),
  summary: z.string(),
  sourceType: z.enum(SOURCE_TYPES),
  repo: z.string(),
  repoUrl: z.string().nullable(),
  version: z.string(),
  sortOrder: z.int(),
  agentEnabled: z.boolean(),
  fileCount: z.int(),
  zipBytes: z.int(),
  contentHash: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  revision,
});
const file = z.object({
  path: z.string(),
  kind: z.enum(SKILL_FILE_KINDS),
  bytes: z.int(),
  lines: z.int(),
  sha256: z.string(),
});
const path = z.string().max(LIMITS.skillPathChars);

const skillFields = {
  categorySlug: slug.optional(),
  summary: z.string().max(LIMITS.skillSummaryChars).optional(),
  sourceType: z.enum(SOURCE_TYPES).optional(),
  repo: z.string().max(140).optional().describe("owner/repo on GitHub; empty: no install command."),
  repoUrl: z.string().max(LIMITS.webUrlChars).nullable().optional().describe("http or https."),
  version: z.string().max(LIMITS.skillVersionChars).nullable().optional(),
  sortOrder: sortOrder.optional(),
  files: z
    .array(z.strictObject({ path, content: z.string().max(LIMITS.skillFileBytes) }))
    .max(LIMITS.skillFiles)
    .optional()
    .describe("All files, SKILL.md among them: those that are not in it are deleted. Absent: the files stay."),
};

const list = defineTool({
  name: "skills_list",
  title: "List the skills",
  description:
    "Skills, all or of one category, in the order of the pages: skills (name, categorySlug, summary, sourceType, repo, repoUrl, version, sortOrder, agentEnabled, fileCount, zipBytes, contentHash, createdAt, updatedAt, revision), total, nextCursor.",
  effect: "read",
  input: z.strictObject({ categorySlug: slug.optional(), ...pageInput }),
  output: z.object({ skills: z.array(skill), ...pageOutput }),
  async run({ db, args, page }) {
    const rows = await listSkills(db, args.categorySlug);
    if (rows.length === 0 && args.categorySlug !== undefined) {
      const known = (await listSkillCategories(db)).map((it) => it.slug);
      if (!known.includes(args.categorySlug)) throw unknownName("categorySlug", "category of skills", known);
    }
    const { rows: skills, ...rest } = page(rows, (it) => it.name);
    return { skills, ...rest };
  },
});

const get = defineTool({
  name: "skills_get",
  title: "Read a skill",
  description:
    "One skill with the list of its files, without their texts: skill (as skills_list gives it) and files (path, kind, bytes, lines, sha256), SKILL.md first. skills_file_get reads a file; the archive is at /skills/<name>.zip.",
  effect: "read",
  input: z.strictObject({ name: skillName }),
  output: z.object({ skill, files: z.array(file) }),
  async run({ db, args }) {
    const found = await getSkill(db, args.name);
    if (found === null) throw unknownName("name", "skill", await skillNames(db));
    const { files, ...row } = found;
    return { skill: row, files };
  },
});

const fileGet = defineTool({
  name: "skills_file_get",
  title: "Read a file of a skill",
  description:
    "One file of a skill: file (path, kind, bytes, lines, sha256), content, totalChars. A long text comes in pieces: while there is a nextOffset, call again with it as offset.",
  effect: "read",
  input: z.strictObject({ name: skillName, path, ...pieceInput }),
  output: z.object({ file, content: z.string(), ...pieceOutput }),
  async run({ db, args }) {
    // No stored path holds a NUL, and the database takes none.
    const found = args.path.includes("\0") ? null : await getSkillFile(db, args.name, args.path);
    if (found === null) {
      const pack = await getSkill(db, args.name);
      if (pack === null) throw unknownName("name", "skill", await skillNames(db));
      throw unknownName(
        "path",
        "file",
        pack.files.map((it) => it.path),
      );
    }
    const { content, ...row } = found;
    const { text, ...piece } = pieceOf(content, args.offset);
    return { file: row, content: text, ...piece };
  },
});

const upsert = defineTool({
  name: "skills_upsert",
  title: "Write a skill",
  description:
    "Creates a skill, or changes the given fields of one; files, if given, take the place of the whole pack. A new one needs categorySlug, summary, sourceType, repo, files. Returns skill (as skills_list gives it) and changed. A changed pack is kept from the agent: see skills_agent_status.",
  effect: "destroy",
  input: z.strictObject({ name: skillName, ...skillFields, expectedRevision }),
  output: z.object({ skill, changed }),
  summary: ({ name, files }) => (files ? `${name}, ${files.length} files` : name),
  async run({ db, args }) {
    const { repoUrl, version, ...patch } = patchOf(args, skillFields);
    const cleared = { repoUrl: repoUrl === "" ? null : repoUrl, version: version === null ? "" : version };
    const written = await advised(upsertSkill(db, { name: args.name, ...patch, ...cleared }, args), {
      missing_reference: () => ({
        cause: "There is no category of that name.",
        retry: "Take one of the allowed, or create it by skills_category_upsert first.",
      }),
    });
    return { skill: written.row, changed: written.changed };
  },
});

const remove = defineTool({
  name: "skills_delete",
  title: "Delete a skill",
  description:
    "Deletes a skill with its files and its archive, for good; the agent loses it too. Returns skill (the row that is gone) and changed.",
  effect: "destroy",
  input: z.strictObject({ name: skillName, expectedRevision }),
  output: z.object({ skill, changed }),
  summary: ({ name }) => name,
  async run({ db, args }) {
    const written = await advised(
      deleteSkill(db, args.name, args),
      noSuch("name", "skill", () => skillNames(db)),
    );
    return { skill: written.row, changed: written.changed };
  },
});

export const skillsTools = [list, get, fileGet, upsert, remove];

async function skillNames(db: Database): Promise<string[]> {
  return (await listSkills(db)).map((it) => it.name);
}
