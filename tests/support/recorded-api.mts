/**
 * An API that knows one recorded session and nothing else, so that the built pages show the same session each time:
 * no database, no model. Its trace stream stays open, as after the end of a turn.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toolCatalogue } from "../../apps/api/tools/catalogue.ts";
import type { SessionView } from "../../shared/contracts/agent.ts";
import { TAB_KEYS } from "../../shared/contracts/site.ts";
import type { TraceRow } from "../../shared/trace-events.ts";

/** What the API said of a session: its chat and its events. */
export interface RecordedSession {
  session: SessionView;
  rows: TraceRow[];
}

export interface RecordedApi {
  url: string;
  stop(): Promise<void>;
}

export async function startRecordedApi({ session, rows }: RecordedSession): Promise<RecordedApi> {
  const { id } = session.session;
  const answers: Record<string, unknown> = {
    "/site/status": { demo: false, ready: true },
    "/site/tabs": { tabs: TAB_KEYS.map((key) => ({ key, visible: true })) },
    "/agent/sessions": { sessions: [session.session] },
    [`/agent/sessions/${id}`]: session,
    "/agent/tools": toolCatalogue(),
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, "http://api");
    if (pathname === "/trace/stream") return sendTrace(response, rows, Number(searchParams.get("afterSeq") ?? -1));
    // No turn is running.
    if (pathname === `/agent/sessions/${id}/stream`) return response.writeHead(204).end();
    const answer = answers[pathname];
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: "Not found.", code: "not_found" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendTrace(response: ServerResponse, rows: readonly TraceRow[], afterSeq: number): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const missed = rows.filter(({ seq }) => seq > afterSeq);
  for (const row of missed) response.write(`id: ${row.seq}\nevent: trace\ndata: ${JSON.stringify(row)}\n\n`);
  response.write(`event: ready\ndata: ${JSON.stringify({ lastSeq: rows.at(-1)?.seq ?? -1 })}\n\n`);
}
