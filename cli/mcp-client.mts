/**
 * The admin endpoint as this machine's own commands use it: one call of a tool is one request. Whatever goes wrong is a
 * `Refusal`: one sentence, and what the site says to do next. What a site answers is text of somebody else's, so it is
 * shown on one line and without control characters.
 */
import { LIMITS } from "../shared/limits.ts";
import { oneLine } from "../shared/text/clean.ts";
import type { Paths } from "./paths.mts";
import { Refusal } from "./refusal.mts";
import { readRunning } from "./running.mts";
import { localToken } from "./tokens.mts";

const REVISION = "2026-07-28";

/** The site is of a version that does not have the tool. */
export class MissingTool extends Refusal {}

export interface AdminSite {
  /** The tool's result. Throws a `Refusal` when it was refused, a `MissingTool` when there is none of that name. */
  call<Result>(tool: string, args: Record<string, unknown>): Promise<Result>;
  /** Every row of a tool that lists by pages; `field` is what its answers call the rows. */
  list<Row>(tool: string, field: string, args?: Record<string, unknown>): Promise<Row[]>;
}

/**
 * The site that commands speak to: the one that runs here, by this machine's own token; or the one that `XRAY_MCP_URL`
 * names, by `XRAY_MCP_TOKEN`. That token counts here too, where it is set; the local one goes nowhere else.
 */
export function adminSite(paths: Paths, env: NodeJS.ProcessEnv = process.env): AdminSite {
  const named = env.XRAY_MCP_URL || undefined;
  const running = readRunning(paths.running);
  const url = named ?? (running?.apiUrl ? `${running.apiUrl}/mcp` : undefined);
  if (url === undefined) {
    throw new Refusal("No site runs here.", "Start it with ./xray up, or name another in XRAY_MCP_URL.");
  }
  const token = env.XRAY_MCP_TOKEN || (named === undefined ? localToken(paths) : undefined);
  if (token === undefined) {
    throw new Refusal(
      "There is no token for that site.",
      "Mint one there with ./xray token; set XRAY_MCP_TOKEN to it.",
    );
  }
  return connect(url, token);
}

/** `url` is the endpoint itself. Sends nothing yet. A token is sent over https, or within this machine. */
export function connect(url: string, token: string): AdminSite {
  refuseOpenWire(url);
  const call: AdminSite["call"] = async <Result,>(tool: string, args: Record<string, unknown>) =>
    resultOf(await post(url, token, tool, args), tool) as Result;
  return {
    call,
    async list<Row>(tool: string, field: string, args: Record<string, unknown> = {}) {
      const rows: Row[] = [];
      let cursor: string | undefined;
      do {
        const page = { ...args, limit: LIMITS.mcpPageRows, ...(cursor !== undefined && { cursor }) };
        const answer = await call<Record<string, Row[]> & { nextCursor?: string }>(tool, page);
        rows.push(...answer[field]!);
        cursor = answer.nextCursor;
      } while (cursor !== undefined);
      return rows;
    },
  };
}

function refuseOpenWire(url: string): void {
  const { protocol, hostname, username } = URL.canParse(url) ? new URL(url) : new URL("none:");
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (username === "" && (protocol === "https:" || (protocol === "http:" && isLocal))) return;
  throw new Refusal(
    "The address of the admin endpoint is https, or http on this machine.",
    "It looks like https://example.org/api/mcp",
  );
}

async function post(url: string, token: string, tool: string, args: object): Promise<unknown> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "agent-x-ray-cli", version: "1" },
  };
  const params = { _meta: meta, name: tool, arguments: args };
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": REVISION,
        "mcp-method": "tools/call",
        "mcp-name": tool,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      // A token must not follow to where somebody else points.
      redirect: "error",
      signal: AbortSignal.timeout(LIMITS.adminAnswerMs),
    });
    text = await response.text();
  } catch {
    throw new Refusal(`The site does not answer at ${url}.`, "See that it runs, then run this again.");
  }
  if (response.status === 401 || response.status === 403) {
    throw new Refusal("The site does not accept the token.", "Mint one there with ./xray token.");
  }
  const body = text.length > LIMITS.adminAnswerBytes ? undefined : parsed(text);
  if (typeof body === "object" && body !== null) return body;
  throw new Refusal(`The site answered ${tool} with ${response.status} and nothing readable.`);
}

interface Answer {
  error?: { code?: unknown; message?: unknown };
  result?: { isError?: boolean; content?: { text?: unknown }[]; structuredContent?: unknown };
}

function resultOf(body: unknown, tool: string): unknown {
  const { error, result } = body as Answer;
  // A server without tools does not know the method; one with others does not know the name among its arguments.
  if (error?.code === -32601 || error?.code === -32602) throw new MissingTool(`The site has no tool ${tool}.`);
  if (error || !result) throw new Refusal(`The site failed at ${tool}: ${shown(error?.message)}`);
  if (!result.isError) return result.structuredContent;
  const facts = parsed(String(result.content?.[0]?.text)) as Record<string, unknown> | undefined;
  const field = typeof facts?.field === "string" ? ` (${shown(facts.field)})` : "";
  throw new Refusal(`${tool} was refused${field}: ${shown(facts?.error)}`, shown(facts?.retry, ""));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shown(text: unknown, otherwise = "it did not say why."): string {
  return typeof text === "string" ? oneLine(text).slice(0, LIMITS.logMessageChars) : otherwise;
}
