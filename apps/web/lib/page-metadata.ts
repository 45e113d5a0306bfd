/// <reference types="next/image-types/global" />
/**
 * What a page says of itself to whoever links to it: its title and description, its one address, a card for other
 * sites with our own picture, and the feeds that belong to it. One address serves both languages.
 */
import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import picture from "../app/link-preview.png";
import { siteOrigin } from "./site-origin";

export interface PageFacts {
  /** Path of the page, without its query. */
  path: string;
  /** Absent: the site's own. */
  title?: string;
  description?: string;
  /** When a text was published; makes the page an article. */
  publishedAt?: string;
  feeds?: readonly { url: string; title: string }[];
}

export async function pageMetadata(facts: PageFacts): Promise<Metadata> {
  const [t, language] = await Promise.all([getTranslations("shell"), getLocale()]);
  const { path, title = t("title"), description = t("description"), publishedAt, feeds } = facts;
  return {
    metadataBase: siteOrigin(),
    ...(facts.title !== undefined && { title }),
    description,
    alternates: { canonical: path, ...(feeds && { types: { "application/rss+xml": [...feeds] } }) },
    openGraph: {
      ...(publishedAt === undefined ? { type: "website" } : { type: "article", publishedTime: publishedAt }),
      title,
      description,
      url: path,
      siteName: "Agent X-Ray",
      locale: language === "zh" ? "zh_CN" : "en_GB",
      images: [{ url: picture.src, width: picture.width, height: picture.height, alt: t("title") }],
    },
    twitter: { card: "summary_large_image" },
  };
}
