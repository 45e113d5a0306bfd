/** The skills library as the pages show it (§12.3). Public content, the same for everyone; each answer is of one moment. */
import type { SkillCard, SkillsIndex, SkillView } from "../../../shared/contracts/skills";
import { isWebUrl } from "../../../shared/text/web-url";
import type { Database } from "../database/pool";

const CARD = `s.name, s.summary, s.source_type AS "sourceType", s.repo, s.repo_url AS "repoUrl", s.version,
  (SELECT count(*) FROM skill_files f WHERE f.skill_name = s.name) AS "fileCount", s.zip_size AS "zipBytes",
  s.agent_enabled AS "agentEnabled", s.updated_at AS "updatedAt"`;

/** Every category in the owner's order, each with its skills. */
export async function skillsIndex(db: Database): Promise<SkillsIndex> {
  const rows = await db.queryAs<Category & (({ name: string } & SkillCard) | { name: null })>(
    "content_ro",
    `SELECT c.slug AS "categorySlug", c.name AS "categoryName", c.dot AS "categoryDot", ${CARD}
     FROM skills_categories c LEFT JOIN skills s ON s.category_slug = c.slug
     ORDER BY c.sort_order, c.slug, s.sort_order, s.name`,
  );
  const categories = new Map<string, SkillsIndex["categories"][number]>();
  let latest: string | null = null;
  let total = 0;
  for (const { categorySlug: slug, categoryName, categoryDot: dot, ...skill } of rows) {
    const category = categories.get(slug) ?? { slug, name: categoryName, dot, skills: [] };
    categories.set(slug, category);
    if (skill.name === null) continue;
    category.skills.push(linked(skill));
    total += 1;
    if (latest === null || skill.updatedAt > latest) latest = skill.updatedAt;
  }
  return { categories: [...categories.values()], total, latest };
}

interface Category {
  categorySlug: string;
  categoryName: string;
  categoryDot: string;
}

/** One skill with all its files; null when there is none. One statement, so that no file is of another version. */
export async function readSkill(db: Database, name: string): Promise<SkillView | null> {
  const [skill] = await db.queryAs<SkillView>(
    "content_ro",
    `SELECT ${CARD}, s.content_hash AS "contentHash", s.created_at AS "createdAt",
       json_build_object('slug', c.slug, 'name', c.name, 'dot', c.dot) AS category,
       (SELECT json_agg(json_build_object('path', f.path, 'kind', f.kind, 'content', f.content, 'bytes', f.size_bytes,
          'lines', f.line_count) ORDER BY f.sort_order) FROM skill_files f WHERE f.skill_name = s.name) AS files
     FROM skills s JOIN skills_categories c ON c.slug = s.category_slug WHERE s.name = $1`,
    [name],
  );
  return skill ? linked(skill) : null;
}

/** The archive as it was built when the skill was written; null when there is none. */
export async function readSkillZip(db: Database, name: string): Promise<{ bytes: Uint8Array; etag: string } | null> {
  const [archive] = await db.queryAs<{ bytes: Uint8Array; etag: string }>(
    "content_ro",
    "SELECT zip AS bytes, content_hash AS etag FROM skills WHERE name = $1",
    [name],
  );
  return archive ?? null;
}

/** An address that came into the row past the check of a write is no link. */
function linked<Skill extends { repoUrl: string | null }>(skill: Skill): Skill {
  return { ...skill, repoUrl: skill.repoUrl !== null && isWebUrl(skill.repoUrl) ? skill.repoUrl : null };
}
