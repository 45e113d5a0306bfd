/** `notes_get_chapter`: the Markdown of one chapter (§2.7). The kernel cuts it to the length of a tool result. */
import { Type } from "typebox";
import { LIMITS } from "../../../../shared/limits";
import { type KernelTool, ToolFailure } from "../../kernel/kernel-types";
import { getChapter } from "../../stores/notes-agent";
import { orFail, type ToolContext } from "../tool-context";
import { type ToolMeta, toolOf } from "../tool-meta";
import { chapterMark, LIBRARY_FAILED } from "./library-text";

export const NO_SUCH_CHAPTER = "There is no such chapter. notes_search and notes_list_series tell which there are.";

export const NOTES_GET_CHAPTER: ToolMeta = {
  name: "notes_get_chapter",
  label: "Read a chapter",
  description: "Returns one chapter of this site's library as Markdown. Series and chapter are slugs or exact titles.",
  group: "pure",
  parameters: Type.Object(
    {
      series: Type.String({ minLength: 1, maxLength: LIMITS.notesReferenceChars }),
      chapter: Type.String({ minLength: 1, maxLength: LIMITS.notesReferenceChars }),
    },
    { additionalProperties: false },
  ),
  output: "The chapter in Markdown, under a line with its slugs and title and a line with its address on this site.",
};

export function notesGetChapter({ db, log }: ToolContext): KernelTool {
  return toolOf(NOTES_GET_CHAPTER, async (params) => {
    const { series, chapter } = params as { series: string; chapter: string };
    const found = await orFail(getChapter(db, series, chapter), LIBRARY_FAILED, log);
    if (!found) throw new ToolFailure(NO_SUCH_CHAPTER);
    return { text: `${chapterMark(found)}\n/notes/${found.series}/${found.slug}\n\n${found.contentMd}` };
  });
}
