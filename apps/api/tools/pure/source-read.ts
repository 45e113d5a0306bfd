/** `source_read`: numbered lines of one file of the published commit (§15.4). */
import { Type } from "typebox";
import { LIMITS } from "../../../../shared/limits";
import { linesOf } from "../../../../shared/text/lines";
import { type KernelTool, ToolFailure } from "../../kernel/kernel-types";
import { readSourceFile } from "../../stores/source-read";
import { orFail, type ToolContext } from "../tool-context";
import { type ToolMeta, toolOf } from "../tool-meta";
import { SOURCE_FAILED, shortSha, wholeLines } from "./source-text";

export const NO_SUCH_FILE =
  "There is no such file in the published source. source_list and source_search tell which there are.";
export const NO_SUCH_LINES = "The file has no such lines.";

export const SOURCE_READ: ToolMeta = {
  name: "source_read",
  label: "Read a source file",
  description:
    "Returns numbered lines of one file of this site's published source. Without a range, from the first line on.",
  group: "pure",
  // `file` and not `path`: no registered tool has a parameter of that name.
  parameters: Type.Object(
    {
      file: Type.String({
        minLength: 1,
        maxLength: LIMITS.sourcePathChars,
        description: "As source_list and source_search name it, from the root of the repository",
      }),
      startLine: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.sourceFileBytes })),
      endLine: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.sourceFileBytes })),
    },
    { additionalProperties: false },
  ),
  output: `Up to ${LIMITS.sourceReadLines} numbered lines, under a line that names the file, the commit and the range.`,
  outputNote: "Ends after a complete line and says where to go on.",
};

export function sourceRead({ db, log }: ToolContext): KernelTool {
  return toolOf(SOURCE_READ, async (params) => {
    const { file, startLine = 1, endLine } = params as { file: string; startLine?: number; endLine?: number };
    const found = await orFail(readSourceFile(db, "agent_ro", file), SOURCE_FAILED, log);
    if (!found) throw new ToolFailure(NO_SUCH_FILE);
    const lines = linesOf(found.content);
    const named = `${found.path} at ${shortSha(found.sha)}`;
    if (lines.length === 0) return { text: `${named}, empty` };

    const last = Math.min(endLine ?? lines.length, lines.length, startLine + LIMITS.sourceReadLines - 1);
    if (startLine > last) throw new ToolFailure(NO_SUCH_LINES);
    const numbered = lines.slice(startLine - 1, last).map((line, index) => `${startLine + index}\t${line}`);
    const wanted = Math.min(endLine ?? lines.length, lines.length);
    return {
      text: wholeLines(`${named}, lines ${startLine} to ${wanted} of ${lines.length}`, numbered, (shown) => {
        const next = startLine + shown;
        return next > wanted ? null : `Not all of it fits; go on with startLine ${next}.`;
      }),
    };
  });
}
