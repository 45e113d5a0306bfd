/**
 * The owner's side of the skills library (§12, §21.3). A pack is written whole or not at all: its files replace those
 * that were there, and the archive is built from the rows in the same transaction. An equal pack leaves files, archive
 * and hash as they are. Refusals are `StoreRefusal`s.
 */
import { createHash } from "node:crypto";
import type { SkillFileKind } from "../../../shared/contracts/skills";
import { LIMITS } from "../../../shared/limits";
import { kindOf, SKILL_FILE, skillRefusal } from "../../../shared/pack-rules";
import { countLines } from "../../../shared/text/lines";
import type { Database, Tx } from "../database/pool";
import { integerField, invalid, lineField, needed, parentField, slugField, urlField } from "./owner-fields";
import { changeRow, deleteRow, type Expected, patched, type Written } from "./owner-write";
import { type Revised, revised, revisionOf } from "./revision";
import { type ArchivedFile, skillArchive } from "./skill-archive";
import { StoreRefusal } from "./store-refusal";

export const SOURCE_TYPES = ["own", "curated"] as const;

/** A skill without its files, which `contentHash` stands for. */
export interface SkillRow {
  name: string;
  categorySlug: string;
  summary: string;
  sourceType: (typeof SOURCE_TYPES)[number];
  /** `owner/repo`; empty where it is in no repository that a visitor could install it from. */
  repo: string;
  repoUrl: string | null;
  version: string;
  sortOrder: number;
  agentEnabled: boolean;
  fileCount: number;
  zipBytes: number;
  /** Names the pack: which files, in which order, with which bytes. SHA-256 in hex. */
  contentHash: string;
  createdAt: string;
  updatedAt: string;
}
export interface SkillFileRow {
  path: string;
  kind: SkillFileKind;
  bytes: number;
  lines: number;
  sha256: string;
}

/** A new skill needs its category, summary, source type, repo and files. */
export type SkillWrite = Pick<SkillRow, "name"> &
  Partial<Pick<SkillRow, "categorySlug" | "summary" | "sourceType" | "repo" | "repoUrl" | "version" | "sortOrder">> & {
    files?: readonly ArchivedFile[];
  };

const SKILL = `SELECT name, category_slug AS "categorySlug", summary, source_type AS "sourceType", repo,
  repo_url AS "repoUrl", version, sort_order AS "sortOrder", agent_enabled AS "agentEnabled",
  (SELECT count(*) FROM skill_files f WHERE f.skill_name = s.name) AS "fileCount", zip_size AS "zipBytes",
  content_hash AS "contentHash", created_at AS "createdAt", updated_at AS "updatedAt" FROM skills s`;
const FILE = "path, kind, size_bytes AS bytes, line_count AS lines, sha256";
const REPO = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/;

/** All skills, or those of one category, in the order of the pages. */
export async function listSkills(db: Database, categorySlug?: string): Promise<Revised<SkillRow>[]> {
  const rows = await db.queryAs<SkillRow>(
    "admin_rw",
    `SELECT one.* FROM (${SKILL}) one JOIN skills_categories c ON c.slug = one."categorySlug"
     WHERE $1::text IS NULL OR c.slug = $1 ORDER BY c.sort_order, c.slug, one."sortOrder", one.name`,
    [categorySlug ?? null],
  );
  return rows.map(revised);
}

/** One skill with the list of its files, without their texts; null when there is none. */
export async function getSkill(
  db: Database,
  name: string,
): Promise<(Revised<SkillRow> & { files: SkillFileRow[] }) | null> {
  const [found] = await db.queryAs<SkillRow & { files: SkillFileRow[] }>(
    "admin_rw",
    `SELECT one.*, (SELECT json_agg(f ORDER BY f.place) FROM
       (SELECT ${FILE}, sort_order AS place FROM skill_files WHERE skill_name = one.name) f) AS files
     FROM (${SKILL} WHERE name = $1) one`,
    [name],
  );
  if (found === undefined) return null;
  const { files, ...row } = found;
  return {
    ...revised(row),
    files: files.map(({ path, kind, bytes, lines, sha256 }) => ({ path, kind, bytes, lines, sha256 })),
  };
}

/** One file with its text; null when there is none. */
export async function getSkillFile(
  db: Database,
  name: string,
  path: string,
): Promise<(SkillFileRow & { content: string }) | null> {
  const [file] = await db.queryAs<SkillFileRow & { content: string }>(
    "admin_rw",
    `SELECT ${FILE}, content FROM skill_files WHERE skill_name = $1 AND path = $2`,
    [name, path],
  );
  return file ?? null;
}

/** Writes a skill. Its switch for the agent stays as it is; a new one is off. */
export async function upsertSkill(
  db: Database,
  { name, files, ...patch }: SkillWrite,
  expected: Expected = {},
): Promise<Written<SkillRow>> {
  const pack = files && checkedPack(name, files);
  return changeRow<SkillRow>(db, {
    ...expected,
    key: ["skills", name],
    read: (tx) => readSkill(tx, name),
    async write(tx, current) {
      const row = checked(patched(current ?? newSkill(name, patch), patch));
      if (current === null) needed("files", pack);
      if (pack) row.contentHash = hashOf(pack);
      if (current && revisionOf(current) === revisionOf(row)) return false;
      await parentField(tx, "categorySlug", "skills_categories", row.categorySlug);
      await tx.query(
        `INSERT INTO skills (name, category_slug, summary, source_type, repo, repo_url, version, sort_order,
           content_hash, zip, zip_size)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ''::bytea, 0)
         ON CONFLICT (name) DO UPDATE SET category_slug = excluded.category_slug, summary = excluded.summary,
           source_type = excluded.source_type, repo = excluded.repo, repo_url = excluded.repo_url,
           version = excluded.version, sort_order = excluded.sort_order, content_hash = excluded.content_hash,
           updated_at = now()`,
        [
          name,
          row.categorySlug,
          row.summary,
          row.sourceType,
          row.repo,
          row.repoUrl,
          row.version,
          row.sortOrder,
          row.contentHash,
        ],
      );
      if (pack && current?.contentHash !== row.contentHash) await replaceFiles(tx, name, pack);
      return true;
    },
  });
}

/** Lets the agent use a skill, or keeps it from it. Whether it can be used at all is decided in code (§13.1). */
export async function setSkillAgentEnabled(
  db: Database,
  name: string,
  agentEnabled: boolean,
  expected: Expected = {},
): Promise<Written<SkillRow>> {
  return changeRow<SkillRow>(db, {
    ...expected,
    key: ["skills", name],
    read: (tx) => readSkill(tx, name),
    async write(tx, current) {
      if (current === null) throw new StoreRefusal("not_found");
      if (current.agentEnabled === agentEnabled) return false;
      await tx.query("UPDATE skills SET agent_enabled = $2, updated_at = now() WHERE name = $1", [name, agentEnabled]);
      return true;
    },
  });
}

export async function deleteSkill(db: Database, name: string, expected: Expected = {}): Promise<Written<SkillRow>> {
  return deleteRow<SkillRow>(db, {
    ...expected,
    key: ["skills", name],
    read: (tx) => readSkill(tx, name),
    async remove(tx) {
      await tx.query("DELETE FROM skills WHERE name = $1", [name]);
    },
  });
}

interface PackedFile extends ArchivedFile {
  kind: SkillFileKind;
  sha256: string;
}

/** In the order in which they are kept and shown: `SKILL.md` before the rest of the pack. */
function checkedPack(name: string, files: readonly ArchivedFile[]): PackedFile[] {
  const refused = skillRefusal(name, files);
  if (refused) throw invalid("files", refused.reason);
  return [...files]
    .sort((a, b) => Number(b.path === SKILL_FILE) - Number(a.path === SKILL_FILE))
    .map(({ path, content }) => ({
      path,
      content,
      kind: kindOf(path, "skill")!,
      sha256: createHash("sha256").update(content).digest("hex"),
    }));
}

function hashOf(pack: readonly PackedFile[]): string {
  const names = pack.map(({ path, sha256 }) => [path, sha256]);
  return createHash("sha256").update(JSON.stringify(names)).digest("hex");
}

async function replaceFiles(tx: Tx, name: string, pack: readonly PackedFile[]): Promise<void> {
  await tx.query("DELETE FROM skill_files WHERE skill_name = $1", [name]);
  const rows = pack.map((file, place) => ({
    ...file,
    size_bytes: Buffer.byteLength(file.content),
    line_count: countLines(file.content),
    sort_order: place,
  }));
  await tx.query(
    `INSERT INTO skill_files (skill_name, path, kind, content, sha256, size_bytes, line_count, sort_order)
     SELECT $1, f.* FROM json_to_recordset($2::json) AS f (path text, kind text, content text, sha256 text,
       size_bytes integer, line_count integer, sort_order integer)`,
    [name, JSON.stringify(rows)],
  );
  const stored = await tx.query<ArchivedFile>(
    "SELECT path, content FROM skill_files WHERE skill_name = $1 ORDER BY sort_order",
    [name],
  );
  const zip = skillArchive(name, stored);
  await tx.query("UPDATE skills SET zip = $2, zip_size = $3 WHERE name = $1", [name, zip, zip.length]);
}

async function readSkill(tx: Tx, name: string): Promise<SkillRow | null> {
  const [row] = await tx.query<SkillRow>(`${SKILL} WHERE name = $1`, [name]);
  return row ?? null;
}

function newSkill(name: string, patch: Partial<SkillRow>): SkillRow {
  return {
    name: slugField("name", name),
    categorySlug: needed("categorySlug", patch.categorySlug),
    summary: needed("summary", patch.summary),
    sourceType: needed("sourceType", patch.sourceType),
    repo: needed("repo", patch.repo),
    repoUrl: null,
    version: "",
    sortOrder: 0,
    agentEnabled: false,
    fileCount: 0,
    zipBytes: 0,
    contentHash: "",
    createdAt: "",
    updatedAt: "",
  };
}

function checked(row: SkillRow): SkillRow {
  if (!SOURCE_TYPES.includes(row.sourceType)) throw invalid("sourceType", "It is own or curated.", SOURCE_TYPES);
  if (row.repo !== "" && !REPO.test(row.repo)) throw invalid("repo", "It is owner/repo, as GitHub spells it.");
  return {
    ...row,
    summary: lineField("summary", row.summary, LIMITS.skillSummaryChars, 1),
    repoUrl: row.repoUrl === null || row.repoUrl === "" ? null : urlField("repoUrl", row.repoUrl),
    version: lineField("version", row.version, LIMITS.skillVersionChars),
    sortOrder: integerField("sortOrder", row.sortOrder, LIMITS.skillSortOrder),
  };
}
