/**
 * `./xray notes push DIR`: a folder of Markdown with pictures becomes the site's notes. The folder is read and judged
 * whole before anything is sent; the same folder again changes nothing.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Words } from "../args.mts";
import { adminSite } from "../mcp-client.mts";
import { faultText } from "../notes-push/fault.mts";
import { doSteps, planPush, type Step } from "../notes-push/push.mts";
import { readNotesFolder } from "../notes-push/read-folder.mts";
import { pathsOf } from "../paths.mts";
import { Refusal, UsageError } from "../refusal.mts";

export default async function notesPush(words: Words): Promise<number> {
  const [directory] = words.words;
  if (directory === undefined) throw new UsageError("Name the folder of the notes.", "./xray notes push DIR");
  const folder = resolve(directory);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`There is no folder ${folder}.`);

  const { notes, faults } = readNotesFolder(folder);
  if (faults.length > 0) {
    for (const fault of faults) process.stderr.write(`${faultText(fault)}\n`);
    throw new Refusal(`${faults.length === 1 ? "1 fault" : `${faults.length} faults`} in ${folder}; nothing was sent.`);
  }

  const site = adminSite(pathsOf());
  const steps = await planPush(site, notes, words.has("prune"));
  if (words.has("dry-run")) {
    for (const step of steps) tell(step);
    summarise(steps, "  Nothing was sent: this was a dry run.");
    return 0;
  }
  const done: Step[] = [];
  try {
    await doSteps(site, steps, (step) => {
      done.push(step);
      tell(step);
    });
  } catch (error) {
    if (!(error instanceof Refusal) || !done.some(({ call }) => call)) throw error;
    throw new Refusal(
      error.sentence,
      `What stands above is written; the same command goes on from there. ${error.remedy}`,
    );
  }
  summarise(steps);
  return 0;
}

function tell({ change, what, name }: Step): void {
  if (change !== "unchanged" && change !== "only on the site") say(`  ${change}  ${what} ${name}`);
}

function summarise(steps: readonly Step[], last?: string): void {
  const of = (change: Step["change"]) => steps.filter((step) => step.change === change);
  const counts = (["created", "updated", "deleted", "unchanged"] as const)
    .map((change) => `${of(change).length} ${change}`)
    .filter((text) => !/^0 (?:created|updated|deleted)$/.test(text));
  say(`  ${counts.join(", ")}.`);
  const extra = of("only on the site");
  if (extra.length > 0) {
    say("  Only on the site, and kept; --prune deletes what the folder does not have:");
    for (const { what, name } of extra) say(`    ${what} ${name}`);
  }
  if (last) say(last);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
