/**
 * The pages' read side, on the server only: content that is nobody's own. What belongs to a visitor is fetched by the
 * browser, so that the sliding cookie reaches it.
 */
import type { ChapterView, NotesIndex, SeriesView } from "../../../shared/contracts/notes";
import type { SiteStatus } from "../../../shared/contracts/site";

/** `null`: the API says there is no such thing. "down": it does not answer, or not in the way agreed. */
export type Content<T> = T | null | "down";

export const readStatus = () => read<SiteStatus>("/site/status");
export const readNotesIndex = () => read<NotesIndex>("/notes/series");
export const readSeries = (slug: string) => read<SeriesView>(`/notes/series/${encodeURIComponent(slug)}`);
export const readChapter = (slug: string, chapter: string) =>
  read<ChapterView>(`/notes/series/${encodeURIComponent(slug)}/chapters/${encodeURIComponent(chapter)}`);

async function read<T>(path: string): Promise<Content<T>> {
  try {
    const response = await fetch(process.env.API_INTERNAL_URL + path, { cache: "no-store" });
    // A slug that cannot exist is a bad request to the API and a missing page to a reader.
    if (response.status === 404 || response.status === 400) return null;
    if (!response.ok) return "down";
    return (await response.json()) as T;
  } catch {
    return "down";
  }
}
