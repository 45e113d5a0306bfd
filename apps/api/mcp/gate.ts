/**
 * Who gets in (§21.1). A request with an `Origin` comes from a page, and no page is a client here: refused before its
 * token is looked at, so that a rebound name cannot even guess. Every other failure is one and the same answer.
 */
import { setTimeout as wait } from "node:timers/promises";
import { LIMITS } from "../../../shared/limits";
import type { Database } from "../database/pool";
import { addressBlock, clientAddress } from "../lib/client-address";
import type { Log } from "../lib/log";
import type { SecretBox } from "../lib/secret-box";
import { auditFor } from "./audit";
import type { Failures } from "./failures";
import { type Gate, type HttpAnswer, rpcError } from "./serve";
import { parseTokenHashes, principalOf, type TokenHash } from "./tokens";

export interface GateParts {
  db: Database;
  box: SecretBox;
  log: Log;
  cursorSecret: string;
  tokens: readonly TokenHash[];
  failures: Failures;
}

const UNAUTHORIZED = rpcError(401, -32001, "unauthorized", { "www-authenticate": "Bearer" });
const FOREIGN = rpcError(403, -32001, "Requests of web pages are refused.");

export function gateOf({ tokens, failures, ...parts }: GateParts): Gate {
  let delayed = 0;
  return async (request) => {
    const remote = clientAddress(request.headers);
    const audit = auditFor(parts.db, parts.log, remote);
    if (request.headers.origin !== undefined) return refuse(FOREIGN, "a request of a web page");
    const principal = principalOf(request.headers.authorization, tokens);
    if (principal === undefined) return refuse(UNAUTHORIZED, "no valid token");
    return { ...parts, principal, audit };

    async function refuse(answer: HttpAnswer, what: string): Promise<HttpAnswer> {
      const { delayMs, audit: attempts } = failures.add(addressBlock(remote), Date.now());
      if (attempts !== undefined) {
        const summary = attempts === 1 ? what : `${what}, ${attempts} attempts`;
        await audit({ outcome: "denied", method: "http", summary, detail: { attempts } });
      }
      // Only so many wait at a time: a flood must not hold connections for us.
      if (delayMs > 0 && delayed < LIMITS.mcpDelayedAnswers) {
        delayed += 1;
        await wait(delayMs);
        delayed -= 1;
      }
      return answer;
    }
  };
}

/** The configured tokens; none, with a log line, when the list is missing or cannot be read. */
export function configuredTokens(read: () => string, log: Log): TokenHash[] {
  try {
    return parseTokenHashes(read());
  } catch {
    log.error("the admin endpoint admits nobody: MCP_AUTH_TOKEN_HASH is missing or malformed");
    return [];
  }
}
