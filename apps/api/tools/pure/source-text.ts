/**
 * Words that the source tools share, and how their results are put together: whole lines up to the length of a tool
 * result, so that the note at the end always follows a complete line (§15.4).
 */
import { SHORT_SHA_CHARS } from "../../../../shared/contracts/source";
import { LIMITS } from "../../../../shared/limits";

export const SOURCE_FAILED = "The source could not be read just now.";
export const NO_SOURCE = "No source is published on this site yet.";

export function shortSha(sha: string): string {
  return sha.slice(0, SHORT_SHA_CHARS);
}

/**
 * `head` and as many of `lines` as fit, then what `note` says of the number that did; null says nothing. A line longer
 * than `sourceLineChars` is cut and marked, so that one line never takes the whole result.
 */
export function wholeLines(head: string, lines: readonly string[], note: (shown: number) => string | null): string {
  let text = head;
  let shown = 0;
  for (const line of lines) {
    const next = `${text}\n${cutLine(line)}`;
    if (next.length > LIMITS.toolResultChars - NOTE_CHARS) break;
    text = next;
    shown++;
  }
  const said = note(shown);
  return said === null ? text : `${text}\n\n${said}`;
}

/** What is kept free for the note. */
const NOTE_CHARS = 600;

function cutLine(line: string): string {
  if (line.length <= LIMITS.sourceLineChars) return line;
  return `${line.slice(0, LIMITS.sourceLineChars).replace(/[\ud800-\udbff]$/, "")} … (the line goes on)`;
}
