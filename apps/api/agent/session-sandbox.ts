/**
 * Skills and runners as they are configured now (§13.1): read when a session is registered, never by a tool. Its
 * fingerprint changes with the switch or the text of a skill, with the bounds of a run and with a runner's address.
 */
import type { ManifestSkill } from "../../../shared/skill-manifest";
import { LIMITS } from "../../../shared/limits";
import { readEnvironment, RUNNER_OF } from "../lib/env";
import { log } from "../lib/log";
import { readSandboxConfig } from "../stores/sandbox-config";
import { readAgentSkills } from "../stores/skills-agent";
import { parseRunnerAddress } from "../tools/sandbox/runner-address";
import { type RunnerClient, runnerClient } from "../tools/sandbox/runner-client";
import type { Sandbox } from "../tools/sandbox/sandbox";
import { SKILL_MANIFEST } from "../tools/sandbox/skill-manifest";
import { usableSkills } from "../tools/sandbox/usable-skills";
import { db } from "./db";

const TIERS = Object.keys(RUNNER_OF) as ManifestSkill["network"][];

export interface SessionSandbox extends Sandbox {
  /** JSON of everything here that a session is built from. */
  fingerprint: string;
}

/** Reads nothing and gives undefined where no tool of skills is switched on. */
export async function currentSandbox(enabled: ReadonlyMap<string, unknown>): Promise<SessionSandbox | undefined> {
  if (!enabled.has("skill_load") && !enabled.has("skill_run")) return undefined;
  const addresses = TIERS.flatMap((tier) => {
    const address = readEnvironment(RUNNER_OF[tier]);
    return address ? [[tier, address] as const] : [];
  });
  const runners = Object.fromEntries(
    addresses.flatMap(([tier, address]) => {
      const client = clientAt(address);
      return client ? [[tier, client]] : [];
    }),
  ) as Sandbox["runners"];
  const [config, library] = await Promise.all([
    readSandboxConfig(db),
    readAgentSkills(
      db,
      SKILL_MANIFEST.skills.map(({ name }) => name),
    ),
  ]);
  const skills = usableSkills(SKILL_MANIFEST, library, new Set(TIERS.filter((tier) => runners[tier])), (skill) =>
    log.info("a skill of the library differs from the released one and is not used", { skill }),
  );
  // The manifest is part of the program, so a name stands for the whole skill.
  const fingerprint = JSON.stringify([skills.map(({ name }) => name), config, addresses]);
  return { ...config, skills, runners, fingerprint };
}

const clients = new Map<string, RunnerClient>();

/** One client an address for the life of the process: its connections are kept. */
function clientAt(text: string): RunnerClient | undefined {
  const known = clients.get(text);
  if (known) return known;
  const address = parseRunnerAddress(text);
  if (!address) {
    log.error("the address of a runner is not one that is allowed");
    return undefined;
  }
  const client = runnerClient(address, {
    connections: LIMITS.runnerConnections,
    replyBytes: LIMITS.runnerReplyBytes,
    graceMs: LIMITS.runnerGraceMs,
  });
  clients.set(text, client);
  return client;
}
