/**
 * What a pack of text files may hold: a skill (§12.2), or the site's own source (§15.2). Pure functions, alike in the
 * browser and on the server; each gives null for what is allowed, else one fixed sentence with the path it is about.
 */
import { SKILL_FILE_KINDS, type SkillFileKind } from "./contracts/skills";
import { SOURCE_FILE_KINDS, type SourceFileKind } from "./contracts/source";
import { LIMITS } from "./limits";

export type Pack = "skill" | "source";

export interface PackRefusal {
  /** One sentence, the path within it escaped. */
  reason: string;
  /** As it was given; absent when the refusal is of the whole pack. */
  path?: string;
}

export interface PackedFile {
  path: string;
  /** Of its content in UTF-8. */
  bytes: number;
}

interface Rules {
  segment: RegExp;
  maxSegments: number;
  maxPathChars: number;
  maxFiles: number;
  maxFileBytes: number;
  /** Of the pack; a snapshot arrives in batches and has no sum of its own. */
  maxBytes: number;
  /** A pack that people unpack: there, two spellings of one name are one file. */
  isUnpacked: boolean;
  kinds: readonly string[];
}

const RULES: Readonly<Record<Pack, Rules>> = {
  skill: {
    segment: /^[A-Za-z0-9._-]+$/,
    maxSegments: LIMITS.skillPathSegments,
    maxPathChars: LIMITS.skillPathChars,
    maxFiles: LIMITS.skillFiles,
    maxFileBytes: LIMITS.skillFileBytes,
    maxBytes: LIMITS.skillPackBytes,
    isUnpacked: true,
    kinds: SKILL_FILE_KINDS,
  },
  source: {
    segment: /^[A-Za-z0-9._()[\]-]+$/,
    maxSegments: LIMITS.sourcePathSegments,
    maxPathChars: LIMITS.sourcePathChars,
    maxFiles: LIMITS.sourceFiles,
    maxFileBytes: LIMITS.sourceFileBytes,
    maxBytes: Number.POSITIVE_INFINITY,
    isUnpacked: false,
    kinds: SOURCE_FILE_KINDS,
  },
};

const BY_EXTENSION = new Map<string, SourceFileKind>(
  Object.entries({
    markdown: "md",
    typescript: "ts tsx mts cts",
    javascript: "js jsx mjs cjs",
    python: "py pyi",
    shell: "sh bash",
    powershell: "ps1",
    sql: "sql",
    json: "json jsonc jsonl",
    yaml: "yaml yml",
    toml: "toml",
    css: "css",
    dockerfile: "dockerfile",
    text: "txt csv tsv snap example conf service in app",
  }).flatMap(([kind, extensions]) => extensions.split(" ").map((one) => [one, kind as SourceFileKind] as const)),
);

/** Files without an extension that are text all the same, whatever the case of their letters. */
const BY_NAME = new Map<string, SourceFileKind>([
  ["dockerfile", "dockerfile"],
  ["encore.app", "json"],
  ["xray", "shell"],
  ...(
    "license licence notice copying readme changelog authors contributing security makefile caddyfile codeowners " +
    ".gitignore .gitattributes .gitkeep .dockerignore .editorconfig .npmrc .nvmrc .env.example"
  )
    .split(" ")
    .map((name): [string, SourceFileKind] => [name, "text"]),
]);

/** Programs of the deployment are called by what they do, and are written for any shell. */
const DEPLOY_PROGRAM = /^deploy\/[a-z][a-z0-9-]*$/;

/** The kind of a file by its name; null when no kind fits, as for every picture, page and program. */
export function kindOf(path: string, pack: "skill"): SkillFileKind | null;
export function kindOf(path: string, pack: "source"): SourceFileKind | null;
export function kindOf(path: string, pack: Pack): SourceFileKind | null;
export function kindOf(path: string, pack: Pack): SourceFileKind | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  // A leading dot begins a hidden file's name and no extension.
  const kind =
    BY_NAME.get(name) ??
    (dot > 0 ? BY_EXTENSION.get(name.slice(dot + 1)) : undefined) ??
    (pack === "source" && DEPLOY_PROGRAM.test(path) ? "shell" : undefined);
  return kind !== undefined && RULES[pack].kinds.includes(kind) ? kind : null;
}

/** A path by itself: relative, inside the pack, of few and plain segments. */
export function pathRefusal(path: string, pack: Pack): PackRefusal | null {
  const { segment, maxSegments, maxPathChars } = RULES[pack];
  const say = (reason: string): PackRefusal => ({ path, reason: `${shownPath(path)} ${reason}` });
  if (path === "") return say("is no path.");
  if (path.length > maxPathChars) return say(`is longer than ${maxPathChars} characters.`);
  if (path.startsWith("/")) return say("begins with a slash; paths are relative to the pack.");
  if (path.includes("\\")) return say("has a backslash; segments are divided by a slash.");
  const segments = path.split("/");
  if (segments.includes("")) return say("has an empty segment.");
  if (segments.some((one) => /^\.+$/.test(one))) return say("has a segment of dots alone, which names another folder.");
  if (!segments.every((one) => segment.test(one))) {
    const also = pack === "source" ? ", parentheses, brackets" : "";
    return say(`has a character that paths do not have: they are of A-Z, a-z, 0-9, ".", "_", "-"${also}.`);
  }
  return segments.length > maxSegments ? say(`has more than ${maxSegments} segments.`) : null;
}

/** A content by itself: text that can be stored and shown as it is, of no more than the bytes a file may have. */
export function textRefusal(path: string, content: string, pack: Pack = "source"): PackRefusal | null {
  const say = (reason: string): PackRefusal => ({ path, reason: `${shownPath(path)} ${reason}` });
  if (content.includes("\0")) return say("holds a NUL, so it is no text.");
  if (!content.isWellFormed()) return say("holds half of a surrogate pair, so it is no UTF-8.");
  const { maxFileBytes } = RULES[pack];
  return utf8Bytes(content) > maxFileBytes ? say(`is larger than ${maxFileBytes} bytes.`) : null;
}

/** A whole pack by its names and sizes: how many, each path, each kind, each size, no name twice, the sum. */
export function packRefusal(files: readonly PackedFile[], pack: Pack): PackRefusal | null {
  const { maxFileBytes, maxBytes } = RULES[pack];
  const refused = pathsRefusal(
    files.map(({ path }) => path),
    pack,
  );
  if (refused) return refused;
  for (const { path, bytes } of files) {
    if (kindOf(path, pack) === null) {
      return { path, reason: `${shownPath(path)} is of no kind that may be kept: ${RULES[pack].kinds.join(", ")}.` };
    }
    if (bytes > maxFileBytes) return { path, reason: `${shownPath(path)} is larger than ${maxFileBytes} bytes.` };
  }
  const sum = files.reduce((total, { bytes }) => total + bytes, 0);
  return sum > maxBytes ? { reason: `The pack is larger than ${maxBytes} bytes.` } : null;
}

/** The paths of a pack: how many, each by itself, no name twice. */
export function pathsRefusal(paths: readonly string[], pack: Pack): PackRefusal | null {
  const { maxFiles, isUnpacked } = RULES[pack];
  if (paths.length === 0) return { reason: "The pack is empty." };
  if (paths.length > maxFiles) return { reason: `The pack has more than ${maxFiles} files.` };
  const seen = new Map<string, string>();
  for (const path of paths) {
    const refused = pathRefusal(path, pack);
    if (refused) return refused;
    const name = isUnpacked ? path.toLowerCase() : path;
    const earlier = seen.get(name);
    if (earlier !== undefined) {
      const reason = earlier === path ? "is there twice." : `and ${shownPath(earlier)} are one file on many disks.`;
      return { path, reason: `${shownPath(path)} ${reason}` };
    }
    seen.set(name, path);
  }
  return null;
}

/** A skill whole: its pack, its texts, and a `SKILL.md` at the root whose front matter gives the skill's own name. */
export function skillRefusal(name: string, files: readonly { path: string; content: string }[]): PackRefusal | null {
  const refused = packRefusal(
    files.map(({ path, content }) => ({ path, bytes: utf8Bytes(content) })),
    "skill",
  );
  if (refused) return refused;
  for (const { path, content } of files) {
    const fault = textRefusal(path, content, "skill");
    if (fault) return fault;
  }
  const head = files.find(({ path }) => path === SKILL_FILE);
  if (head === undefined) return { reason: `The pack has no ${SKILL_FILE} at its root.` };
  const named = frontMatterName(head.content);
  if (named === name) return null;
  const reason =
    named === null
      ? `${SKILL_FILE} has no name in its front matter.`
      : `${SKILL_FILE} gives another name in its front matter than the skill's own.`;
  return { path: SKILL_FILE, reason };
}

export const SKILL_FILE = "SKILL.md";

/** The value of `name:` between the two `---` at the beginning of a `SKILL.md`; null when there is none. */
export function frontMatterName(text: string): string | null {
  const head = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1];
  const [, quoted, plain] =
    /^name:[ \t]*(?:["']([^"'\r\n]*)["']|([^\s#"'][^\r\n#]*))[ \t]*(?:#.*)?\r?$/m.exec(head ?? "") ?? [];
  return quoted ?? plain?.trim() ?? null;
}

/** A path in a sentence: quoted, everything but plain characters escaped, cut where it is long. */
export function shownPath(path: string): string {
  const escaped = JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}…` : path);
  return escaped.replace(/[^\x20-\x7e…]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const UTF8 = new TextEncoder();

/** Bytes of a text in UTF-8; each half of a surrogate pair counts as the replacement character. */
export function utf8Bytes(text: string): number {
  return UTF8.encode(text).length;
}
