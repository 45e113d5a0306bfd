/** `notes_list_series`: what the library holds. With `series` given, also that series' chapters (§2.7). */
import { Type } from "typebox";
import { LIMITS } from "../../../../shared/limits";
import type { KernelTool } from "../../kernel/kernel-types";
import { listChapters, listSeries } from "../../stores/notes-agent";
import { orFail, type ToolContext } from "../tool-context";
import { type ToolMeta, toolOf } from "../tool-meta";
import { chapterMark, LIBRARY_FAILED } from "./library-text";

export const NOTES_LIST_SERIES: ToolMeta = {
  name: "notes_list_series",
  label: "List series",
  description:
    "Lists the series of this site's library. Give a category to see only its series, or a series to see its chapters.",
  group: "pure",
  parameters: Type.Object(
    {
      category: Type.Optional(
        Type.String({ maxLength: LIMITS.notesCategoryChars, description: "Slug or name of a category" }),
      ),
      series: Type.Optional(
        Type.String({ maxLength: LIMITS.notesReferenceChars, description: "Slug or name of a series" }),
      ),
    },
    { additionalProperties: false },
  ),
  output:
    "Series with their descriptions and numbers of chapters; with a series named, also its chapters with their summaries.",
};

export function notesListSeries({ db, log }: ToolContext): KernelTool {
  return toolOf(NOTES_LIST_SERIES, async (params) => {
    const { category, series } = params as { category?: string; series?: string };
    const found = await orFail(listSeries(db, { category, series }), LIBRARY_FAILED, log);
    if (found.rows.length === 0) return { text: "No series fits." };
    const lines = found.rows.map(
      ({ slug, name, description, chapterCount, category }) =>
        `[${slug}] ${name} — ${chapterCount} chapters, category ${category}\n${description}`,
    );
    if (found.more) lines.push("There are more series; narrow the list by category.");
    if (series === undefined) return { text: lines.join("\n\n") };

    const chapters = await orFail(listChapters(db, series), LIBRARY_FAILED, log);
    const list = chapters.rows.map((chapter) => `${chapterMark(chapter)}\n${chapter.summary}`);
    if (chapters.more) list.push("There are more chapters; notes_search finds them.");
    return { text: [...lines, ...list].join("\n\n") };
  });
}
