/**
 * How the demo reads what the source tools returned: as text, the way a model would, by the marks that those tools put
 * there (`file:line: text`, a head line, numbered lines). Whatever does not fit is treated as nothing found.
 */
import type { Asked, Play } from "./scene";
import { inLanguage } from "./scene";

export interface SourceHit {
  file: string;
  line: number;
  text: string;
}
/** Lines of one file that were really read. */
export interface Excerpt {
  file: string;
  /** Of the published commit. */
  shortSha: string;
  first: number;
  last: number;
  /** Of the whole file. */
  lineCount: number;
  lines: string[];
}
export interface Found {
  hits: SourceHit[];
  /** Number of files in the published commit; undefined when the list could not be read. */
  fileCount: number | undefined;
  excerpt: Excerpt;
}

const TOOLS = ["source_list", "source_search", "source_read"];
/** Around the hit: what stands above a definition explains it, what follows is it. */
const LINES_BEFORE = 7;
const LINES_AFTER = 13;

/** Reads one file from its first line on. Undefined when the tool is missing or fails. */
export function* readFile(asked: Asked, file: string): Play<Excerpt | undefined> {
  if (!asked.tools.has("source_read")) return undefined;
  const [read] = yield {
    say: inLanguage(asked, { zh: `读一下 \`${file}\`。`, en: `Reading \`${file}\`.` }),
    calls: [{ name: "source_read", input: { file } }],
  };
  return read && !read.failed ? excerptIn(read.text) : undefined;
}

/** Of an excerpt, at most so many of its first lines. */
export function firstLines(excerpt: Excerpt, count: number): Excerpt {
  const lines = excerpt.lines.slice(0, count);
  return { ...excerpt, lines, last: excerpt.first + lines.length - 1 };
}

/** Lists, searches and reads the best hit. Undefined when a tool is missing, fails, or finds nothing. */
export function* findInSource(asked: Asked, query: string): Play<Found | undefined> {
  if (!TOOLS.every((name) => asked.tools.has(name))) return undefined;
  const [list, search] = yield {
    say: inLanguage(asked, {
      zh: `先看有哪些文件，再找 \`${query}\` 在哪里。`,
      en: `First which files there are, and where \`${query}\` stands.`,
    }),
    calls: [
      { name: "source_list", input: {} },
      { name: "source_search", input: { query } },
    ],
  };
  const hits = search && !search.failed ? hitsIn(search.text) : [];
  const hit = definitionAmong(hits, query.slice(query.lastIndexOf(" ") + 1));
  if (!hit) return undefined;
  const [read] = yield {
    say: inLanguage(asked, {
      zh: `在 \`${hit.file}\` 第 ${hit.line} 行。把前后读一遍。`,
      en: `It is in \`${hit.file}\`, line ${hit.line}. Reading around it.`,
    }),
    calls: [
      {
        name: "source_read",
        input: {
          file: hit.file,
          startLine: Math.max(1, hit.line - LINES_BEFORE),
          endLine: hit.line + LINES_AFTER,
        },
      },
    ],
  };
  const excerpt = read && !read.failed ? excerptIn(read.text) : undefined;
  const files = /^Source at [0-9a-f]+: (\d+) files/.exec(list && !list.failed ? list.text : "");
  return excerpt && { hits, excerpt: blockAround(excerpt, hit.line), fileCount: files ? Number(files[1]) : undefined };
}

/** Of what was read, the block that holds the line: from the last blank line above it to the next closing bracket. */
function blockAround(excerpt: Excerpt, line: number): Excerpt {
  const place = line - excerpt.first;
  const start = excerpt.lines.slice(0, place).findLastIndex((text) => text.trim() === "") + 1;
  const closing = excerpt.lines.findIndex((text, index) => index > place && /^[})\]]/.test(text));
  const lines = excerpt.lines.slice(start, closing === -1 ? undefined : closing + 1);
  while (lines.at(-1)?.trim() === "") lines.pop();
  return { ...excerpt, lines, first: excerpt.first + start, last: excerpt.first + start + lines.length - 1 };
}

function hitsIn(text: string): SourceHit[] {
  const marks = text.matchAll(/^([A-Za-z0-9._()[\]/-]{1,300}):(\d{1,6}): (.*)$/gm);
  return [...marks].map((mark) => ({ file: mark[1]!, line: Number(mark[2]), text: mark[3]! }));
}

/** Neither a document nor a test. */
export function isCode({ file }: Pick<SourceHit, "file">): boolean {
  return /\.(?:m?tsx?|py|sql)$/.test(file) && !/\.test\.|tests?\//.test(file);
}

/** The hit where the name is defined, code before documents and tests; else the first. */
function definitionAmong(hits: readonly SourceHit[], name: string): SourceHit | undefined {
  const code = hits.filter(isCode);
  const opening = /^(?:export )?(?:async )?(?:function\*?|const|class|interface|type|def|CREATE TABLE) (\w+)/;
  const defined = ({ text }: SourceHit) => opening.exec(text)?.[1]?.toLowerCase() === name.toLowerCase();
  return code.find(defined) ?? code[0] ?? hits[0];
}

function excerptIn(text: string): Excerpt | undefined {
  const [, file, shortSha, lineCount] = /^(\S+) at ([0-9a-f]+), lines \d+ to \d+ of (\d+)$/m.exec(text) ?? [];
  const numbered = [...text.matchAll(/^(\d+)\t(.*)$/gm)];
  const first = Number(numbered[0]?.[1]);
  const last = Number(numbered.at(-1)?.[1]);
  if (!file || !shortSha || !first || !last) return undefined;
  return { file, shortSha, first, last, lineCount: Number(lineCount), lines: numbered.map((line) => line[2]!) };
}

/** A place in the source as a link that stays on this site. */
export function linkToLines(asked: Asked, { file, first, last }: Pick<Excerpt, "file" | "first" | "last">): string {
  const range = first === last ? String(first) : `${first}–${last}`;
  const fragment = first === last ? `#L${first}` : `#L${first}-L${last}`;
  const shown = inLanguage(asked, { zh: `第 ${range} 行`, en: first === last ? `line ${range}` : `lines ${range}` });
  // Brackets and parentheses, as route folders have them, would end the link.
  const address = file.replace(/[()[\]]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `[\`${file}\` ${shown}](/source/${address}${fragment})`;
}

/** The lines as a block of code, fenced longer than any fence among them. */
export function codeBlock({ file, lines }: Pick<Excerpt, "file" | "lines">): string {
  const longest = Math.max(2, ...lines.map((line) => /`{3,}/.exec(line)?.[0].length ?? 0));
  const marks = "`".repeat(longest + 1);
  return `${marks}${file.slice(file.lastIndexOf(".") + 1)}\n${lines.join("\n")}\n${marks}`;
}
