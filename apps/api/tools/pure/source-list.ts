/** `source_list`: which files the published commit has (§15.4). */
import { Type } from "typebox";
import { LIMITS } from "../../../../shared/limits";
import { type KernelTool, ToolFailure } from "../../kernel/kernel-types";
import { listSource } from "../../stores/source-read";
import { orFail, type ToolContext } from "../tool-context";
import { type ToolMeta, toolOf } from "../tool-meta";
import { NO_SOURCE, SOURCE_FAILED, shortSha, wholeLines } from "./source-text";

export const SOURCE_LIST: ToolMeta = {
  name: "source_list",
  label: "List source files",
  description:
    "Lists the files of this site's published source. Give a prefix such as apps/api/ to see only what begins with it.",
  group: "pure",
  parameters: Type.Object(
    { prefix: Type.Optional(Type.String({ maxLength: LIMITS.sourcePathChars })) },
    { additionalProperties: false },
  ),
  output: `Up to ${LIMITS.sourceListRows} files with their numbers of lines, under a line that names the commit.`,
  outputNote: "Where not all fit, it ends with the folders that hold them.",
};

export function sourceList({ db, log }: ToolContext): KernelTool {
  return toolOf(SOURCE_LIST, async (params) => {
    const { prefix = "" } = params as { prefix?: string };
    const found = await orFail(listSource(db, "agent_ro", prefix), SOURCE_FAILED, log);
    if (!found) throw new ToolFailure(NO_SOURCE);
    const { files, sha } = found;
    if (files.length === 0) return { text: "No file begins with that." };
    const head = `Source at ${shortSha(sha)}: ${files.length} files${prefix && `, beginning with ${prefix}`}`;
    const lines = files
      .slice(0, LIMITS.sourceListRows)
      .map(({ path, lines }) => `${path} (${lines} ${lines === 1 ? "line" : "lines"})`);
    return {
      text: wholeLines(head, lines, (shown) =>
        shown === files.length ? null : `${shown} of ${files.length} are listed. ${wayOn(files, prefix)}`,
      ),
    };
  });
}

/** How to see the rest: the next folders below `prefix` with their numbers of files, the fullest first. */
function wayOn(files: readonly { path: string }[], prefix: string): string {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.slice(0, path.indexOf("/", prefix.length) + 1);
    if (folder !== "") counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const fullest = [...counts].sort(([, a], [, b]) => b - a).map(([folder, count]) => `${folder} (${count})`);
  const named: string[] = [];
  for (const each of fullest) {
    if ([...named, each].join(", ").length > FOLDERS_CHARS) break;
    named.push(each);
  }
  return named.length === 0 ? "Give a longer prefix." : `Give one of these as prefix: ${named.join(", ")}.`;
}

/** Of the note that names them; it must stay below what `wholeLines` keeps free. */
const FOLDERS_CHARS = 500;
