/**
 * The tools that exist (§2.2). A tool is an implementation in this table; the database can only switch one of them on
 * or off. There is no tool that runs commands, opens files or takes an address, and no row can bring one about.
 */
import type { KernelTool } from "../kernel/kernel-types";
import { generateImage } from "./outbound/generate-image";
import { webSearch } from "./outbound/web-search";
import { notesGetChapter } from "./pure/notes-get-chapter";
import { notesListSeries } from "./pure/notes-list-series";
import { notesSearch } from "./pure/notes-search";
import { skillLoad } from "./pure/skill-load";
import { skillRun } from "./sandbox/skill-run";
import { sourceList } from "./pure/source-list";
import { sourceRead } from "./pure/source-read";
import { sourceSearch } from "./pure/source-search";
import { sessionRename } from "./session/session-rename";
import type { ToolContext } from "./tool-context";

/** Name to factory, in the order in which the model is told of them. A factory may decline a session with null. */
export const TOOL_FACTORIES: Readonly<Record<string, (context: ToolContext) => KernelTool | null>> = {
  notes_list_series: notesListSeries,
  notes_get_chapter: notesGetChapter,
  notes_search: notesSearch,
  source_list: sourceList,
  source_read: sourceRead,
  source_search: sourceSearch,
  web_search: webSearch,
  generate_image: generateImage,
  session_rename: sessionRename,
  skill_load: skillLoad,
  skill_run: skillRun,
};

/** Dangerous whatever the database says: a stolen admin token may switch them, and still cannot let them run. */
export const DANGEROUS_TOOLS: ReadonlySet<string> = new Set(["skill_run"]);

export interface BuildToolsInput extends ToolContext {
  /** The switched-on rows of the configuration. `dangerous` can add a tool to the gate, never take one out. */
  enabled: ReadonlyMap<string, { dangerous: boolean }>;
  /** Whether the server's own environment allows dangerous tools; read at registration, outside of this folder. */
  unlockDangerous: boolean;
}

/** The tools of one session. Whatever is left out is left out silently for the model and with a line in the log. */
export function buildTools({ enabled, unlockDangerous, ...context }: BuildToolsInput): KernelTool[] {
  for (const name of enabled.keys()) {
    if (!Object.hasOwn(TOOL_FACTORIES, name))
      context.log.info("a switched-on tool has no implementation", { tool: name });
  }
  return Object.entries(TOOL_FACTORIES).flatMap(([name, build]) => {
    const row = enabled.get(name);
    if (!row) return [];
    if ((row.dangerous || DANGEROUS_TOOLS.has(name)) && !unlockDangerous) {
      context.log.info("a dangerous tool stays locked", { tool: name });
      return [];
    }
    return build(context) ?? [];
  });
}
