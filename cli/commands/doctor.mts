/** `./xray doctor`: each prerequisite on a line with its remedy. Exit 1 only when `up` could not work. */
import type { Words } from "../args.mts";
import { pathsOf } from "../paths.mts";
import { CHECKS, type Finding } from "../prerequisites.mts";

export default async function doctor(words: Words): Promise<number> {
  const paths = pathsOf();
  const findings = await Promise.all(CHECKS.map((check) => check(paths)));
  const failed = findings.filter(({ state, needed }) => needed && state !== "ok");
  if (words.has("json")) {
    process.stdout.write(`${JSON.stringify({ ok: failed.length === 0, findings }, null, 2)}\n`);
  } else {
    process.stdout.write(`\n${findings.map(asLines).join("")}\n${verdict(findings, failed)}\n\n`);
  }
  return failed.length === 0 ? 0 : 1;
}

function asLines({ name, state, found, remedy, needed }: Finding): string {
  const mark = state === "ok" ? "✓" : needed ? "✗" : "!";
  const line = `  ${mark} ${name.padEnd(10)} ${state === "ok" ? found : `${state}: ${found}`}\n`;
  return remedy ? `${line}${" ".repeat(15)}${remedy}\n` : line;
}

function verdict(findings: readonly Finding[], failed: readonly Finding[]): string {
  if (failed.length > 0) return `  ./xray up needs: ${failed.map(({ name }) => name).join(", ")}.`;
  const lesser = findings.filter(({ state }) => state !== "ok").map(({ name }) => name);
  return lesser.length > 0
    ? `  ./xray up works here, with less than everything: ${lesser.join(", ")}, as said above.`
    : "  Everything is here.";
}
