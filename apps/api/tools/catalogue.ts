/**
 * The catalogue of tools (§19): all that exist, whether or not one is switched on, configured or unlocked. It is made of
 * constants alone, so it is the same bytes on every site of this version.
 */
import { TOOL_GROUPS, type ToolCatalogue, type ToolEntry } from "../../../shared/contracts/catalogue";
import { LIMITS } from "../../../shared/limits";
import { GENERATE_IMAGE } from "./outbound/generate-image";
import { WEB_SEARCH } from "./outbound/web-search";
import { NOTES_GET_CHAPTER } from "./pure/notes-get-chapter";
import { NOTES_LIST_SERIES } from "./pure/notes-list-series";
import { NOTES_SEARCH } from "./pure/notes-search";
import { SOURCE_LIST } from "./pure/source-list";
import { SOURCE_READ } from "./pure/source-read";
import { SOURCE_SEARCH } from "./pure/source-search";
import { SKILL_LOAD } from "./pure/skill-load";
import { SKILL_RUN } from "./sandbox/skill-run";
import { SESSION_RENAME } from "./session/session-rename";
import type { ToolMeta } from "./tool-meta";

/** One a tool, in the order of the registry. */
export const TOOL_METAS: readonly ToolMeta[] = [
  NOTES_LIST_SERIES,
  NOTES_GET_CHAPTER,
  NOTES_SEARCH,
  SOURCE_LIST,
  SOURCE_READ,
  SOURCE_SEARCH,
  WEB_SEARCH,
  GENERATE_IMAGE,
  SESSION_RENAME,
  SKILL_LOAD,
  SKILL_RUN,
];

/** Every tool, group by group. */
export function toolCatalogue(): ToolCatalogue {
  return {
    tools: TOOL_GROUPS.flatMap((group) => TOOL_METAS.filter((meta) => meta.group === group).map(entryOf)),
    resultBodyCharLimit: LIMITS.toolResultChars,
  };
}

/** Each field by its name: whatever else a constant may come to hold stays here. */
function entryOf(meta: ToolMeta): ToolEntry {
  return {
    name: meta.name,
    label: meta.label,
    description: meta.description,
    group: meta.group,
    parameters: JSON.parse(JSON.stringify(meta.parameters)) as Record<string, unknown>,
    output: meta.output,
    ...(meta.outputNote !== undefined && { outputNote: meta.outputNote }),
    ...(meta.phases !== undefined && { phases: [...meta.phases] }),
  };
}
