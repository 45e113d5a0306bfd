/**
 * The admin endpoint for tests: a site with three tokens (one may only read), and requests of both eras as a client sends
 * them, byte for byte. What is not said is as it should be, so that a test names only what it is about.
 */
import { createHash, randomBytes } from "node:crypto";
import { type Site, type SiteOptions, startSite } from "./site.mts";

export const MODERN = "2026-07-28";
export const LEGACY = ["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;

export interface McpSite extends Site {
  /** Plain tokens; `owner` and `second` may do everything. */
  tokens: { owner: string; second: string; reader: string };
  mcp: McpClient;
  /** Rows of the audit, oldest first. */
  audit(): Promise<AuditLine[]>;
}
export interface AuditLine {
  outcome: string;
  method: string;
  tool: string | null;
  principal: string | null;
  summary: string;
  remote: string;
  detail: Record<string, unknown> | null;
}

export async function startMcpSite(options: SiteOptions = {}): Promise<McpSite> {
  const tokens = { owner: mintToken(), second: mintToken(), reader: mintToken() };
  const hashes = `owner:${hashOf(tokens.owner)},second:${hashOf(tokens.second)},reader:${hashOf(tokens.reader)}:ro`;
  const site = await startSite({ ...options, env: { MCP_AUTH_TOKEN_HASH: hashes, ...options.env } });
  return Object.assign(site, {
    tokens,
    mcp: new McpClient(() => `${site.app.url}/mcp`, tokens.owner),
    audit: () =>
      site.sql(
        "SELECT outcome, method, tool, principal, summary, remote, detail FROM mcp_audit ORDER BY id",
      ) as Promise<AuditLine[]>,
  });
}

export function mintToken(): string {
  return `xray_${randomBytes(32).toString("base64url")}`;
}
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export interface Wire {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test compares whatever came over the wire.
  body: any;
}
export interface Sent {
  /** Replaces or, with null, leaves out a header. */
  headers?: Record<string, string | null>;
  token?: string | null;
  method?: string;
}
/** What a call of a tool came to. */
export interface Called {
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: see Wire.
  result: any;
  wire: Wire;
}

export class McpClient {
  #id = 0;

  constructor(
    readonly url: () => string,
    private readonly token: string,
  ) {}

  /** The body as it stands, with the headers of a modern client. */
  async raw(
    body: BodyInit | undefined,
    { headers = {}, token = this.token, method = "POST" }: Sent = {},
  ): Promise<Wire> {
    const sent = new Headers({ "content-type": "application/json", accept: "application/json, text/event-stream" });
    if (token !== null) sent.set("authorization", `Bearer ${token}`);
    for (const [name, value] of Object.entries(headers)) {
      if (value === null) sent.delete(name);
      else sent.set(name, value);
    }
    const response = await fetch(this.url(), { method, headers: sent, body });
    return readWire(response);
  }

  #nextId(): number {
    this.#id += 1;
    return this.#id;
  }

  modern(method: string, params: Record<string, unknown> = {}, sent: Sent = {}): Promise<Wire> {
    const name: Record<string, string> = typeof params.name === "string" ? { "mcp-name": params.name } : {};
    return this.raw(JSON.stringify(modernMessage(this.#nextId(), method, params)), {
      ...sent,
      headers: { "mcp-protocol-version": MODERN, "mcp-method": method, ...name, ...sent.headers },
    });
  }

  legacy(method: string, params: Record<string, unknown> = {}, sent: Sent = {}): Promise<Wire> {
    return this.raw(JSON.stringify({ jsonrpc: "2.0", id: this.#nextId(), method, params }), {
      ...sent,
      headers: { "mcp-protocol-version": "2025-11-25", ...sent.headers },
    });
  }

  /** Calls a tool; the refusal's facts or the structured result. */
  async call(name: string, args?: Record<string, unknown>, sent: Sent = {}): Promise<Called> {
    const wire = await this.modern("tools/call", { name, ...(args && { arguments: args }) }, sent);
    const result = wire.body?.result;
    if (result === undefined) throw new Error(`${name} was answered with ${wire.status} ${wire.text.slice(0, 500)}`);
    const isError = result.isError === true;
    return { isError, result: isError ? JSON.parse(result.content[0].text) : result.structuredContent, wire };
  }

  /** The result of a call that must succeed. */
  async ok(name: string, args?: Record<string, unknown>): Promise<Called["result"]> {
    const { isError, result } = await this.call(name, args);
    if (isError) throw new Error(`${name} was refused: ${JSON.stringify(result)}`);
    return result;
  }

  /** The facts of a call that must be refused. */
  async refused(name: string, args?: Record<string, unknown>): Promise<Called["result"]> {
    const { isError, result } = await this.call(name, args);
    if (!isError) throw new Error(`${name} was not refused: ${JSON.stringify(result)}`);
    return result;
  }
}

export async function readWire(response: Response): Promise<Wire> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** A request of the newest revision, with the envelope that each carries. */
export function modernMessage(id: number | string, method: string, params: Record<string, unknown> = {}) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  };
  return { jsonrpc: "2.0", id, method, params: { _meta: meta, ...params } };
}
