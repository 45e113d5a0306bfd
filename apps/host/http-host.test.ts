import { afterEach, expect, it } from "bun:test";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { eventually, openRaw } from "./__tests__/raw-client.mts";
import { listen } from "./http-host.mts";

let server: Server | undefined;
afterEach(() => server?.closeAllConnections());

async function start(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const listening = await listen({ handle }, "127.0.0.1:0", {
    hostHeadersMs: 200,
    hostRequestMs: 200,
    hostKeepAliveMs: 200,
  });
  server = listening.server;
  return `http://${listening.address}`;
}

it("cuts off a client that never finishes its headers, and one that says nothing", async () => {
  const url = await start((_request, response) => response.end());
  const slow = await openRaw(url);
  const silent = await openRaw(url);
  slow.send("GET / HTTP/1.1\r\nhost: a\r\nx-");
  expect(await slow.closed()).toStartWith("HTTP/1.1 400 ");
  expect(await silent.closed()).not.toContain("200");
});

it("lets a stream outlive every patience it has for requests", async () => {
  let stream: ServerResponse | undefined;
  const url = await start((_request, response) => {
    stream = response;
    response.write("begun");
  });
  const reader = await openRaw(url);
  reader.send("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await reader.until("begun");
  // Two slow clients, cut off one after the other, show that the patience passed twice.
  for (let round = 0; round < 2; round++) {
    const slow = await openRaw(url);
    slow.send("GET / HTTP/1.1\r\n");
    await slow.closed();
  }
  stream!.end("ended");
  expect(await reader.until("ended")).toStartWith("HTTP/1.1 200 ");
});

it("closes a connection that stays idle after its answer", async () => {
  const url = await start((_request, response) => response.end("answered"));
  const client = await openRaw(url);
  client.send("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  expect(await client.closed()).toContain("answered");
});

it("shows the address it bound, also of IPv6", async () => {
  const url = await start((_request, response) => response.end());
  await eventually(() => server!.listening, "it listens");
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});
