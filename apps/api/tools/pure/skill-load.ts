/** `skill_load`: the instructions of a skill, from the manifest that is compiled in (§13.2). No file, no query. */
import { Type } from "typebox";
import { LIMITS } from "../../../../shared/limits";
import { type KernelTool, ToolFailure } from "../../kernel/kernel-types";
import type { ToolContext } from "../tool-context";
import { type ToolMeta, toolOf } from "../tool-meta";

export const NO_SUCH_SKILL = "There is no such skill. The catalogue names those there are.";

export const SKILL_LOAD: ToolMeta = {
  name: "skill_load",
  label: "Read a skill",
  description:
    "Returns the instructions of one skill of the catalogue as Markdown. Read them before you run its scripts.",
  group: "pure",
  parameters: Type.Object(
    { name: Type.String({ minLength: 1, maxLength: LIMITS.skillNameChars }) },
    { additionalProperties: false },
  ),
  output: "The text of the skill's SKILL.md as it was released with this version of the site.",
};

/** Not offered while there is no skill to read. */
export function skillLoad({ sandbox, log }: ToolContext): KernelTool | null {
  if (!sandbox || sandbox.skills.length === 0) {
    log.info("a switched-on tool has no skill that it could use", { tool: SKILL_LOAD.name });
    return null;
  }
  const texts = new Map(sandbox.skills.map(({ name, skillMd }) => [name, skillMd]));
  return toolOf(SKILL_LOAD, async (params) => {
    const text = texts.get((params as { name: string }).name);
    if (text === undefined) throw new ToolFailure(NO_SUCH_SKILL);
    return { text };
  });
}
