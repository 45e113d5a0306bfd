/**
 * What a manifest of skills says, and the tiny schema language of a script's input (§13.1). The manifest is made from
 * `runner/skills/` and compiled into the API, so that the set of things that can run changes with a release only.
 */

export interface SkillManifest {
  /** By name, sorted. */
  skills: readonly ManifestSkill[];
}

export interface ManifestSkill {
  /** `^[a-z0-9][a-z0-9-]{0,63}$`; also the folder's name. */
  name: string;
  /** One line, from the front matter of `SKILL.md`. */
  description: string;
  /** Which runner takes it: the one without a network, or the one that reaches public https only. */
  network: "none" | "egress";
  /** The whole text of `SKILL.md`. */
  skillMd: string;
  /** Every file of the skill, by path within it, with the SHA-256 of its bytes in hex. Sorted. */
  files: readonly { path: string; sha256: string }[];
  /** By file name, sorted; empty for a skill that is read and never run. */
  scripts: readonly ManifestScript[];
}

export interface ManifestScript {
  /** `^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\.py$`, in the skill's `scripts/`. */
  file: string;
  description: string;
  sha256: string;
  input: Readonly<Record<string, SkillField>>;
}

/** One field of an input. All are required unless `optional`; a field that is not named here is refused. */
export type SkillField = { description: string; optional?: true } & (
  | {
      type: "string";
      /** UTF-16 units; at least 0, at most what the whole input may hold, unless said otherwise. */
      minLength?: number;
      maxLength?: number;
      enum?: readonly string[];
      /** Must parse as an https address; the script gets it in its canonical spelling. */
      format?: "https-url";
    }
  | { type: "integer"; minimum?: number; maximum?: number }
  | { type: "boolean" }
);

export type SkillInput = Record<string, string | number | boolean>;

/** The input as the script will get it, or what is wrong with it: a sentence in which only names of the schema stand. */
export type CheckedInput = { input: SkillInput } | { fault: string };

/** Judges the text of a call's `input` by a script's schema. Pure; `text` is whatever a model wrote. */
export function checkSkillInput(schema: ManifestScript["input"], text: string): CheckedInput {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return { fault: "The input is not JSON." };
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return { fault: "The input is not a JSON object." };
  }
  const known = Object.keys(schema);
  if (Object.keys(given).some((name) => !Object.hasOwn(schema, name))) {
    return { fault: known.length > 0 ? `The input takes only: ${known.join(", ")}.` : "The input takes no field." };
  }
  const input: SkillInput = {};
  for (const [name, field] of Object.entries(schema)) {
    if (!Object.hasOwn(given, name)) {
      if (field.optional) continue;
      return { fault: `"${name}" is missing.` };
    }
    const value = checkField(field, (given as Record<string, unknown>)[name]);
    if (value === undefined) return { fault: `"${name}" must be ${wanted(field)}.` };
    input[name] = value;
  }
  return { input };
}

/** The value to hand on; undefined when the field does not take it. */
function checkField(field: SkillField, value: unknown): string | number | boolean | undefined {
  if (field.type === "boolean") return typeof value === "boolean" ? value : undefined;
  if (field.type === "integer") {
    if (!Number.isSafeInteger(value)) return undefined;
    const whole = value as number;
    return whole >= (field.minimum ?? -Infinity) && whole <= (field.maximum ?? Infinity) ? whole : undefined;
  }
  // A lone surrogate is no text: it could not be sent as UTF-8 and come out the same.
  if (typeof value !== "string" || !value.isWellFormed()) return undefined;
  if (field.enum && !field.enum.includes(value)) return undefined;
  if (value.length < (field.minLength ?? 0) || value.length > (field.maxLength ?? Infinity)) return undefined;
  return field.format === "https-url" ? canonicalHttps(value, field.maxLength) : value;
}

/** As the URL standard spells it, so that what was judged here is what the script judges again (architecture §14). */
function canonicalHttps(text: string, maxLength = Infinity): string | undefined {
  const url = URL.parse(text);
  return url?.protocol === "https:" && url.href.length <= maxLength ? url.href : undefined;
}

function wanted(field: SkillField): string {
  if (field.type === "boolean") return "true or false";
  if (field.type === "integer") {
    const { minimum, maximum } = field;
    if (minimum !== undefined && maximum !== undefined) return `a whole number from ${minimum} to ${maximum}`;
    if (minimum !== undefined) return `a whole number from ${minimum} up`;
    return maximum === undefined ? "a whole number" : `a whole number up to ${maximum}`;
  }
  if (field.enum) return `one of: ${field.enum.join(", ")}`;
  const { minLength = 0, maxLength } = field;
  const least = minLength > 0 ? ` of at least ${minLength} characters` : "";
  const most =
    maxLength === undefined ? "" : `${least ? " and" : " of"} at most ${maxLength}${least ? "" : " characters"}`;
  return `${field.format === "https-url" ? "an https address" : "text"}${least}${most}`;
}
