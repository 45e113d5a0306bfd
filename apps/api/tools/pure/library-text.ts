/** Words that the notes tools share: how a chapter is named in a result, and what is said when the library fails. */
export const LIBRARY_FAILED = "The library could not be read just now.";

/** `[series/chapter] Title`: the two slugs are what `notes_get_chapter` takes. */
export function chapterMark(chapter: { series: string; slug: string; title: string }): string {
  return `[${chapter.series}/${chapter.slug}] ${chapter.title}`;
}
