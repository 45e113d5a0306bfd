/**
 * From an HTTP request to the protocol and back (§21.1). Everything that keeps strangers out comes first and in this
 * order: a browser's request, a wrong token, another method than POST, a body that is too long. Only then does the
 * protocol's package see the request, without the token and with nothing but the headers it needs.
 *
 * Both eras are answered as one JSON body: 2026-07-28 by the package's own handler, the older revisions by its
 * transport for them. No session is made or read, and no stream stays open.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { LIMITS } from "../../../shared/limits";
import type { Log } from "../lib/log";
import { Refusal } from "../lib/refusal";
import { readBytes } from "../lib/request-body";
import { buildServer, type ServerContext } from "./server";

/** Admits a request or answers it. */
export type Gate = (request: IncomingMessage) => Promise<Admitted | HttpAnswer>;
export type Admitted = Omit<ServerContext, "signal">;

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | string;
}

/** The only request headers that mean anything to the protocol. `accept` is ours: every answer is JSON. */
const PASSED = ["content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];
const NEWEST = "2026-07-28";
const ACCEPT = "application/json, text/event-stream";
const ADDRESS = "http://mcp.invalid/mcp";

export function serveMcp(gate: Gate, log: Log): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const left = new AbortController();
    let answered = false;
    response.on("close", () => {
      if (!answered) left.abort();
    });
    const answer = await answerTo(request, gate, left.signal).catch((error: unknown) => {
      log.error("the admin endpoint failed", error);
      return rpcError(500, -32603, "Internal error");
    });
    const body = Buffer.from(answer.body as string);
    response.writeHead(answer.status, {
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...answer.headers,
      "content-length": String(body.length),
    });
    answered = true;
    response.end(request.method === "HEAD" ? undefined : body);
  };
}

async function answerTo(request: IncomingMessage, gate: Gate, signal: AbortSignal): Promise<HttpAnswer> {
  const admitted = await gate(request);
  if ("status" in admitted) return admitted;
  if (request.method !== "POST") return rpcError(405, -32000, "Only POST is answered here.", { allow: "POST" });

  const body = await readBody(request);
  if (body === undefined) return rpcError(413, -32000, "The request is too large.");
  const message = parsed(body);
  if (message === undefined) return rpcError(400, -32700, "The request is not valid JSON.");
  if (Array.isArray(message)) return rpcError(400, -32600, "Several messages in one request are not accepted.");

  // The tools get the signal of a client that left straight from here; through the package it would cost each call more.
  const context = { ...admitted, signal };
  const web = new Request(ADDRESS, { method: "POST", headers: headersOf(request) });
  // A head that names the newest revision settles the era; otherwise the package reads the message, which costs.
  const isLegacy = request.headers["mcp-protocol-version"] !== NEWEST && (await isLegacyRequest(web, message));
  const answer = isLegacy ? await serveLegacy(web, message, context) : await serveModern(web, message, context);
  const headers: Record<string, string> = {};
  for (const name of ["content-type", "www-authenticate"]) {
    const value = answer.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) };
}

/** A subscription asks for notices that this server does not have: the package acknowledges none of them and closes. */
const modern = createMcpHandler(({ authInfo }) => buildServer(authInfo!.extra!.context as ServerContext), {
  legacy: "reject",
});

function serveModern(web: Request, parsedBody: unknown, context: ServerContext): Promise<Response> {
  // What the package calls authentication is only a way to hand something on: no token goes with it.
  return modern.fetch(web, { parsedBody, authInfo: { token: "", clientId: "", scopes: [], extra: { context } } });
}

async function serveLegacy(web: Request, parsedBody: unknown, context: ServerContext): Promise<Response> {
  const server = buildServer(context);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport);
  try {
    return await transport.handleRequest(web, { parsedBody });
  } finally {
    void server.close();
  }
}

/** Undefined when it is too long; a length that says so is believed before a byte is read. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > LIMITS.mcpBodyBytes) return undefined;
  try {
    return await readBytes(request, LIMITS.mcpBodyBytes);
  } catch (error) {
    if (error instanceof Refusal && error.code === "too_large") return undefined;
    return Buffer.alloc(0);
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers({ accept: ACCEPT });
  for (const name of PASSED) {
    const value = [request.headers[name] ?? []].flat().join(", ");
    // A head holds Latin-1. What a runtime decoded to anything else names nothing that exists here.
    if (value !== "" && /^[\x20-\xff]*$/.test(value)) headers.set(name, value);
  }
  return headers;
}

/** An answer in the protocol's form to a request that never reached the protocol. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): HttpAnswer {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null });
  return { status, headers: { "content-type": "application/json", ...headers }, body };
}
