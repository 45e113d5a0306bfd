/** A line cut at the words that were searched, whatever their case: every second part, from the second on, is a hit. */
export function splitByQuery(line: string, query: string): string[] {
  if (query === "") return [line];
  return line.split(new RegExp(`(${asPattern(query)})`, "iu"));
}

/** Of a text, as the source of a regular expression. */
export const asPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
