/**
 * What a rebuilt session remembers (§2.1): its earlier messages as one text of at most `maxChars` UTF-16 units, whole
 * oldest messages dropped first. Each message is one JSON line, so that no message can pass for two.
 */
import { cutText } from "../../../shared/text/bounded-json";
import { traceCutMark } from "../../../shared/text/preview";
import type { HistoryMessage } from "./kernel-types";

const INTRO = "Earlier messages of this conversation, oldest first, one JSON object a line:";

/** Undefined when there is nothing to remember. The newest message is cut when it does not fit alone. */
export function historyText(history: readonly HistoryMessage[], maxChars: number): string | undefined {
  const lines: string[] = [];
  let chars = INTRO.length;
  for (const message of history.toReversed()) {
    const line = JSON.stringify({ role: message.role, content: message.content });
    if (chars + 1 + line.length > maxChars) {
      if (lines.length === 0) lines.push(fittingLine(message, maxChars - chars - 1));
      break;
    }
    chars += 1 + line.length;
    lines.unshift(line);
  }
  return lines.length === 0 ? undefined : [INTRO, ...lines].join("\n");
}

/** Escapes make a line longer than its text, so the text is halved until the line fits. */
function fittingLine({ role, content }: HistoryMessage, maxChars: number): string {
  for (let chars = maxChars; ; chars = Math.floor(chars / 2)) {
    const line = JSON.stringify({ role, content: cutText(content, chars, traceCutMark) });
    if (line.length <= maxChars || chars === 0) return line;
  }
}
