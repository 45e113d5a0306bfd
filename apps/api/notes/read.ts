/** The notes' read side: the index, one series, one chapter. Public content, the same for every visitor. */
import { api } from "encore.dev/api";
import { chapterContract, notesIndexContract, seriesContract } from "../../../shared/contracts/notes";
import { publicRoute } from "../lib/public-route";
import { found } from "../lib/refusal";
import { notesIndex, readChapter, readSeries } from "../stores/notes";
import { db } from "./db";

/** GET /notes/series: every category with its series. */
export const index = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/notes/series" },
  publicRoute(notesIndexContract, async () => notesIndex(db)),
);

/** GET /notes/series/:slug: one series with its chapters. */
export const series = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/notes/series/:slug" },
  publicRoute(seriesContract, async ({ params }) => found(await readSeries(db, params.slug))),
);

/** GET /notes/series/:slug/chapters/:chapter: one chapter in Markdown. */
export const chapter = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/notes/series/:slug/chapters/:chapter" },
  publicRoute(chapterContract, async ({ params }) => found(await readChapter(db, params.slug, params.chapter))),
);
