/** The feeds of the notes: RSS 2.0 of the newest chapters, of all categories or of one (§16.2). */
import { api } from "encore.dev/api";
import { categoryRssContract, rssContract } from "../../../shared/contracts/notes";
import { LIMITS } from "../../../shared/limits";
import { siteOrigin } from "../lib/env";
import { publicRoute } from "../lib/public-route";
import { found } from "../lib/refusal";
import type { BytesAnswer } from "../lib/send-bytes";
import { type FeedSource, newestChapters } from "../stores/notes-feed";
import { db } from "./db";
import { rssText } from "./rss-text";

/** GET /rss.xml: the newest chapters. */
export const rss = api.raw(
  { expose: true, sensitive: true, method: ["GET", "HEAD"], path: "/rss.xml" },
  publicRoute(rssContract, async () => feedOf(found(await newestChapters(db)), "/rss.xml")),
);

/** GET /rss/:file: the newest chapters of the category that the file is named after. */
export const categoryRss = api.raw(
  { expose: true, sensitive: true, method: ["GET", "HEAD"], path: "/rss/:file" },
  publicRoute(categoryRssContract, async ({ params }) => {
    const source = found(await newestChapters(db, params.file.slice(0, -".xml".length)));
    return feedOf(source, `/rss/${params.file}`);
  }),
);

function feedOf(source: FeedSource, path: string): BytesAnswer {
  return {
    type: "application/rss+xml; charset=utf-8",
    bytes: Buffer.from(rssText(source, siteOrigin(), path)),
    cacheSeconds: LIMITS.feedCacheSeconds,
  };
}
