/** A server on loopback that answers whatever a test says, well-behaved or not, and keeps what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}
export interface RudeServer {
  origin: string;
  seen: SeenRequest[];
  close(): Promise<void>;
}
export type Answer = (response: ServerResponse, request: SeenRequest) => unknown;

export async function rudeServer(answer: Answer): Promise<RudeServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (incoming, response) => {
    let body = "";
    for await (const chunk of incoming) body += chunk;
    const request = { url: incoming.url ?? "", headers: incoming.headers, body };
    seen.push(request);
    answer(response, request);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export function openStream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { "content-type": "text/event-stream" });
  return response;
}
