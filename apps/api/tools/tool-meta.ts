/**
 * What a tool is, apart from what it does: a constant beside each tool, outside of the closure that holds a session and
 * its configuration, so that nothing of either can find its way into a text about the tool (§19). The model is told
 * name, description and parameters; the public catalogue shows all of it.
 */
import type { TSchema } from "typebox";
import type { ToolGroup } from "../../../shared/contracts/catalogue";
import type { KernelTool } from "../kernel/kernel-types";

export interface ToolMeta {
  name: string;
  label: string;
  description: string;
  group: ToolGroup;
  parameters: TSchema;
  /** What comes back, in one sentence. */
  output: string;
  /** What a reader of the output should know besides. */
  outputNote?: string;
  /** Keys of the progress it reports, in their order. */
  phases?: readonly string[];
}

/** The tool of `meta` that does `execute`. */
export function toolOf(meta: ToolMeta, execute: KernelTool["execute"]): KernelTool {
  const { name, label, description, group, parameters } = meta;
  return { name, label, description, group, parameters, execute };
}
