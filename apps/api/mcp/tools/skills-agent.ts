/**
 * Which skills of the library the site's own agent may use (§13.1, §21.3). What can run at all is compiled in; the owner
 * switches, and a pack that differs from the released one by a single byte is not used whatever the switch says.
 */
import { z } from "zod";
import { skillName } from "../../../../shared/contracts/skills";
import type { ManifestSkill } from "../../../../shared/skill-manifest";
import type { Database } from "../../database/pool";
import { readEnvironment, RUNNER_OF } from "../../lib/env";
import { setSkillAgentEnabled } from "../../stores/skills-admin";
import { type AgentSkillRow, readAgentSkills } from "../../stores/skills-agent";
import { listToolSwitches } from "../../stores/tool-config";
import { parseRunnerAddress } from "../../tools/sandbox/runner-address";
import { SKILL_MANIFEST } from "../../tools/sandbox/skill-manifest";
import { differingPaths, skillState } from "../../tools/sandbox/usable-skills";
import { changed, defineTool, expectedRevision, revision } from "../define-tool";
import { advised } from "../store-advice";
import { unknownName } from "../tool-refusal";
import { viewOf } from "./tool-config";

const SWITCH = z.enum(["on", "off", "locked", "not_built"]);
const skill = z.object({
  name: z.string(),
  network: z.enum(["none", "egress"]),
  inLibrary: z.boolean(),
  agentEnabled: z.boolean(),
  consistency: z.enum(["ok", "drift", "missing"]),
  differingPaths: z.array(z.string()),
  available: z.boolean(),
  runnable: z.boolean(),
});
type Status = z.output<typeof skill>;

const NAMES = SKILL_MANIFEST.skills.map(({ name }) => name);

const status = defineTool({
  name: "skills_agent_status",
  title: "See which skills the agent has",
  description:
    "Each released skill: skills (name, network, inLibrary, agentEnabled, consistency ok|drift|missing, differingPaths, available: the agent can load it, runnable: it can run its scripts), and the switches skillLoad and skillRun (on|off|locked|not_built).",
  effect: "read",
  input: z.strictObject({}),
  output: z.object({ skills: z.array(skill), skillLoad: SWITCH, skillRun: SWITCH }),
  async run({ db }) {
    const [gates, library] = await Promise.all([readGates(db), readAgentSkills(db, NAMES)]);
    return { skills: SKILL_MANIFEST.skills.map((it) => statusOf(it, library.get(it.name), gates)), ...gates };
  },
});

const set = defineTool({
  name: "skills_agent_set",
  title: "Give or take a skill of the agent",
  description:
    "Lets the agent use a released skill, or keeps it from it. Nothing new becomes runnable: the code decides what can run. Returns skill (as skills_agent_status gives it: look at available), changed, and the skill's revision.",
  effect: "set",
  input: z.strictObject({
    name: skillName.describe("As skills_agent_status gives it."),
    enabled: z.boolean(),
    expectedRevision,
  }),
  output: z.object({ skill, changed, revision }),
  summary: ({ name, enabled }) => `${name} ${enabled ? "on" : "off"}`,
  async run({ db, args: { name, enabled, expectedRevision } }) {
    const released = SKILL_MANIFEST.skills.find((it) => it.name === name);
    if (released === undefined) throw unknownName("name", "released skill", NAMES);
    const written = await advised(setSkillAgentEnabled(db, name, enabled, { expectedRevision }), {
      not_found: () => ({
        cause: "The library does not have this skill.",
        field: "name",
        retry: "Publish it by skills_upsert exactly as it was released; then switch it.",
      }),
    });
    const [gates, library] = await Promise.all([readGates(db), readAgentSkills(db, [name])]);
    const { changed, row } = written;
    return { skill: statusOf(released, library.get(name), gates), changed, revision: row.revision };
  },
});

export const skillsAgentTools = [status, set];

interface Gates {
  skillLoad: z.output<typeof SWITCH>;
  skillRun: z.output<typeof SWITCH>;
}

async function readGates(db: Database): Promise<Gates> {
  const switches = (await listToolSwitches(db)).map(viewOf);
  const stateOf = (name: string) => switches.find((it) => it.name === name)?.state ?? "off";
  return { skillLoad: stateOf("skill_load"), skillRun: stateOf("skill_run") };
}

function statusOf(released: ManifestSkill, stored: AgentSkillRow | undefined, gates: Gates): Status {
  const tiers = new Set(TIERS.filter((tier) => parseRunnerAddress(readEnvironment(RUNNER_OF[tier]) ?? "")));
  const differing = stored ? differingPaths(released, stored) : [];
  const available = skillState(released, stored, tiers) === "ok" && gates.skillLoad === "on";
  return {
    name: released.name,
    network: released.network,
    inLibrary: stored !== undefined,
    agentEnabled: stored?.agentEnabled ?? false,
    consistency: stored === undefined ? "missing" : differing.length > 0 ? "drift" : "ok",
    differingPaths: differing.slice(0, PATHS_TOLD),
    available,
    runnable: available && gates.skillRun === "on" && released.scripts.length > 0 && tiers.has(released.network),
  };
}

const TIERS = ["none", "egress"] as const;
/** Enough to see what was done to a pack; a pack whose files are all others is told by its first. */
const PATHS_TOLD = 20;
