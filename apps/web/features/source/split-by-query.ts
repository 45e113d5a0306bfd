/** A line cut at the words that were searched, whatever their case: every second part, from the second on, is a hit. */
export function splitByQuery(line: string, query: string): string[] {
  if (query === "") return [line];
  return line.split(new RegExp(`(${query.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")})`, "iu"));
}
