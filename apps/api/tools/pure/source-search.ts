/** `source_search`: lines of the published commit that hold a text as it stands (§15.4). */
import { Type } from "typebox";
import { LIMITS } from "../../../../shared/limits";
import { type KernelTool, ToolFailure } from "../../kernel/kernel-types";
import { searchSource } from "../../stores/source-read";
import { orFail, type ToolContext } from "../tool-context";
import { type ToolMeta, toolOf } from "../tool-meta";
import { NO_SOURCE, SOURCE_FAILED, wholeLines } from "./source-text";

export const SOURCE_SEARCH: ToolMeta = {
  name: "source_search",
  label: "Search the source",
  description:
    "Finds lines of this site's published source that contain the query as it stands, letter case aside. No patterns.",
  group: "pure",
  parameters: Type.Object(
    {
      query: Type.String({ minLength: LIMITS.sourceQueryMinChars, maxLength: LIMITS.sourceQueryChars }),
      prefix: Type.Optional(
        Type.String({ maxLength: LIMITS.sourcePathChars, description: "Only files whose name begins so: apps/api/" }),
      ),
    },
    { additionalProperties: false },
  ),
  output: `Up to ${LIMITS.sourceSearchHits} lines, each as file:line: text, in the order of the files.`,
  outputNote: "Says when there are more.",
};

export function sourceSearch({ db, log }: ToolContext): KernelTool {
  return toolOf(SOURCE_SEARCH, async (params) => {
    const { query, prefix = "" } = params as { query: string; prefix?: string };
    const found = await orFail(searchSource(db, "agent_ro", query, prefix), SOURCE_FAILED, log);
    if (!found) throw new ToolFailure(NO_SOURCE);
    if (found.hits.length === 0) return { text: "No line contains that." };
    const lines = found.hits.map(({ path, line, text }) => `${path}:${line}: ${text.trim()}`);
    return {
      text: wholeLines(lines[0]!, lines.slice(1), (shown) =>
        found.more || shown + 1 < lines.length ? `There are more lines; give a longer query, or a prefix.` : null,
      ),
    };
  });
}
