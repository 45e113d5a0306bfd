/**
 * Skills as the agent's registration sees them (§13.1): the owner's switch, and hashes made from the very text that the
 * library holds, never from a hash stored beside it.
 */
import type { Database } from "../database/pool";

export interface AgentSkillRow {
  agentEnabled: boolean;
  /** Path to SHA-256 of its content, in hex. */
  files: Map<string, string>;
}

/** Those of `names` that the library has. */
export async function readAgentSkills(db: Database, names: readonly string[]): Promise<Map<string, AgentSkillRow>> {
  const rows = await db.queryAs<{ name: string; agentEnabled: boolean; path: string | null; sha256: string | null }>(
    "content_ro",
    `SELECT s.name, s.agent_enabled AS "agentEnabled", f.path,
       encode(sha256(convert_to(f.content, 'UTF8')), 'hex') AS sha256
     FROM skills s LEFT JOIN skill_files f ON f.skill_name = s.name
     WHERE s.name = ANY ($1) ORDER BY s.name, f.path`,
    [names],
  );
  const skills = new Map<string, AgentSkillRow>();
  for (const { name, agentEnabled, path, sha256 } of rows) {
    if (!skills.has(name)) skills.set(name, { agentEnabled, files: new Map() });
    if (path !== null && sha256 !== null) skills.get(name)!.files.set(path, sha256);
  }
  return skills;
}
