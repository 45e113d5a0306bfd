/**
 * One call of a tool, from what the client sent to what it gets: rights, arguments, the tool itself, its result or the
 * refusal, and the audit row of a write. Never throws: whatever nobody foresaw becomes a reference that the log has too.
 */
import { randomUUID } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { DatabaseError } from "../database/database-error";
import type { Database } from "../database/pool";
import type { Log } from "../lib/log";
import type { SecretBox } from "../lib/secret-box";
import { readOnly } from "../stores/read-only";
import { StaleRevision, StoreRefusal } from "../stores/store-refusal";
import { readArguments } from "./arguments";
import type { Audit } from "./audit";
import type { Tool } from "./define-tool";
import { type PageArgs, pageOf } from "./paging";
import type { Principal } from "./tokens";
import { RETRY, type RefusalFacts, ToolRefusal } from "./tool-refusal";

export interface CallContext {
  db: Database;
  box: SecretBox;
  log: Log;
  principal: Principal;
  now: Date;
  signal: AbortSignal;
  /** Seals cursors. */
  cursorSecret: string;
  audit: Audit;
}

/** What the audit says of a call whose arguments could not be read. */
const UNREAD = "arguments refused";

export async function callTool(tool: Tool, given: unknown, context: CallContext): Promise<CallToolResult> {
  const { principal, audit } = context;
  const isWrite = tool.effect !== "read";
  const entry = { method: "tools/call", tool: tool.name, principal: principal.name };
  if (isWrite && principal.readOnly) {
    await audit({ ...entry, outcome: "denied", summary: "a read-only token" });
    return refused({ cause: "This token may only read.", retry: RETRY.never });
  }
  let summary = UNREAD;
  try {
    const args = readArguments(tool, given);
    summary = tool.summary?.(args) ?? "";
    const { box, now, signal, cursorSecret } = context;
    const db = isWrite ? context.db : readOnly(context.db);
    const page = pageOf(args as PageArgs, cursorSecret, `${principal.name}\0${tool.name}`);
    const result = tool.output.parse(await tool.run({ args, db, box, principal: principal.name, now, signal, page }));
    if (isWrite) await audit({ ...entry, outcome: "ok", summary });
    return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
  } catch (error) {
    const facts = factsOf(error, tool, context.log);
    const { cause, field, isForeignName } = facts;
    const detail = { cause, ...(field && !isForeignName && { field }) };
    if (isWrite) await audit({ ...entry, outcome: "error", summary, detail });
    return refused(facts);
  }
}

/** No structured content: a client would hold it against the output's schema, which a refusal does not have. */
function refused(facts: RefusalFacts): CallToolResult {
  const { cause, retry = RETRY.changed, isForeignName: _, ...rest } = facts;
  return { isError: true, content: [{ type: "text", text: JSON.stringify({ error: cause, ...rest, retry }) }] };
}

function factsOf(error: unknown, tool: Tool, log: Log): RefusalFacts {
  if (error instanceof ToolRefusal) return error.facts;
  if (error instanceof StoreRefusal) return factsOfStore(error);
  if (error instanceof DatabaseError && (error.code === "unavailable" || error.code === "timeout")) {
    log.error("an admin tool met a database that does not answer", error, { tool: tool.name });
    return { cause: "The database does not answer.", retry: RETRY.later };
  }
  const reference = randomUUID();
  log.error("an admin tool failed", error, { tool: tool.name, reference });
  return { cause: `internal error (ref ${reference})`, retry: "Tell the operator this reference; the log has it." };
}

/** A store's refusal in the words of a tool. */
function factsOfStore(error: StoreRefusal): RefusalFacts {
  if (error instanceof StaleRevision) {
    return {
      cause: error.message,
      field: "expectedRevision",
      ...(error.current === null ? {} : { revision: error.current }),
      retry: "Read the row again, decide anew, and send its revision.",
    };
  }
  const { field, allowed, count } = error.facts;
  const cause = error.message;
  return { cause, ...(field && { field }), ...(allowed && { allowed }), ...(count !== undefined && { count }) };
}
