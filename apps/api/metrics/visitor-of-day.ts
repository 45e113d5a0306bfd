/**
 * Turns who is calling into what may be kept of it (§22.1). The caller's address and User-Agent are read in this one
 * function and end with it: neither is returned, stored or logged.
 */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { addressBlock, clientAddress } from "../lib/client-address";
import { type AgentFamily, agentFamily } from "./agent-family";

export interface VisitorOfDay {
  /** 32 hex digits; the same network and family on another day, or under another salt, give others. */
  visitor: string;
  ua: AgentFamily;
}

/** `day` is `YYYY-MM-DD`; `salt` is not empty. */
export function visitorOfDay(headers: IncomingHttpHeaders, day: string, salt: string): VisitorOfDay {
  const ua = agentFamily(headers["user-agent"] ?? "");
  const who = [salt, day, addressBlock(clientAddress(headers)), ua].join("\n");
  return { visitor: createHash("sha256").update(who).digest("hex").slice(0, 32), ua };
}
