/** The audit as its owner reads it (§21.2). Nothing here can change or remove a row; retention does, after a year. */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import { AUDIT_OUTCOMES, listAudit } from "../../stores/mcp-audit";
import { defineTool } from "../define-tool";
import { pageInput, pageOutput } from "../paging";

const row = z.object({
  at: z.string(),
  outcome: z.enum(AUDIT_OUTCOMES),
  method: z.string(),
  tool: z.string().nullable(),
  principal: z.string().nullable(),
  summary: z.string(),
  remote: z.string(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullable(),
});

const list = defineTool({
  name: "audit_list",
  title: "Read the audit",
  description:
    "Writes, refused writes and refused attempts to get in, newest first: rows (at, outcome ok|error|denied, method, tool, principal: the token's name, summary, remote: the caller's address, detail), total, nextCursor.",
  effect: "read",
  input: z.strictObject({
    outcome: z.enum(AUDIT_OUTCOMES).optional(),
    tool: z.string().max(LIMITS.mcpAuditNameChars).optional().describe("Only rows of this tool."),
    principal: z.string().max(LIMITS.mcpPrincipalChars).optional().describe("Only rows of the token of this name."),
    ...pageInput,
  }),
  output: z.object({ rows: z.array(row), ...pageOutput }),
  async run({ db, args, page }) {
    const before = page.after === undefined ? undefined : Number(page.after);
    const { rows, total } = await listAudit(db, args, page.limit + 1, before);
    const shown = page.within(rows.slice(0, page.limit));
    return {
      rows: shown,
      total,
      ...(rows.length > shown.length && { nextCursor: page.cursorAfter(`${shown.at(-1)!.id}`) }),
    };
  },
});

export const auditTools = [list];
