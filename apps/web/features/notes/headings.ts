/** The headings of a chapter, for its contents list: level 2 and 3 as they are drawn, outside of fences. */
export interface Heading {
  /** 1-based line of the Markdown source. */
  line: number;
  depth: 2 | 3;
  /** Plain text, for the list. */
  text: string;
  id: string;
}

export function headingsOf(markdown: string): Heading[] {
  const headings: Heading[] = [];
  let fence: string | null = null;
  for (const [index, line] of markdown.split("\n").entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const heading = /^ {0,3}(#{1,3})\s+(.*?)\s*#*$/.exec(line);
    if (!heading) continue;
    const text = plain(heading[2]!);
    if (text === "") continue;
    headings.push({ line: index + 1, depth: heading[1]!.length === 3 ? 3 : 2, text, id: `h-${headings.length + 1}` });
  }
  return headings;
}

function plain(inline: string): string {
  return inline
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*_~]/g, "")
    .trim();
}

/** The chapter without a first heading that only repeats its title; the page draws the title itself. */
export function withoutTitle(markdown: string, title: string): string {
  const first = /^\s*#\s+(.*?)\s*#*\s*(?:\n|$)/.exec(markdown);
  return first && plain(first[1]!) === title.trim() ? markdown.slice(first[0].length) : markdown;
}
