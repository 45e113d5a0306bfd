/**
 * The two wire protocols of a search (§10.3), chosen by the row's tool type alone. Each says how the body is built, with
 * the question in exactly one field, and how the events are read; everything else of a call is the same for both.
 */
import { LIMITS } from "../../../../shared/limits";
import { type AnswerValue, DONE } from "./answer-values";
import { markdownLinks } from "./citations";

export interface SearchLine {
  path: string;
  body(modelId: string, toolType: string, question: string): Record<string, unknown>;
  read(): SearchReader;
}

export interface SearchReader {
  /** Takes the next value of the answer and says what it means for the search. */
  take(value: AnswerValue): "searching" | "composing" | "ended" | "broken" | undefined;
  /** Whether the answer is whole when nothing more comes. */
  isWhole(): boolean;
  text(): string;
  /** As the service named them, unjudged. */
  sources(): readonly { title?: unknown; url?: unknown }[];
}

export function searchLineOf(toolType: string): SearchLine {
  return toolType === "google_search" ? GOOGLE : RESPONSES;
}

const RESPONSES: SearchLine = {
  path: "/responses",
  body: (model, type, input) => ({ model, tools: [{ type }], input, stream: true }),
  read() {
    const streamed = new BoundedText();
    const annotations: unknown[] = [];
    let final: ReturnType<typeof outputOf> | undefined;
    return {
      take({ event, value }) {
        if (value?.error) return "broken";
        switch (value?.type ?? event) {
          case "response.output_text.delta":
            streamed.add(value?.delta);
            return "composing";
          case "response.output_text.annotation.added":
            annotations.push(value?.annotation);
            return "composing";
          case "response.completed":
            final = outputOf(value?.response);
            return "ended";
          case "error":
          case "response.failed":
          case "response.incomplete":
            return "broken";
        }
        if (String(value?.type ?? event).startsWith("response.web_search_call.")) return "searching";
        // The answer as one object, where a stream was asked for.
        if (!Array.isArray(value?.output)) return undefined;
        if (value.status !== undefined && value.status !== "completed") return "broken";
        final = outputOf(value);
        return "ended";
      },
      isWhole: () => final !== undefined,
      text: () => streamed.value || (final?.text ?? ""),
      sources: () => [...annotations, ...(final?.annotations ?? [])].filter(isUrlCitation),
    };
  },
};

/** Text and annotations of a finished answer. */
function outputOf(response: { output?: unknown } | null | undefined): { text: string; annotations: unknown[] } {
  const text = new BoundedText();
  const parts = listOf(response?.output)
    .flatMap((item) => listOf(item?.content))
    .filter((part) => part?.type === "output_text");
  for (const part of parts) text.add(part.text);
  return { text: text.value, annotations: parts.flatMap((part) => listOf(part.annotations)) };
}

function isUrlCitation(annotation: unknown): annotation is { title?: unknown; url?: unknown } {
  return (annotation as { type?: unknown } | null | undefined)?.type === "url_citation";
}

const GOOGLE: SearchLine = {
  path: "/chat/completions",
  body: (model, type, content) => ({
    model,
    messages: [{ role: "user", content }],
    tools: [{ [type]: {} }],
    stream: true,
  }),
  read() {
    const text = new BoundedText();
    let whole = false;
    return {
      take({ value }) {
        if (value === DONE) {
          whole = true;
          return "ended";
        }
        if (value?.error) return "broken";
        const [choice] = listOf(value?.choices);
        if (choice === undefined) return undefined;
        if (typeof choice?.finish_reason === "string") whole = true;
        return text.add((choice?.delta ?? choice?.message)?.content) ? "composing" : undefined;
      },
      isWhole: () => whole,
      text: () => text.value,
      sources: () => markdownLinks(text.value),
    };
  },
};

/** Text in pieces, of which no more is kept than an answer may be long. */
class BoundedText {
  value = "";

  /** Whether the piece was text. */
  add(piece: unknown): boolean {
    if (typeof piece !== "string" || piece === "") return false;
    const room = LIMITS.searchAnswerChars - this.value.length;
    if (room > 0) this.value += piece.slice(0, room);
    return true;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: parts of a service's JSON; each is looked at before it is taken.
function listOf(value: unknown): any[] {
  return Array.isArray(value) ? value : [];
}
