/** Reads a path that somebody sent as one of the shapes a page of this site has (§22.1). Whether it exists is the store's. */
import type { Page } from "../stores/visits";

const SLUG = /^[a-z0-9][a-z0-9-]{0,63}$/;
const WITHOUT_NAMES = new Set(["/", "/notes", "/skills", "/source", "/about"]);

/**
 * One slash at the end is forgiven. A file of a skill or of the source is read on the page it belongs to, and counts
 * for that one: their number has no bound that we would set.
 */
export function pageOf(path: string): Page {
  const plain = path.length > 1 ? path.replace(/\/$/, "") : path;
  if (WITHOUT_NAMES.has(plain)) return { kind: "fixed", path: plain };
  const [before, area, name = "", chapter, ...deeper] = plain.split("/");
  if (before !== "") return { kind: "other" };
  if (area === "source" && name !== "") return { kind: "fixed", path: "/source" };
  if (area === "skills" && SLUG.test(name)) return { kind: "skill", name };
  if (area !== "notes" || !SLUG.test(name)) return { kind: "other" };
  if (chapter === undefined) return { kind: "series", series: name };
  return SLUG.test(chapter) && deeper.length === 0 ? { kind: "chapter", series: name, chapter } : { kind: "other" };
}
