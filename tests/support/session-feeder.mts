/**
 * An API with one session, fed by hand: what is stored and what arrives is the test's to say, to the row and the
 * frame. It answers what the Runtime page asks and nothing else; there is no database, no kernel and no cookie.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { SessionView } from "../../shared/contracts/agent.ts";
import { TAB_KEYS } from "../../shared/contracts/site.ts";
import { type AskFrame, encodeSse, type TraceFrames } from "../../shared/sse.ts";
import type { TraceRow } from "../../shared/trace-events.ts";
import { MADE_AT_MS, type MadeSession } from "./made-session.mts";

export const FED_SESSION = "5f0c1d3a-0000-4000-8000-00000000feed";

export interface SessionFeeder {
  url: string;
  /** Replaces what is stored; whoever reads is cut off. */
  store(session: MadeSession): void;
  /** A turn begins, as when the page asks: its question is stored, and a page that opens the session joins it. Returns its seq. */
  begin(prompt: string): number;
  /** The running turn is complete and stored. */
  end(content: string): void;
  /** The running turn says something more. */
  frame(event: AskFrame["event"], data: unknown): void;
  row(row: TraceRow): void;
  /** How many messages are stored: the seq of the next one. */
  messages(): number;
  /** Ends every trace connection in the server's way, or, without a reason, in the middle of nothing. */
  cut(reason?: TraceFrames["bye"]["reason"]): void;
  /** While false, the trace is not to be had. */
  traceUp: boolean;
  close(): Promise<void>;
}

export async function startFeeder(): Promise<SessionFeeder> {
  let session: MadeSession = { messages: [], rows: [] };
  let running: { turnSeq: number; frames: string[] } | null = null;
  const traces = new Set<ServerResponse>();
  const asks = new Set<ServerResponse>();

  const viewOf = (): SessionView => ({
    session: {
      id: FED_SESSION,
      title: "A made session",
      createdAt: new Date(MADE_AT_MS).toISOString(),
      lastActiveAt: new Date(MADE_AT_MS).toISOString(),
      totalTokens: 48_200,
    },
    messages: session.messages,
    ...(running && { running: { turnSeq: running.turnSeq } }),
  });

  const answer = (request: IncomingMessage, response: ServerResponse): unknown => {
    const { pathname, searchParams } = new URL(request.url!, "http://fed");
    if (pathname === "/site/status") return { demo: true, ready: true };
    if (pathname === "/site/tabs") return { tabs: TAB_KEYS.map((key) => ({ key, visible: true })) };
    if (pathname === "/agent/sessions") return { sessions: [viewOf().session] };
    if (pathname === `/agent/sessions/${FED_SESSION}`) return viewOf();
    if (pathname === `/agent/sessions/${FED_SESSION}/stream`) {
      if (running === null) return null;
      openSse(response, asks);
      response.write(running.frames.join(""));
    } else if (pathname === "/agent/ask") {
      void text(request).then((body) => {
        feeder.begin((JSON.parse(body) as { prompt: string }).prompt);
        openSse(response, asks);
        response.write(running!.frames.join(""));
      });
    } else if (pathname === "/trace/stream" && feeder.traceUp) {
      const after = Number(searchParams.get("afterSeq"));
      openSse(response, traces);
      const stored = session.rows.filter(({ seq }) => seq > after);
      response.write(stored.map((row) => encodeSse({ event: "trace", data: row })).join(""));
      response.write(encodeSse({ event: "ready", data: { lastSeq: session.rows.at(-1)?.seq ?? -1 } }));
    } else {
      response.statusCode = pathname === "/trace/stream" ? 503 : 404;
      return { error: "Not here.", code: "not_found" };
    }
    return undefined;
  };

  const server = createServer((request, response) => {
    const body = answer(request, response);
    if (body === undefined) return;
    if (body === null) response.statusCode = 204;
    response.setHeader("content-type", "application/json");
    response.end(body === null ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));

  const feeder: SessionFeeder = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    traceUp: true,
    store(next) {
      session = { messages: [...next.messages], rows: [...next.rows] };
      running = null;
      for (const response of [...traces, ...asks]) response.destroy();
    },
    begin(prompt) {
      const turnSeq = session.messages.length;
      session.messages.push({ seq: turnSeq, role: "user", content: prompt, createdAt: new Date().toISOString() });
      running = { turnSeq, frames: [] };
      feeder.frame("session", { sessionId: FED_SESSION });
      return turnSeq;
    },
    end(content) {
      const { turnSeq } = running!;
      const totals = { modelRoundTrips: 1, turnMs: 1_000, totalTokens: 48_200 };
      feeder.frame("done", { sessionId: FED_SESSION, outcome: "completed", ...totals });
      const createdAt = new Date().toISOString();
      session.messages.push({ seq: turnSeq + 1, role: "assistant", content, createdAt, outcome: "completed" });
      running = null;
      for (const response of asks) response.end();
    },
    frame(event, data) {
      const sent = encodeSse({ id: `${running!.turnSeq}.${running!.frames.length}`, event, data });
      running!.frames.push(sent);
      for (const response of asks) response.write(sent);
    },
    messages: () => session.messages.length,
    row(row) {
      session.rows.push(row);
      for (const response of traces) response.write(encodeSse({ event: "trace", data: row }));
    },
    cut(reason) {
      const bye = { event: "bye", data: { lastSeq: session.rows.at(-1)?.seq ?? -1, reason } };
      for (const response of traces) reason === undefined ? response.destroy() : response.end(encodeSse(bye));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return feeder;
}

function openSse(response: ServerResponse, open: Set<ServerResponse>): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" });
  open.add(response);
  response.on("close", () => open.delete(response));
}
