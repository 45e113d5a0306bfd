/**
 * The pages' read side, on the server only: content that is nobody's own. What belongs to a visitor is fetched by the
 * browser, so that the sliding cookie reaches it. Each address is asked once for a page, however many parts need it.
 */
import { cache } from "react";
import type { AboutView } from "../../../shared/contracts/about";
import type { ChapterView, NotesIndex, SeriesView } from "../../../shared/contracts/notes";
import type { SiteStatus, SiteTabs } from "../../../shared/contracts/site";
import type { SkillsIndex, SkillView } from "../../../shared/contracts/skills";
import type { SourceFile, SourceHits, SourceIndex } from "../../../shared/contracts/source";
import { LIMITS } from "../../../shared/limits";

/** `null`: the API says there is no such thing. "down": it does not answer, or not in the way agreed. */
export type Content<T> = T | null | "down";

export const readStatus = () => read<SiteStatus>("/site/status");
export const readTabs = () => read<SiteTabs>("/site/tabs");
export const readNotesIndex = () => read<NotesIndex>("/notes/series");
export const readSeries = (slug: string) => read<SeriesView>(`/notes/series/${encodeURIComponent(slug)}`);
export const readChapter = (slug: string, chapter: string) =>
  read<ChapterView>(`/notes/series/${encodeURIComponent(slug)}/chapters/${encodeURIComponent(chapter)}`);
export const readSkillsIndex = () => read<SkillsIndex>("/skills");
export const readSkill = (name: string) => read<SkillView>(`/skills/${encodeURIComponent(name)}`);
export const readSourceIndex = () => read<SourceIndex>("/source");
export const readSourceFile = (path: string) => read<SourceFile>(`/source/file?${new URLSearchParams({ path })}`);
export const searchSource = (query: string) => read<SourceHits>(`/source/search?${new URLSearchParams({ query })}`);
export const readAbout = () => read<AboutView>("/about");

/** Whether there is something to show: neither missing nor out of reach. */
export function isHere<T>(content: Content<T>): content is T {
  return content !== null && content !== "down";
}

const read = cache(async (path: string): Promise<unknown> => {
  try {
    const response = await fetch(process.env.API_INTERNAL_URL + path, {
      cache: "no-store",
      signal: AbortSignal.timeout(LIMITS.contentAnswerMs),
    });
    // A name that cannot exist is a bad request to the API and a missing page to a reader.
    if (response.status === 404 || response.status === 400) return null;
    if (!response.ok) return "down";
    return await response.json();
  } catch {
    return "down";
  }
}) as <T>(path: string) => Promise<Content<T>>;
