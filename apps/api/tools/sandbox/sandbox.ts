/** What the tools of skills are built from: the skills that may be used now, and the runners that take their scripts. */
import type { ManifestSkill } from "../../../../shared/skill-manifest";
import type { RunnerClient } from "./runner-client";

export interface Sandbox {
  /** Usable ones alone (`usable-skills.ts`). */
  skills: readonly ManifestSkill[];
  /** By network tier; a tier without one has no runner. */
  runners: Readonly<Partial<Record<ManifestSkill["network"], RunnerClient>>>;
  /** Runs a day of all visitors together; 0 is no limit. */
  dailyRunLimit: number;
  /** One run, its time in the runner's queue included. */
  totalTimeoutMs: number;
}
