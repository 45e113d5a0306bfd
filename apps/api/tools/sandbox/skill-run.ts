/**
 * `skill_run`: one vetted script on one checked input, in the runner of its tier (§13.2). What may be named is a closed
 * set compiled in; what the script gets is rebuilt from its schema; each run is reserved from the day's number before it
 * is sent, and given back when the runner started nothing.
 */
import { Type } from "typebox";
import { LIMITS } from "../../../../shared/limits";
import { checkSkillInput, type ManifestScript, type ManifestSkill } from "../../../../shared/skill-manifest";
import { type KernelTool, type ToolCallContext, ToolFailure, type ToolOutcome } from "../../kernel/kernel-types";
import { returnSkillRun, reserveSkillRun } from "../../stores/quota";
import { orFail, type ToolContext } from "../tool-context";
import { type ToolMeta, toolOf } from "../tool-meta";
import { DAY_IS_USED, failureText, NOT_TAKEN, outputText, refusalSentence, SANDBOX_FAILED } from "./run-texts";
import { RunnerFailure, type RunRequest } from "./runner-client";
import type { Sandbox } from "./sandbox";

export const PHASES = ["validated", "submitted", "running", "finished"] as const;

export const SKILL_RUN: ToolMeta = {
  name: "skill_run",
  label: "Run a script",
  description:
    "Runs one script of a skill of the catalogue in a sandbox, on an input of the fields that the catalogue lists for it. The input is the text of a JSON object.",
  group: "sandbox",
  parameters: Type.Object(
    {
      skill: Type.String({ minLength: 1, maxLength: LIMITS.skillNameChars }),
      script: Type.String({ minLength: 1, maxLength: LIMITS.skillNameChars }),
      input: Type.String({ minLength: LIMITS.skillInputMinBytes, maxLength: LIMITS.skillInputBytes }),
    },
    { additionalProperties: false },
  ),
  output: "A line with the exit status and the time it took, then what the script printed.",
  outputNote:
    "Of a run that failed only a fixed sentence comes back, and the script's own short code when it gave one.",
  phases: PHASES,
};

/** Not offered while nothing could run: no usable skill with a script, or no runner for one. */
export function skillRun({ db, sandbox, log }: ToolContext): KernelTool | null {
  const runnable = sandbox?.skills.filter(({ network, scripts }) => scripts.length > 0 && sandbox.runners[network]);
  if (!sandbox || !runnable?.length) {
    log.info("a switched-on tool has no skill that it could use", { tool: SKILL_RUN.name });
    return null;
  }
  const tool = toolOf(SKILL_RUN, async (params, call) => {
    const { skill, request } = requestOf(runnable, params as SkillRunParams, sandbox.totalTimeoutMs);
    call.onPhase("validated");
    const reservation = await orFail(reserveSkillRun(db, sandbox.dailyRunLimit, new Date()), SANDBOX_FAILED, log);
    if (!reservation) throw new ToolFailure(DAY_IS_USED);
    try {
      return await send(sandbox, skill, request, call);
    } catch (error) {
      if (!(error instanceof RunnerFailure)) throw error;
      log.error("a run got no reply", error, { skill: skill.name, code: error.code });
      if (error.startedNothing) {
        await returnSkillRun(db, reservation).catch((cause) => log.error("a run could not be given back", cause));
      }
      throw new ToolFailure(refusalSentence(error.code));
    }
  });
  return { ...tool, timeoutMs: sandbox.totalTimeoutMs + 2 * LIMITS.runnerGraceMs };
}

type SkillRunParams = {
  skill: string;
  script: string;
  input: string;
};

/** The same checks as the guard's: a guard that was taken out of the way would still leave these. */
function requestOf(
  runnable: readonly ManifestSkill[],
  { skill: name, script: file, input: text }: SkillRunParams,
  timeoutMs: number,
): { skill: ManifestSkill; request: RunRequest } {
  const skill = runnable.find((candidate) => candidate.name === name);
  const script: ManifestScript | undefined = skill?.scripts.find((candidate) => candidate.file === file);
  if (!skill || !script || Buffer.byteLength(text) > LIMITS.skillInputBytes) throw new ToolFailure(NOT_TAKEN);
  const checked = checkSkillInput(script.input, text);
  if ("fault" in checked) throw new ToolFailure(checked.fault);
  return { skill, request: { skill: name, script: file, sha256: script.sha256, input: checked.input, timeoutMs } };
}

async function send(
  { runners }: Sandbox,
  { network }: ManifestSkill,
  request: RunRequest,
  { signal, onPhase }: ToolCallContext,
): Promise<ToolOutcome> {
  onPhase("submitted");
  const alive = setInterval(() => onPhase("running"), LIMITS.skillPhaseMs);
  try {
    const reply = await runners[network]!.run(request, signal);
    onPhase("finished");
    if (reply.outcome !== "ok") throw new ToolFailure(failureText(reply));
    const { exitCode, durationMs, stdoutBytes, stderrBytes } = reply;
    return { text: outputText(reply), details: { exitCode, durationMs, stdoutBytes, stderrBytes } };
  } finally {
    clearInterval(alive);
  }
}
