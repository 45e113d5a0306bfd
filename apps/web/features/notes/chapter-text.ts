/** A chapter's Markdown as its page needs it, and what addresses mean inside of it. */

/** Without a first heading that only repeats the title; the page draws the title itself. */
export function withoutTitle(markdown: string, title: string): string {
  const first = /^\s*#\s+(.*?)\s*#*\s*(?:\n|$)/.exec(markdown);
  return first?.[1]?.replace(/[`*_]/g, "") === title.trim() ? markdown.slice(first[0].length) : markdown;
}

/** A chapter of the same series may be named by its file: `03-saying-no.md#why`, as it lies in the owner's folder. */
export function chapterLink(series: string, href: string): string {
  const file = /^(?:\.\/)?(?:\d+-)?([a-z0-9][a-z0-9-]{0,63})\.md(#.*)?$/.exec(href);
  return file === null ? href : `/notes/${series}/${file[1]}${file[2] ?? ""}`;
}

/** A picture of any series: beside the text (`map.png`) or by its address here; null for whatever is not ours. */
export function chapterPicture(series: string, src: string): string | null {
  const match = /^(?:\/notes\/([a-z0-9][a-z0-9-]{0,63})\/|\.\/)?([a-z0-9][a-z0-9._-]{0,95})$/.exec(src);
  if (match === null || !/\.(?:png|jpe?g|gif|webp)$/.test(match[2]!)) return null;
  return `/notes/${match[1] ?? series}/${match[2]}`;
}
