/**
 * What a scene of the offline demo is. A scene is a small play: it says a line, asks for tools, is handed what they
 * really returned, and ends with an answer made from that. It holds no state and no chance: the same question, tools
 * and results give the same words, so the play can be run again from its beginning at every model round trip.
 */
import type { JsonObject } from "../../../../shared/trace-events";

export type Language = "zh" | "en";
/** The same words in both languages. */
export type Words = Readonly<Record<Language, string>>;

/** What a scene may know about the turn. */
export interface Asked {
  question: string;
  /** Language of the question, in which it is answered. */
  language: Language;
  /** Registered tools: name to description. */
  tools: ReadonlyMap<string, string>;
}

export interface ToolRequest {
  name: string;
  input: JsonObject;
}
export interface ToolAnswer {
  text: string;
  failed: boolean;
}
/** Said before the tools run; `calls` is never empty, and calls of one line run side by side. */
export interface Line {
  say: string;
  calls: readonly ToolRequest[];
}
/** Yields lines, is sent the answers of a line's calls in their order, returns the final answer as Markdown. */
export type Play<Result = string> = Generator<Line, Result, readonly ToolAnswer[]>;

export interface Scene {
  /** Name for the session when this scene opens it: 4 to 18 characters. */
  title(asked: Asked): string;
  /** Scenes are tried in the order of their list; the first that matches plays. */
  matches(asked: Asked): boolean;
  /** A play, or at once the final answer where no tool is needed. */
  play(asked: Asked): Play | string;
  /** True when the answer itself says that this is the scripted demo. */
  introducesItself?: boolean;
}

export function inLanguage(asked: Asked, words: Words): string {
  return words[asked.language];
}

/** Chinese as soon as one Han character stands outside of quotes: a quoted title does not change who is speaking. */
export function languageOf(question: string): Language {
  const spoken = withoutQuoted(question);
  return /\p{Script=Han}/u.test(/\p{L}/u.test(spoken) ? spoken : question) ? "zh" : "en";
}

/** The text without what stands in quotes or braces, such as a title or a tool's input. */
export function withoutQuoted(text: string): string {
  return text.replace(/\{[^}]*\}?|"[^"]*"|“[^”]*”|《[^》]*》|「[^」]*」/g, " ");
}

/** A fenced block. JSON and our own HTML hold no line of three backticks, so the fence cannot close early. */
export function fence(language: string, content: string): string {
  return `\`\`\`${language}\n${content}\n\`\`\``;
}
