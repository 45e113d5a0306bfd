/** The fields that a Markdown file may begin with, between two lines of three dashes; they are no text of it. */
export interface FrontMatter {
  /** Without the dashes; null when there is none. */
  fields: string | null;
  text: string;
}

export function splitFrontMatter(file: string): FrontMatter {
  const match = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(file);
  return match === null ? { fields: null, text: file } : { fields: match[1] ?? "", text: file.slice(match[0].length) };
}
