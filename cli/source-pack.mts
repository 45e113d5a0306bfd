/**
 * The files of one commit as they are published (§15.2, §15.3): a closed list of what belongs to the source, read from
 * git's objects. Whatever breaks a rule is an error that names it, never a file left out without a word.
 */
import { createHash } from "node:crypto";
import { packRefusal, shownPath, textRefusal } from "../shared/pack-rules.ts";
import { countLines } from "../shared/text/lines.ts";
import { blobsOf, treeOf } from "./git-objects.mts";
import { Refusal } from "./refusal.mts";

export interface PackedSourceFile {
  path: string;
  content: string;
  /** Of the content in UTF-8. */
  bytes: number;
  lines: number;
  /** Of the content, in hex. */
  sha256: string;
}

/** Files and folders at the root that are published; a new one is not until it stands here. */
export const PUBLISHED: ReadonlySet<string> = new Set(
  (
    "apps bench cli deploy docs rounds runner samples shared tests " +
    ".gitignore CHANGELOG.md CONTRIBUTING.md Caddyfile LICENSE README.md " +
    "biome.json docker-compose.yml encore.app package.json tsconfig.json xray"
  ).split(" "),
);
/** Files and folders at the root that are not source: settings of tools and machines, what was generated. */
export const LEFT_OUT: ReadonlySet<string> = new Set([".ci", ".npmrc", ".secretlintrc.json", "package-lock.json"]);

/** Pictures and fonts, wherever they are: no text, and the pages of the source could not show them. */
const NOT_TEXT = /\.(?:png|jpe?g|gif|webp|avif|ico|svg|woff2?|ttf|otf)$/i;
/** Settings of agents and editors and lockfiles, wherever they are. */
const NOT_SOURCE =
  /(?:^|\/)(?:\.(?:claude|cursor|codex|vscode|idea|zed)\/|(?:\.mcp\.json|(?:CLAUDE|AGENTS|GEMINI)\.md|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$)/;

/** The published files of the commit `sha`, by path. Throws a `Refusal` that names the file which breaks a rule. */
export async function packCommit(root: string, sha: string): Promise<PackedSourceFile[]> {
  const entries = (await treeOf(root, sha)).filter(({ path }) => isPublished(path));
  for (const { path, type } of entries) {
    if (type === "other") throw refused(`${shownPath(path)} is a link, and only files are published.`);
  }
  // By names and sizes first, so that nothing too large is read.
  const rule = packRefusal(entries, "source");
  if (rule) throw refused(rule.reason);

  const blobs = await blobsOf(
    root,
    entries.map(({ oid }) => oid),
  );
  return entries.map(({ path }, index) => {
    const blob = blobs[index]!;
    const content = textOf(path, blob);
    const sha256 = createHash("sha256").update(blob).digest("hex");
    return { path, content, bytes: blob.length, lines: countLines(content), sha256 };
  });
}

function isPublished(path: string): boolean {
  const [first = ""] = path.split("/", 1);
  return PUBLISHED.has(first) && !NOT_TEXT.test(path) && !NOT_SOURCE.test(path);
}

function textOf(path: string, blob: Buffer): string {
  let content: string;
  try {
    content = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(blob);
  } catch {
    throw refused(`${shownPath(path)} is not UTF-8.`);
  }
  const rule = textRefusal(path, content, "source");
  if (rule) throw refused(rule.reason);
  return content;
}

function refused(sentence: string): Refusal {
  return new Refusal(sentence, "Change it, or leave it out in cli/source-pack.mts, and commit.");
}
