/**
 * A feed as RSS 2.0. Pure: the same chapters give the same bytes, and its dates are those of the chapters, so that a
 * reader who asks again is told that nothing changed.
 */
import type { FeedSource } from "../stores/notes-feed";

/** `origin` is the site's, without a slash at its end; `path` is the feed's own. */
export function rssText({ category, chapters }: FeedSource, origin: string, path: string): string {
  const newest = chapters[0]?.publishedAt;
  const title = category === undefined ? "Agent X-Ray" : `Agent X-Ray · ${category}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">',
    "<channel>",
    element("title", title),
    element("link", `${origin}/notes`),
    element("description", "Notes on how an agent works, read from its events."),
    ...(newest === undefined ? [] : [element("lastBuildDate", rfc822(newest))]),
    `<atom:link href="${escapeXml(origin + path)}" rel="self" type="application/rss+xml"/>`,
    ...chapters.map((chapter) => itemOf(chapter, origin)),
    "</channel>",
    "</rss>",
    "",
  ].join("\n");
}

function itemOf(chapter: FeedSource["chapters"][number], origin: string): string {
  const link = `${origin}/notes/${chapter.seriesSlug}/${chapter.slug}`;
  return [
    "<item>",
    element("title", chapter.title),
    element("link", link),
    `<guid isPermaLink="true">${escapeXml(link)}</guid>`,
    ...(chapter.summary === "" ? [] : [element("description", chapter.summary)]),
    element("category", chapter.seriesName),
    element("pubDate", rfc822(chapter.publishedAt)),
    "</item>",
  ].join("\n");
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

/** Everything that XML 1.0 has no place for, not even escaped. */
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(text: string): string {
  return text.replace(NO_XML, "").replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

function rfc822(iso: string): string {
  return new Date(iso).toUTCString();
}
