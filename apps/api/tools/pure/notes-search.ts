/** `notes_search`: chapters that contain a text literally, each with the place where it stands (§2.7). */
import { Type } from "typebox";
import { LIMITS } from "../../../../shared/limits";
import type { KernelTool } from "../../kernel/kernel-types";
import { searchNotes } from "../../stores/notes-agent";
import { orFail, type ToolContext } from "../tool-context";
import { type ToolMeta, toolOf } from "../tool-meta";
import { chapterMark, LIBRARY_FAILED } from "./library-text";

export const NOTES_SEARCH: ToolMeta = {
  name: "notes_search",
  label: "Search the library",
  description:
    "Finds chapters of this site's library that contain the query as it stands, letter case aside. Short queries find more.",
  group: "pure",
  parameters: Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: LIMITS.notesSearchQueryChars }),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: LIMITS.notesSearchResults, default: LIMITS.notesSearchResultsDefault }),
      ),
    },
    { additionalProperties: false },
  ),
  output: "Chapters, each with the place where the query stands; those with it in the title come first.",
};

export function notesSearch({ db, log }: ToolContext): KernelTool {
  return toolOf(NOTES_SEARCH, async (params) => {
    const { query, limit = LIMITS.notesSearchResultsDefault } = params as { query: string; limit?: number };
    const found = await orFail(searchNotes(db, query, limit), LIBRARY_FAILED, log);
    if (found.rows.length === 0) return { text: "No chapter contains that." };
    const hits = found.rows.map((hit) => `${chapterMark(hit)}\n${hit.snippet}`);
    if (found.more) hits.push("There are more hits; ask for a higher limit or a longer query.");
    return { text: hits.join("\n\n") };
  });
}
