/** What the embedded Postgres printed when it could not run, as one sentence, and what to do about it. */
import { Refusal } from "./refusal.mts";

/** Turns what initdb or postgres printed last into a sentence; the whole text stays in the log file. */
export function clusterErrorFrom(output: string, doing: string, context: { port?: number; logFile: string }): Refusal {
  if (/No space left on device/i.test(output)) {
    return new Refusal(`The disk is full while ${doing}.`, "Free some space, then run this again.");
  }
  if (/Address already in use|could not bind/i.test(output)) {
    return new Refusal(`Port ${context.port} is taken while ${doing}.`, "Stop what uses it, or choose another port.");
  }
  if (/Permission denied|has wrong ownership|has invalid permissions/i.test(output)) {
    return new Refusal(
      `No permission while ${doing}.`,
      "Check that the folder and those above it belong to you and can be entered.",
    );
  }
  if (/database files are incompatible|not compatible with this version/i.test(output)) {
    return new Refusal("The database files were made by another Postgres.", "Move the folder aside to start afresh.");
  }
  if (/error while loading shared libraries|image not found|Library not loaded/i.test(output)) {
    return new Refusal("The Postgres program is not complete.", "Run `npm rebuild` here, then this again.");
  }
  const line = output.trim().split("\n").at(-1) ?? "";
  return new Refusal(`Failed while ${doing}${line ? `: ${line}` : "."}`, `The log is ${context.logFile}.`);
}
