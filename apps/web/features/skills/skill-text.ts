/** The text of a skill under a head that has said what it is called and what it does. */
import { splitFrontMatter } from "../markdown/front-matter";

/** The head has said these. */
const SAID = /^(?:name|description):[ \t]*[^|>\s]/;

/** Without its title, and without its fields unless one of them says more than the head. */
export function underItsHead(file: string): string {
  const { fields, text } = splitFrontMatter(file);
  const isSaid = (fields ?? "").split(/\r?\n/).every((line) => line.trim() === "" || SAID.test(line));
  const head = isSaid ? "" : `---\n${fields}\n---\n`;
  return head + text.replace(/^\s*#[ \t][^\n]*(?:\n|$)/, "");
}
