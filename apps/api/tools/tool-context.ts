/** What a tool may be built from. Whatever a tool does not find here it cannot reach (§2.3). */
import { type KernelLog, ToolFailure } from "../kernel/kernel-types";
import type { Database } from "../database/pool";
import type { PictureService } from "./outbound/generate-image";
import type { SearchService } from "./outbound/web-search";
import type { Sandbox } from "./sandbox/sandbox";

export interface ToolContext {
  db: Database;
  /** The one session that the tool serves; never a parameter. */
  sessionId: string;
  /** Whether the agent has named the session already. */
  titleSource: "derived" | "agent";
  /** Absent: this site has no skill to read or run. */
  sandbox?: Sandbox;
  /** Absent: this site has no service that searches. */
  search?: SearchService;
  /** Absent: this site has no service that draws. */
  pictures?: PictureService;
  log: KernelLog;
}

/** Runs a store call. When it fails, the cause goes to the log and the model reads `sentence` (§2.4). */
export async function orFail<T>(work: Promise<T>, sentence: string, log: KernelLog): Promise<T> {
  try {
    return await work;
  } catch (error) {
    log.error("a tool could not use the database", error);
    throw new ToolFailure(sentence);
  }
}
