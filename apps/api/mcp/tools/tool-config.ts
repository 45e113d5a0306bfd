/** Switches of the agent's tools. The code decides what exists and what stays dangerous; a row only switches (§2.2). */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import { isSwitchedOn } from "../../lib/env";
import type { Revised } from "../../stores/revision";
import { listToolSwitches, type ToolSwitch, writeToolSwitch } from "../../stores/tool-config";
import { DANGEROUS_TOOLS, TOOL_FACTORIES } from "../../tools/registry";
import { changed, defineTool, expectedRevision, revision } from "../define-tool";
import { pageInput, pageOutput } from "../paging";
import { unknownName } from "../tool-refusal";

const row = z.object({
  name: z.string(),
  enabled: z.boolean(),
  dangerous: z.boolean().describe("Runs only where the server's environment unlocks dangerous tools too."),
  note: z.string().nullable(),
  state: z.enum(["on", "off", "locked", "not_built"]),
  revision,
});

const list = defineTool({
  name: "tool_config_list",
  title: "List the agent's tools",
  description:
    "The agent's tools and their switches: name, enabled, dangerous, note, revision, and state: on, off, locked (dangerous and not unlocked by the server's environment), not_built (a row without an implementation).",
  effect: "read",
  input: z.strictObject({ ...pageInput }),
  output: z.object({ tools: z.array(row), ...pageOutput }),
  async run({ db, page }) {
    const { rows: tools, ...rest } = page((await listToolSwitches(db)).map(viewOf), ({ name }) => name);
    return { tools, ...rest };
  },
});

const set = defineTool({
  name: "tool_config_set",
  title: "Switch a tool of the agent",
  description:
    "Switches one tool on or off, from the next message of each visitor on. `dangerous` and `note` stay when absent; a null note is removed. Returns tool (as tool_config_list gives it) and changed.",
  effect: "set",
  input: z.strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,63}$/)
      .describe("As tool_config_list gives it."),
    enabled: z.boolean(),
    dangerous: z.boolean().optional(),
    note: z.string().max(LIMITS.toolNoteChars).nullable().optional(),
    expectedRevision,
  }),
  output: z.object({ tool: row, changed }),
  summary: ({ name, enabled }) => `${name} ${enabled ? "on" : "off"}`,
  async run({ db, args }) {
    const known = [...new Set([...Object.keys(TOOL_FACTORIES), ...(await listToolSwitches(db)).map((it) => it.name)])];
    if (!known.includes(args.name)) throw unknownName("name", "tool", known.sort());
    const written = await writeToolSwitch(db, args);
    return { tool: viewOf(written.row), changed: written.changed };
  },
});

export const toolConfigTools = [list, set];

/** A switch as it is shown. */
export function viewOf(it: Revised<ToolSwitch>): z.input<typeof row> {
  const dangerous = it.dangerous || DANGEROUS_TOOLS.has(it.name);
  return { ...it, dangerous, state: stateOf({ ...it, dangerous }) };
}

function stateOf({ name, enabled, dangerous }: ToolSwitch): "on" | "off" | "locked" | "not_built" {
  if (!Object.hasOwn(TOOL_FACTORIES, name)) return "not_built";
  if (!enabled) return "off";
  return dangerous && !isSwitchedOn("XRAY_UNLOCK_DANGEROUS_TOOLS") ? "locked" : "on";
}
