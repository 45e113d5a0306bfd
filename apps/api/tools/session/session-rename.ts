/**
 * `session_rename`: names the session that the tool was built for, once (§7). There is no parameter for a session, so
 * naming another visitor's cannot be expressed.
 */
import { Type } from "typebox";
import { LIMITS } from "../../../../shared/limits";
import { cleanTitle } from "../../../../shared/text/clean";
import { type KernelTool, ToolFailure } from "../../kernel/kernel-types";
import { renameSession } from "../../stores/session-title";
import { orFail, type ToolContext } from "../tool-context";
import { type ToolMeta, toolOf } from "../tool-meta";

export const TITLE_UNREADABLE = "A title needs at least one letter or digit.";
export const TITLE_TAKEN = "This session has been named already.";
export const TITLE_NOT_STORED = "The title could not be stored just now.";

export const SESSION_RENAME: ToolMeta = {
  name: "session_rename",
  label: "Name this session",
  description: "Names this conversation in the visitor's list of sessions. It can be done once.",
  group: "session",
  parameters: Type.Object(
    { title: Type.String({ minLength: 1, maxLength: LIMITS.renameTitleChars }) },
    { additionalProperties: false },
  ),
  output: "The title as it was stored.",
};

/** Null for a session that the agent has named before: then there is nothing to offer. */
export function sessionRename({ db, sessionId, titleSource, log }: ToolContext): KernelTool | null {
  if (titleSource === "agent") return null;
  return toolOf(SESSION_RENAME, async (params) => {
    const title = cleanTitle((params as { title: string }).title);
    if (title === null) throw new ToolFailure(TITLE_UNREADABLE);
    const renamed = await orFail(renameSession(db, sessionId, title), TITLE_NOT_STORED, log);
    if (!renamed) throw new ToolFailure(TITLE_TAKEN);
    return { text: `The session is now called: ${title}` };
  });
}
