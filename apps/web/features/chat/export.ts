/**
 * A session as a file of the visitor's own: Markdown to read, JSON to work with. Both are made from the stored session
 * and hold nothing that the page does not show. Pure.
 */
import type { MessageView, SessionView, ToolCallView } from "../../../../shared/contracts/agent";
import { LIMITS } from "../../../../shared/limits";

export type ExportFormat = "markdown" | "json";

/** What the file says in the visitor's language. */
export interface ExportWords {
  untitled: string;
  you: string;
  agent: string;
  /** Outcome of a turn that was not completed. */
  outcomes: Record<"stopped" | "failed" | "interrupted", string>;
  failed: string;
}

export function sessionJson({ session, messages }: SessionView): string {
  return `${JSON.stringify({ session, messages }, null, 2)}\n`;
}

/** What either side said is quoted: whatever it opens ends with it, and no heading in it can pass for another turn. */
export function sessionMarkdown({ session, messages }: SessionView, words: ExportWords): string {
  const title = session.title.replace(/\s+/g, " ").trim() || words.untitled;
  const parts = messages.map((message) =>
    message.role === "user"
      ? `## ${words.you}, ${message.createdAt}\n\n${quote(message.content)}`
      : `## ${words.agent}\n\n${answerMarkdown(message, words)}`,
  );
  return `${[`# ${escapeMarks(title)}`, ...parts].join("\n\n")}\n`;
}

function answerMarkdown({ content, turn, outcome }: MessageView, words: ExportWords): string {
  const parts = (turn?.toolCalls ?? []).map((call) => callMarkdown(call, words));
  if (content !== "") parts.push(quote(content));
  if (outcome !== undefined && outcome !== "completed") parts.push(`*${words.outcomes[outcome]}*`);
  return parts.join("\n\n");
}

function callMarkdown({ name, inputPreview, resultPreview, isError, durationMs }: ToolCallView, words: ExportWords) {
  const facts = [durationMs === undefined ? null : `${Math.round(durationMs)} ms`, isError ? words.failed : null];
  const head = [code(name), ...facts.filter((fact) => fact !== null)].join(" · ");
  return [`- ${head}`, ...[inputPreview, resultPreview].filter((text) => text !== "").map(indentedBlock)].join("\n\n");
}

/** A block of code inside a list item; its fence is longer than any in the text. */
function indentedBlock(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return beginLines(`${fence}\n${text}\n${fence}`, "  ");
}

function code(text: string): string {
  const fence = "`".repeat(longestRun(text) + 1);
  return `${fence}${text.replace(/\s+/g, " ")}${fence}`;
}

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

const quote = (text: string): string => beginLines(withoutRequests(text), "> ");

/** A fence at the margin, which nothing but its own end closes; an indented one may end with the list around it. */
const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
const ESCAPABLE = /(\\*)(!(?=\[)|<(?=[a-z/!?]))/gi;

/**
 * Whoever opens the file asks nobody for anything: outside fenced code a picture is an exclamation mark and a link, and
 * HTML is text. What is escaped already stays as it is.
 */
function withoutRequests(text: string): string {
  let fence: string | null = null;
  return text
    .split(/(\r\n?|\n)/)
    .map((line, place) => {
      if (place % 2 === 1) return line;
      if (fence !== null) {
        const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
        if (end?.startsWith(fence)) fence = null;
        return line;
      }
      const [, ticks, tildes] = FENCE.exec(line) ?? [];
      fence = ticks ?? tildes ?? null;
      if (fence !== null) return line;
      return line.replace(ESCAPABLE, (all, slashes: string, mark: string) =>
        slashes.length % 2 === 0 ? `${slashes}\\${mark}` : all,
      );
    })
    .join("");
}

/** Lines as Markdown counts them. */
const beginLines = (text: string, mark: string): string => text.replace(/^|\r\n?|\n/g, `$&${mark}`);

const escapeMarks = (text: string): string => text.replace(/[\\`*_[\]<>#]/g, "\\$&");

/** A name that every file system takes: letters and numbers of any language, nothing that leads elsewhere. */
export function exportFileName({ session }: SessionView, format: ExportFormat): string {
  const words = session.title.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  const title = [...words]
    .slice(0, LIMITS.exportNameChars)
    .join("")
    .replace(/^-+|-+$/g, "");
  const day = session.createdAt.slice(0, 10);
  return `${["agent-x-ray", day, title].filter((part) => part !== "").join("-")}.${format === "json" ? "json" : "md"}`;
}
