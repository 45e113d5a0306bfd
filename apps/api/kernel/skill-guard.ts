/**
 * The guard's rules for skills (§13.3): which may be loaded, which script may run with which input, and how often. It
 * is the second gate, there for policy and to be seen in the trace; what a script can do is decided by the sandbox.
 */
import type { Limits } from "../../../shared/limits";
import { checkSkillInput } from "../../../shared/skill-manifest";
import type { ToolCallEvent, ToolCallVerdict } from "./extension";
import type { SessionSkills } from "./kernel-types";

export const UNKNOWN_SKILL = "There is no such skill. The catalogue names those there are.";
export const UNKNOWN_SCRIPT = "That skill has no such script. The catalogue names those there are.";
export const INPUT_SIZE = "The input is too short or too long.";
export const RUNS_OF_TURN_USED = "This turn has run all the scripts it may. Answer with what is known.";
export const RUNS_OF_SESSION_USED = "This session has run all the scripts it may. Answer with what is known.";

export interface SkillGuard {
  beginTurn(): void;
  /** Counts a run that it lets through. A throw blocks the call. */
  judge(event: ToolCallEvent): ToolCallVerdict | undefined;
}

export function skillGuard({ skills, earlierRuns }: SessionSkills, limits: Limits): SkillGuard {
  let runsOfTurn = 0;
  let runsOfSession = earlierRuns;

  function judgeRun(input: ToolCallEvent["input"]): string | undefined {
    const skill = skills.find(({ name }) => name === input.skill);
    if (!skill) return UNKNOWN_SKILL;
    const script = skill.scripts.find(({ file }) => file === input.script);
    if (!script) return UNKNOWN_SCRIPT;
    if (typeof input.input !== "string") return INPUT_SIZE;
    const bytes = Buffer.byteLength(input.input);
    if (bytes < limits.skillInputMinBytes || bytes > limits.skillInputBytes) return INPUT_SIZE;
    const checked = checkSkillInput(script.input, input.input);
    if ("fault" in checked) return checked.fault;
    if (runsOfTurn >= limits.skillRunsPerTurn) return RUNS_OF_TURN_USED;
    if (runsOfSession >= limits.skillRunsPerSession) return RUNS_OF_SESSION_USED;
    runsOfTurn += 1;
    runsOfSession += 1;
    return undefined;
  }

  return {
    beginTurn() {
      runsOfTurn = 0;
    },
    judge({ toolName, input }) {
      const reason =
        toolName === "skill_run"
          ? judgeRun(input)
          : toolName === "skill_load" && !skills.some(({ name }) => name === input.name)
            ? UNKNOWN_SKILL
            : undefined;
      return reason === undefined ? undefined : { block: true, reason };
    },
  };
}
