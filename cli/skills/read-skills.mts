/**
 * Reads the folder of skills and refuses what must not become executable: a link, a file that is no plain file, a script
 * that is listed and absent, a schema that says more than the schema language can. Whatever it returns may be shipped.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ManifestScript, ManifestSkill, SkillField } from "../../shared/skill-manifest.ts";

export interface SkillSource extends ManifestSkill {
  /** Imports which a runner may make once, before its runs. */
  preload: readonly string[];
}

/** A skill that may not be shipped; the message says which and why. */
export class SkillRefused extends Error {}

const SKILL_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const SCRIPT_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\.py$/;
const SEGMENT = /^[A-Za-z0-9._-]+$/;
const MODULE = /^[a-z_][a-z0-9_.]*$/;
const FIELD_NAME = /^[a-z][a-z0-9_]{0,31}$/;
const MAX_FIELD_CHARS = 4096;

/** Every skill below `folder`, sorted by name. Throws `SkillRefused`. */
export function readSkills(folder: string): SkillSource[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isFile())
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      refuseUnless(entry.isDirectory(), entry.name, "is no folder");
      return readSkill(folder, entry.name);
    });
}

function readSkill(folder: string, name: string): SkillSource {
  refuseUnless(SKILL_NAME.test(name), name, "is no name of a skill");
  const files = filesOf(folder, name);
  const text = (path: string) => {
    refuseUnless(files.has(path), name, `has no ${path}`);
    return files.get(path)!.toString("utf8");
  };
  const skillMd = text("SKILL.md");
  const declared = parseDeclaration(name, text("xray.json"));
  const scripts = declared.scripts.map(([file, script]): ManifestScript => {
    refuseUnless(SCRIPT_NAME.test(file), name, `lists ${file}, which is no name of a script`);
    refuseUnless(files.has(`scripts/${file}`), name, `lists ${file}, which is not in its folder`);
    return { file, sha256: sha256Of(files.get(`scripts/${file}`)!), ...parseScript(`${name}/${file}`, script) };
  });
  return {
    name,
    description: frontMatter(name, skillMd),
    network: declared.network,
    preload: declared.preload,
    skillMd,
    files: [...files].map(([path, bytes]) => ({ path, sha256: sha256Of(bytes) })),
    scripts,
  };
}

/** Path within the skill to bytes, sorted. Compiled Python is no part of a skill. */
function filesOf(folder: string, name: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  const walk = (at: string) => {
    for (const entry of readdirSync(join(folder, name, at), { withFileTypes: true })) {
      if (entry.name === "__pycache__") continue;
      const path = at ? `${at}/${entry.name}` : entry.name;
      refuseUnless(SEGMENT.test(entry.name), name, `has a file of a name that is not plain: ${path}`);
      refuseUnless(entry.isDirectory() || entry.isFile(), name, `has something that is no plain file: ${path}`);
      if (entry.isDirectory()) walk(path);
      else found.set(path, readFileSync(join(folder, name, path)));
    }
  };
  walk("");
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function parseDeclaration(name: string, text: string) {
  const declaration = record(name, parseJson(name, text));
  refuseUnknown(name, declaration, ["network", "preload", "scripts"]);
  const { network = "none", preload = [], scripts = {} } = declaration;
  refuseUnless(network === "none" || network === "egress", name, "must say network none or egress");
  refuseUnless(
    Array.isArray(preload) && preload.every((module) => typeof module === "string" && MODULE.test(module)),
    name,
    "must list names of modules in preload",
  );
  const sorted = Object.entries(record(name, scripts)).sort(([a], [b]) => (a < b ? -1 : 1));
  return { network: network as "none" | "egress", preload: preload as string[], scripts: sorted };
}

function parseScript(where: string, value: unknown): Pick<ManifestScript, "description" | "input"> {
  const script = record(where, value);
  refuseUnknown(where, script, ["description", "input"]);
  refuseUnless(isSentence(script.description), where, "needs a description");
  const fields = Object.entries(record(where, script.input)).map(([field, schema]): [string, SkillField] => {
    refuseUnless(FIELD_NAME.test(field), where, `has a field of a name that is not plain: ${field}`);
    return [field, parseField(`${where}: ${field}`, schema)];
  });
  return { description: script.description as string, input: Object.fromEntries(fields) };
}

function parseField(where: string, value: unknown): SkillField {
  const field = record(where, value);
  const bound = (key: string) => Number.isSafeInteger(field[key]);
  refuseUnless(isSentence(field.description), where, "needs a description");
  refuseUnless(field.optional === undefined || field.optional === true, where, "says optional other than true");
  const common = ["type", "description", "optional"];
  if (field.type === "string") {
    refuseUnknown(where, field, [...common, "minLength", "maxLength", "enum", "format"]);
    refuseUnless(bound("maxLength") && (field.maxLength as number) <= MAX_FIELD_CHARS, where, "needs a maxLength");
    refuseUnless(field.minLength === undefined || bound("minLength"), where, "has a minLength that is no number");
    refuseUnless(field.format === undefined || field.format === "https-url", where, "has an unknown format");
    refuseUnless(field.enum === undefined || isListOfText(field.enum), where, "has an enum that is no list of text");
  } else if (field.type === "integer") {
    refuseUnknown(where, field, [...common, "minimum", "maximum"]);
    refuseUnless(bound("minimum") && bound("maximum"), where, "needs a minimum and a maximum");
  } else {
    refuseUnless(field.type === "boolean", where, "is neither string, integer nor boolean");
    refuseUnknown(where, field, common);
  }
  return field as unknown as SkillField;
}

/** The description in the front matter; its name must be the folder's. */
function frontMatter(name: string, text: string): string {
  const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const line = (key: string) => new RegExp(`^${key}: (.+)$`, "m").exec(head)?.[1]?.trim();
  refuseUnless(line("name") === name, name, "has another name in the front matter of SKILL.md");
  const description = line("description");
  refuseUnless(isSentence(description), name, "has no description in the front matter of SKILL.md");
  return description as string;
}

function parseJson(where: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SkillRefused(`${where} has an xray.json that is no JSON.`);
  }
}

function record(where: string, value: unknown): Record<string, unknown> {
  refuseUnless(typeof value === "object" && value !== null && !Array.isArray(value), where, "is no object");
  return value as Record<string, unknown>;
}

function refuseUnknown(where: string, value: Record<string, unknown>, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  refuseUnless(unknown === undefined, where, `says ${unknown}, which has no meaning`);
}

function refuseUnless(holds: boolean, where: string, reason: string): asserts holds {
  if (!holds) throw new SkillRefused(`${where} ${reason}.`);
}

function isSentence(value: unknown): boolean {
  return typeof value === "string" && value.length > 0 && value.length <= 200 && !value.includes("\n");
}

function isListOfText(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}

function sha256Of(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
