/** What a line of a file is, the same for whoever counts, numbers or shows lines. */

/** Lines in order, without their `\n`. A final `\n` ends the last line and begins none; an empty text has no line. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** As many as `linesOf` gives. */
export function countLines(text: string): number {
  let breaks = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) breaks++;
  return text === "" || text.endsWith("\n") ? breaks : breaks + 1;
}
