/**
 * The two manifests of the skills, made from `runner/skills/`: one compiled into the API, one that the runner reads. Run
 * with `--write` to bring them up to date; a test fails while one of them says something else than the folder.
 */
import { writeFileSync } from "node:fs";
import { readSkills, type SkillSource } from "./skills/read-skills.mts";

export const SKILLS_FOLDER = "runner/skills";
export const API_MANIFEST_FILE = "apps/api/tools/sandbox/skill-manifest.ts";
export const RUNNER_MANIFEST_FILE = "runner/manifest.json";

/** What the API compiles in: everything it has to know of a skill without a file or a query. */
export function apiManifestText(skills: readonly SkillSource[]): string {
  const manifest = { skills: skills.map(({ preload: _, ...skill }) => skill) };
  return [
    "// Made by cli/skill-manifest.mts from runner/skills. Not for editing.",
    "// biome-ignore-all format: the bytes are compared to what the generator writes",
    'import type { SkillManifest } from "../../../../shared/skill-manifest";',
    "",
    `export const SKILL_MANIFEST: SkillManifest = ${JSON.stringify(manifest, null, 2)};`,
    "",
  ].join("\n");
}

/** What the runner checks a request and its own folder against. Paths are within the skill; hashes are SHA-256 in hex. */
export function runnerManifestText(skills: readonly SkillSource[]): string {
  const byName = skills.map(({ name, network, preload, scripts, files }) => [
    name,
    {
      network,
      preload,
      scripts: Object.fromEntries(scripts.map(({ file, sha256 }) => [file, sha256])),
      files: Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256])),
    },
  ]);
  return `${JSON.stringify({ skills: Object.fromEntries(byName) }, null, 2)}\n`;
}

if (import.meta.main && process.argv.includes("--write")) {
  const skills = readSkills(SKILLS_FOLDER);
  writeFileSync(API_MANIFEST_FILE, apiManifestText(skills));
  writeFileSync(RUNNER_MANIFEST_FILE, runnerManifestText(skills));
}
