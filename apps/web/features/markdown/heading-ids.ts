/**
 * Names for the headings of a text, so that each can be linked to: the words themselves, as code hosts write them, so
 * that links inside a text lead to the same place here. A name stays while the heading does.
 */
export interface Heading {
  id: string;
  depth: 2 | 3;
  /** Plain text, for a list of contents. */
  text: string;
}

/** Gives the next heading's name; `used` counts the names so far. Never begins with `_`, which scripts of a page may. */
export function headingId(text: string, used: Map<string, number>): string {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .trim()
    .replace(/ /g, "-")
    .replace(/^_+/, "");
  const name = words === "" ? "section" : words;
  const before = used.get(name) ?? 0;
  used.set(name, before + 1);
  if (before === 0) return name;
  return headingId(`${name}-${before}`, used);
}
