/**
 * Splits an answer at its tool calls (§4.5): everything up to the last call is the process, what follows is the
 * answer proper. Text between two calls is what the agent said before the second.
 */
import type { Answer, Step } from "./chat-model";

export type Part = { kind: "text"; key: string; text: string } | { kind: "step"; key: string; step: Step };

export function splitAnswer({ text, steps }: Pick<Answer, "text" | "steps">): { process: Part[]; final: string } {
  const process: Part[] = [];
  let from = 0;
  for (const step of steps) {
    const at = Math.min(Math.max(step.at, from), text.length);
    const said = text.slice(from, at).trim();
    if (said !== "") process.push({ kind: "text", key: `text-${from}`, text: said });
    process.push({ kind: "step", key: step.toolCallId, step });
    from = at;
  }
  return { process, final: text.slice(from).trimStart() };
}
