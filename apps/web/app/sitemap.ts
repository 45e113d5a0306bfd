/** Every page that is shown: the tabs, and the texts under them. Files of the source are reached from its first page. */
import type { MetadataRoute } from "next";
import { isHere, readNotesIndex, readSeries, readSkillsIndex } from "../lib/api";
import { siteOrigin } from "../lib/site-origin";
import { shownTabs } from "../lib/site-tabs";

/** The pages change while the site runs. */
export const dynamic = "force-dynamic";

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const origin = siteOrigin();
  const tabs = await shownTabs();
  const shows = (key: string) => tabs.some((tab) => tab.key === key);
  const [notes, skills] = await Promise.all([shows("notes") ? notesPages() : [], shows("skills") ? skillPages() : []]);
  const pages = [...tabs.map(({ href }) => ({ path: href })), ...notes, ...skills];
  return pages.map(({ path, ...facts }) => ({ url: new URL(path, origin).href, ...facts }));
}

interface Page {
  path: string;
  lastModified?: string;
}

async function notesPages(): Promise<Page[]> {
  const index = await readNotesIndex();
  if (!isHere(index)) return [];
  const slugs = index.categories.flatMap(({ series }) => series.map(({ slug }) => slug));
  const all = await Promise.all(slugs.map(readSeries));
  return all
    .filter(isHere)
    .flatMap(({ slug, chapters }) => [
      { path: `/notes/${slug}` },
      ...chapters.map((chapter) => ({ path: `/notes/${slug}/${chapter.slug}`, lastModified: chapter.publishedAt })),
    ]);
}

async function skillPages(): Promise<Page[]> {
  const index = await readSkillsIndex();
  if (!isHere(index)) return [];
  return index.categories.flatMap(({ skills }) =>
    skills.map(({ name, updatedAt }) => ({ path: `/skills/${name}`, lastModified: updatedAt })),
  );
}
