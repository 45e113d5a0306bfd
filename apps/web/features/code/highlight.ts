/**
 * Code in weights and inks, made on the server: the browser gets the result and no highlighter. Only three things are
 * told apart, because the page has no colour for more: comments, words of the language, and strings.
 */
import type { ElementContent } from "hast";
import { all, createLowlight } from "lowlight";
import { LIMITS } from "../../../../shared/limits";

export type Ink = "comment" | "word" | "string";
/** `ink` is null for what is simply ink. */
export interface Token {
  ink: Ink | null;
  text: string;
}

/** Grammars of what people write here; each brings its own short names (`ts`, `py`, `toml`, `yml`). */
const GRAMMARS = [
  ...["bash", "css", "diff", "dockerfile", "ini", "javascript", "json", "markdown", "powershell", "python", "sql"],
  ...["typescript", "xml", "yaml"],
];
const lowlight = createLowlight(Object.fromEntries(GRAMMARS.map((name) => [name, all[name]!])));
// A shell is a kind of file to us and a transcript to the grammars.
lowlight.registerAlias("bash", ["shell", "console"]);

const INKS: Record<string, Ink | null> = {
  "hljs-comment": "comment",
  "hljs-quote": "comment",
  "hljs-deletion": "comment",
  "hljs-keyword": "word",
  "hljs-literal": "word",
  "hljs-name": "word",
  "hljs-section": "word",
  "hljs-selector-tag": "word",
  "hljs-strong": "word",
  "hljs-addition": "word",
  "hljs-string": "string",
  "hljs-regexp": "string",
  "hljs-subst": null,
};

/**
 * The lines of a source text, each as its tokens; joined with line feeds they are the text again. A language that is
 * not known, a text too long to be set in time, or one that its grammar fails on, comes back in plain ink.
 */
export function highlightLines(source: string, language: string): Token[][] {
  const tree = parse(source, language.toLowerCase());
  if (tree === null) return source.split("\n").map((text) => (text === "" ? [] : [{ ink: null, text }]));
  const lines: Token[][] = [[]];
  collect(tree, null, lines);
  return lines;
}

function parse(source: string, language: string): ElementContent[] | null {
  if (!lowlight.registered(language) || source.length > LIMITS.highlightChars) return null;
  try {
    return lowlight.highlight(language, source).children as ElementContent[];
  } catch {
    return null;
  }
}

function collect(nodes: readonly ElementContent[], ink: Ink | null, lines: Token[][]): void {
  for (const node of nodes) {
    if (node.type === "element") {
      const classes = (node.properties.className ?? []) as string[];
      const own = classes.find((name) => name in INKS);
      collect(node.children, own === undefined ? ink : (INKS[own] ?? null), lines);
    } else if (node.type === "text") {
      for (const [index, text] of node.value.split("\n").entries()) {
        if (index > 0) lines.push([]);
        const line = lines.at(-1)!;
        const last = line.at(-1);
        if (last?.ink === ink) last.text += text;
        else if (text !== "") line.push({ ink, text });
      }
    }
  }
}
