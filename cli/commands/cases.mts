/**
 * `./xray cases FILE`: judges a file of cases with the product's own rules. Each mismatch is a line, then comes the
 * count; it ends with 1 when a case of level must fails.
 */
import { readFileSync } from "node:fs";
import { ZodError } from "zod";
import type { Words } from "../args.mts";
import type { CaseFormat, Judged } from "../cases/format.mts";
import { FORMATS } from "../cases/formats.mts";
import { Refusal, UsageError } from "../refusal.mts";

export default async function cases(words: Words): Promise<number> {
  const [path] = words.words;
  if (path === undefined) throw new UsageError("Which file?", "For instance: ./xray cases tests/cases/paths.json");
  const judgements = await judgeText(readFile(path), path);
  process.stdout.write(`${report(judgements).join("\n")}\n`);
  return judgements.some(({ level, fault }) => level === "must" && fault !== null) ? 1 : 0;
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") throw new Refusal(`There is no file ${path}.`);
    if (code === "EISDIR") throw new Refusal(`${path} is a folder.`, "Name a file in it.");
    throw error;
  }
}

/** The cases of a file in order. Throws a `Refusal` for a file of no known format; `path` is for its sentence. */
export async function judgeText(
  text: string,
  path: string,
  formats: readonly CaseFormat[] = FORMATS,
): Promise<Judged[]> {
  const file = objectOf(text);
  if (file === null) throw new Refusal(`${path} is no JSON object.`);
  const format = formats.find(({ recognises }) => recognises(file));
  if (format === undefined) {
    const names = formats.map(({ name }) => name).join(", ");
    throw new Refusal(`${path} is of no format that is known here.`, `Known are: ${names}.`);
  }
  try {
    return await format.judge(file);
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    const place = error.issues[0]?.path.join(".") ?? "";
    throw new Refusal(`${path} has a case that is not of the format ${format.name}: ${place}.`);
  }
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** A line for each mismatch, one for what was skipped and why, one with the count. */
export function report(judgements: readonly Judged[]): string[] {
  const failed = judgements.filter(({ fault }) => fault !== null);
  const skipped = judgements.filter((one) => one.skipped !== undefined);
  const passed = judgements.length - failed.length - skipped.length;
  const reasons = [...new Set(skipped.map((one) => one.skipped!))];
  const leftOut = skipped.length === 0 ? "" : `, ${skipped.length} skipped`;
  return [
    ...failed.map(({ id, level, fault }) => `${id} (${level}): ${fault}`),
    ...reasons.map((reason) => `skipped: ${reason}`),
    `${passed} passed, ${failed.length} failed${leftOut}`,
  ];
}
