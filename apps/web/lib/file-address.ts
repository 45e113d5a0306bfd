/** Files as pages: `/source/<path>` and `/skills/<name>/<path>`, and where a link inside of one leads. */

export function fileHref(base: string, path: string): string {
  return [base, ...path.split("/").filter(Boolean).map(encodeURIComponent)].join("/");
}

/** Path of a file from the segments of its address; null when they cannot be read. */
export function pathOf(segments: readonly string[]): string | null {
  try {
    return segments.map(decodeURIComponent).join("/");
  } catch {
    return null;
  }
}

/**
 * A link as written in the Markdown file at `path`: relative ones lead to the page of the file they name, those that
 * climb out of the root and whatever has a scheme, a host or a leading slash stay as they are.
 */
export function linkFrom(base: string, path: string, href: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/|#|\?|$)/i.test(href)) return href;
  const [, file = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(href) ?? [];
  const target = path.split("/").slice(0, -1);
  for (const segment of file.split("/")) {
    if (segment === "..") {
      if (target.pop() === undefined) return href;
    } else if (segment !== "." && segment !== "") target.push(safelyDecoded(segment));
  }
  return fileHref(base, target.join("/")) + rest;
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
