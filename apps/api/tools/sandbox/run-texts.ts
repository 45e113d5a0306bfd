/**
 * The words of a run. A run that worked shows its output; one that did not gets a fixed sentence, with a single
 * exception: a script that failed may name its reason by one short code (§13.2). Nothing else that a failed run printed,
 * no path and no traceback, comes out of here.
 */
import { LIMITS } from "../../../../shared/limits";
import type { RunnerFailureCode, RunOutcome, RunReply } from "./runner-client";

export const DAY_IS_USED = "The scripts that may run in one day have run. Tomorrow there are new ones.";
export const SANDBOX_FAILED = "The sandbox failed.";
export const SANDBOX_DOWN = "The sandbox is not running.";
export const SANDBOX_BUSY = "The sandbox is busy. Another try may work.";
export const NOT_TAKEN = "The sandbox does not take this script.";

const OUTCOMES: Record<Exclude<RunOutcome, "ok">, string> = {
  script_error: "The script failed.",
  timeout: "The script took too long.",
  cpu_limit: "The script used up its processor time.",
  memory_limit: "The script used up its memory.",
  output_limit: "The script printed more than it may.",
  disk_limit: "The script wrote more than it may.",
  crashed: "The script crashed.",
  sandbox_violation: "The script tried what the sandbox forbids, and was ended.",
};

/** The exception: exactly one code on standard output, a line feed after it or not. */
const SHORT_CODE = /^(E_[A-Z][A-Z0-9_]{1,30})\n?$/;

/** What the model reads of a run that worked. The kernel cuts it to the length of a tool result. */
export function outputText({ durationMs, stdout, stderr }: RunReply): string {
  const head = `exit=0 · ${Math.round(durationMs)} ms`;
  const warnings = withoutPaths(stderr.trim()).slice(-LIMITS.skillErrorOutputChars);
  return [head, stdout.replace(/\n$/, ""), ...(warnings ? [`stderr: ${warnings}`] : [])].join("\n");
}

export function failureText({ outcome, stdout }: RunReply): string {
  if (outcome === "ok") return SANDBOX_FAILED;
  const code = outcome === "script_error" ? SHORT_CODE.exec(stdout)?.[1] : undefined;
  return code ? `${OUTCOMES.script_error} ${code}` : OUTCOMES[outcome];
}

export function refusalSentence(code: RunnerFailureCode): string {
  switch (code) {
    case "unreachable":
    case "sandbox_unavailable":
      return SANDBOX_DOWN;
    case "queue_full":
    case "sandbox_setup":
    case "sandbox_attestation":
    case "spawn_timeout":
    case "zygote_died":
      return SANDBOX_BUSY;
    case "network_mismatch":
    case "unknown_skill":
    case "unknown_script":
    case "hash_mismatch":
      return NOT_TAKEN;
    case "late":
      return OUTCOMES.timeout;
    default:
      return SANDBOX_FAILED;
  }
}

/** A warning of the interpreter names its file; where that lies is nobody's business. */
function withoutPaths(text: string): string {
  return text.replace(/(?<![\w.:/])\/(?:[^\s/:"'<>]+\/)*[^\s/:"'<>]*/g, "…");
}
