/**
 * Puts the skills of `runner/skills` into the library, where visitors read them and where the agent's right to use one
 * is kept. What it wrote it may bring up to date; what the owner has changed, deleted or switched off stays as it is.
 * That is told apart by a file beside the site's state: which packs it has written, and which it has yet to open.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../apps/api/database/pool.ts";
import { listSkillCategories, upsertSkillCategory } from "../apps/api/stores/skill-categories-admin.ts";
import { listSkills, setSkillAgentEnabled, upsertSkill } from "../apps/api/stores/skills-admin.ts";
import { listToolSwitches, writeToolSwitch } from "../apps/api/stores/tool-config.ts";
import { readJson, writeJson } from "./files.mts";
import { readSkills, type SkillSource } from "./skills/read-skills.mts";

export interface SeedSkillsInput {
  db: Database;
  /** The clone. */
  root: string;
  /** The file that tells apart. */
  ledger: string;
  /** `owner/repo` that the library names as where the skills come from; empty when there is none. */
  repo: string;
  log(line: string): void;
}

interface Ledger {
  /** By name: the library's hash of the pack as it was last written from here. */
  written: Record<string, string>;
  /** Written, and not yet given to the agent. */
  closed: string[];
  /** Whether the tools of skills have been switched on; that happens once. */
  opened: boolean;
}

const CATEGORY = { slug: "agent", name: "This site's agent", dot: "#C58B2A", sortOrder: 0 };
const NOTE = "Switched on at the first start that could wall scripts in.";
const TOOLS = ["skill_load", "skill_run"];

/** The names whose pack was written now. Throws on a database error; what was written before it stays and is noted. */
export async function seedSkills({ db, root, ledger: file, repo, log }: SeedSkillsInput): Promise<string[]> {
  const ledger = readLedger(file);
  const library = new Map((await listSkills(db)).map((skill) => [skill.name, skill.contentHash]));
  const categories = await listSkillCategories(db);
  const folder = join(root, "runner/skills");
  const changed: string[] = [];
  for (const skill of readSkills(folder)) {
    const [stored, written] = [library.get(skill.name), ledger.written[skill.name]];
    const isNew = stored === undefined && written === undefined;
    const isOurs = stored !== undefined && stored === written;
    if (!isNew && !isOurs) continue;
    if (isNew && !categories.some(({ slug }) => slug === CATEGORY.slug)) {
      categories.push((await upsertSkillCategory(db, CATEGORY)).row);
    }
    const { row, changed: wrote } = await upsertSkill(db, {
      name: skill.name,
      ...(isNew && { categorySlug: CATEGORY.slug, sourceType: "own", repo }),
      summary: skill.description,
      files: filesOf(folder, skill),
    });
    ledger.written[skill.name] = row.contentHash;
    if (isNew && skill.network === "none") ledger.closed.push(skill.name);
    writeJson(file, ledger);
    if (wrote) changed.push(skill.name);
  }
  if (changed.length > 0) log(`Skills of the library: ${changed.join(", ")}.`);
  return changed;
}

/**
 * Gives the agent what seeding has put there and nobody has decided on: each skill without a network once, and the two
 * tools once. To be called after the runner has passed its self-test.
 */
export async function openSkills({
  db,
  ledger: file,
  log,
}: Pick<SeedSkillsInput, "db" | "ledger" | "log">): Promise<void> {
  const ledger = readLedger(file);
  if (ledger.opened && ledger.closed.length === 0) return;
  const library = new Set((await listSkills(db)).map(({ name }) => name));
  for (const name of ledger.closed) if (library.has(name)) await setSkillAgentEnabled(db, name, true);
  if (!ledger.opened) {
    const switches = new Map((await listToolSwitches(db)).map((row) => [row.name, row]));
    for (const name of TOOLS) {
      const row = switches.get(name);
      // A note is the trace of a person, or of an earlier state folder of this same database.
      if (row && !row.enabled && row.note === null) await writeToolSwitch(db, { name, enabled: true, note: NOTE });
    }
    log("The tools of skills are on.");
  }
  writeJson(file, { ...ledger, closed: [], opened: true });
}

function readLedger(file: string): Ledger {
  return { written: {}, closed: [], opened: false, ...readJson<Partial<Ledger>>(file) };
}

function filesOf(folder: string, { name, files }: SkillSource): { path: string; content: string }[] {
  return files.map(({ path }) => ({ path, content: readFileSync(join(folder, name, path), "utf8") }));
}
