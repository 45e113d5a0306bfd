/** Contract of the tool catalogue: what the agent can do in general, never what is switched on or configured (§19). */
import { z } from "zod";
import { contract } from "./contract";

export const TOOL_GROUPS = ["pure", "outbound", "session", "sandbox"] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];

export const toolEntry = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string(),
  group: z.enum(TOOL_GROUPS),
  /** JSON Schema of the call's arguments. */
  parameters: z.record(z.string(), z.unknown()),
  /** What comes back, in one sentence. */
  output: z.string(),
  outputNote: z.string().optional(),
  /** Keys of the progress it reports, in their order. */
  phases: z.array(z.string()).optional(),
});
export type ToolEntry = z.infer<typeof toolEntry>;

export const toolCatalogue = z.object({ tools: z.array(toolEntry), resultBodyCharLimit: z.number().int() });
export type ToolCatalogue = z.infer<typeof toolCatalogue>;

export const toolCatalogueContract = contract({
  method: "GET",
  path: "/agent/tools",
  summary: "Every tool that the agent of this site can be given, by group. The same bytes whatever is configured.",
  answer: toolCatalogue,
  refusals: ["internal"],
});
