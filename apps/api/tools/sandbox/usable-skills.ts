/**
 * Which skills the agent may use now (§13.1): compiled in, switched on in the library, and in the library exactly as
 * compiled, file by file. A skill that differs is not used at all: one of the two was changed by somebody.
 */
import type { ManifestSkill, SkillManifest } from "../../../../shared/skill-manifest";
import type { AgentSkillRow } from "../../stores/skills-agent";

/**
 * `ok`: usable. `off`: the owner's switch. `missing`: the library has no such skill. `drift`: its files differ.
 * `no_runner`: its scripts need a network tier that no runner serves.
 */
export type SkillState = "ok" | "off" | "missing" | "drift" | "no_runner";

export function skillState(
  skill: ManifestSkill,
  stored: AgentSkillRow | undefined,
  tiers: ReadonlySet<ManifestSkill["network"]>,
): SkillState {
  if (!stored) return "missing";
  if (differingPaths(skill, stored).length > 0) return "drift";
  if (!stored.agentEnabled) return "off";
  // A skill of the closed tier may still be read; one whose point is the network would only promise.
  return skill.network === "egress" && !tiers.has("egress") ? "no_runner" : "ok";
}

/** The usable ones in the order of the manifest. `onDrift` hears of each that is switched on and differs. */
export function usableSkills(
  manifest: SkillManifest,
  library: ReadonlyMap<string, AgentSkillRow>,
  tiers: ReadonlySet<ManifestSkill["network"]>,
  onDrift: (name: string) => void,
): ManifestSkill[] {
  return manifest.skills.filter((skill) => {
    const stored = library.get(skill.name);
    const state = skillState(skill, stored, tiers);
    if (state === "drift" && stored?.agentEnabled) onDrift(skill.name);
    return state === "ok";
  });
}

/** The paths, sorted, that only one of the two has, or that hold other bytes in the library than were compiled in. */
export function differingPaths({ files }: ManifestSkill, stored: AgentSkillRow): string[] {
  const released = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const paths = new Set([...released.keys(), ...stored.files.keys()]);
  return [...paths].filter((path) => released.get(path) !== stored.files.get(path)).sort();
}
