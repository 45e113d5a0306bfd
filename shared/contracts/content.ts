/** Contracts of the content read side: notes, site tabs and status, health (§16.2, §18, architecture §14). */
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

export const siteStatus = z.object({ demo: z.boolean(), ready: z.boolean() });
export type SiteStatus = z.infer<typeof siteStatus>;

export const siteStatusContract = contract({
  method: "GET",
  path: "/site/status",
  summary: "Whether answers come from the offline demo, and whether a question can be asked at all.",
  answer: siteStatus,
  refusals: ["internal"],
});

export const healthContract = contract({
  method: "GET",
  path: "/health",
  summary: "Answers without touching the database.",
  answer: z.object({ ok: z.literal(true) }),
  refusals: [],
});
