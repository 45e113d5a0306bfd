/** Contracts of the notes' read side (§16.2). */
import { z } from "zod";
import { contract } from "./contract";

export const slug = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/);

export const chapterCard = z.object({
  slug: z.string(),
  label: z.string(),
  title: z.string(),
  summary: z.string(),
  pinned: z.boolean(),
  wordCount: z.number().int(),
  publishedAt: z.iso.datetime(),
});
export type ChapterCard = z.infer<typeof chapterCard>;

export const seriesCard = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  /** Pinned chapters are not counted. */
  chapterCount: z.number().int(),
  latest: z.array(chapterCard),
});

export const notesIndex = z.object({
  categories: z.array(z.object({ slug: z.string(), name: z.string(), dot: z.string(), series: z.array(seriesCard) })),
});
export type NotesIndex = z.infer<typeof notesIndex>;

export const seriesView = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  category: z.object({ slug: z.string(), name: z.string(), dot: z.string() }),
  chapters: z.array(chapterCard),
});
export type SeriesView = z.infer<typeof seriesView>;

const neighbour = z.object({ slug: z.string(), title: z.string() }).nullable();
export const chapterView = chapterCard.extend({
  contentMd: z.string(),
  sourceUrl: z.string().nullable(),
  updatedAt: z.iso.datetime(),
  series: z.object({ slug: z.string(), name: z.string() }),
  previous: neighbour,
  next: neighbour,
});
export type ChapterView = z.infer<typeof chapterView>;

export const notesIndexContract = contract({
  method: "GET",
  path: "/notes/series",
  summary: "Every category with its series; each series with its three latest chapters.",
  answer: notesIndex,
  refusals: ["internal"],
});

export const seriesContract = contract({
  method: "GET",
  path: "/notes/series/:slug",
  summary: "One series with its chapters, pinned ones first.",
  params: z.object({ slug }),
  answer: seriesView,
  refusals: ["bad_request", "not_found", "internal"],
});

export const chapterContract = contract({
  method: "GET",
  path: "/notes/series/:slug/chapters/:chapter",
  summary: "One chapter in Markdown, with its neighbours.",
  params: z.object({ slug, chapter: slug }),
  answer: chapterView,
  refusals: ["bad_request", "not_found", "internal"],
});

/** Feeds are XML; the answer's type and cache are the route's (§16.2). */
export const rssContract = contract({
  method: "GET",
  path: "/rss.xml",
  summary: "RSS feed of the thirty newest chapters.",
  answer: "bytes",
  media: ["application/rss+xml"],
  refusals: ["internal"],
});

export const categoryRssContract = contract({
  method: "GET",
  path: "/rss/:file",
  summary: "RSS feed of one category's thirty newest chapters; the file is `<category>.xml`.",
  params: z.object({ file: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}\.xml$/) }),
  answer: "bytes",
  media: ["application/rss+xml"],
  refusals: ["bad_request", "not_found", "internal"],
});

export const noteAssetContract = contract({
  method: "GET",
  path: "/assets/notes/:series/:file",
  summary: "One picture of a series.",
  params: z.object({ series: slug, file: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,95}$/) }),
  answer: "bytes",
  media: ["image/png", "image/jpeg", "image/webp", "image/gif"],
  refusals: ["bad_request", "not_found", "internal"],
});
