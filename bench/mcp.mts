/**
 * Claims: the admin endpoint serves a small `tools/call` at no less than a sixth, and `tools/list` of all tools at no less
 * than a ninth, of the requests per second of a JSON endpoint of the same application that touches nothing. That call is
 * one whose arguments are refused, since it goes all the way and stops before the database, as the baseline does. A call
 * that reads is held against the page's endpoint of the same read: no less than a quarter. Application and load generator
 * are a process each.
 */
import { type McpSite, MODERN, modernMessage, startMcpSite } from "../tests/support/mcp.mts";
import { compare } from "./lib.mts";
import { startLoad } from "./lib-load.mts";

const CONNECTIONS = 16;
const BURST_MS = 700;
const WARM_REQUESTS = 2_000;
const ROUNDS = 7;

async function measure(): Promise<boolean> {
  const site = await startMcpSite({ provider: null });
  const load = startLoad(CONNECTIONS, BURST_MS);
  try {
    const port = Number(new URL(site.app.url).port);
    const rateOf = (request: string, atLeast = 0) => load.rateOf(port, request, atLeast);
    const bare = "GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
    const page = "GET /site/tabs HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
    const call = requestOf(site, "tools/call", { name: "site_tabs_list", arguments: { none: 1 } });
    const read = requestOf(site, "tools/call", { name: "site_tabs_list", arguments: {} });
    const list = requestOf(site, "tools/list", {});
    // Compiled while it serves; on a busy machine time alone would not get it there.
    for (const request of [bare, page, call, read, list]) await rateOf(request, WARM_REQUESTS);
    const claims = [
      ["mcp tools/call", call, bare, 1 / 6],
      ["mcp tools/list", list, bare, 1 / 9],
      ["mcp tools/call that reads", read, page, 1 / 4],
    ] as const;
    const held: boolean[] = [];
    for (const [name, request, baseline, share] of claims) {
      held.push(
        await compare({
          name,
          unit: "req/s",
          rounds: ROUNDS,
          baseline: () => rateOf(baseline),
          measured: () => rateOf(request),
          claim: { atLeast: Number(share.toFixed(3)) },
        }),
      );
    }
    return held.every(Boolean);
  } finally {
    load.stop();
    await site.stop();
  }
}

function requestOf(site: McpSite, method: string, params: Record<string, unknown>): string {
  const body = JSON.stringify(modernMessage(1, method, params));
  const name = typeof params.name === "string" ? [`mcp-name: ${params.name}`] : [];
  const head = [
    "POST /mcp HTTP/1.1",
    "host: 127.0.0.1",
    `authorization: Bearer ${site.tokens.owner}`,
    "content-type: application/json",
    "accept: application/json, text/event-stream",
    `mcp-protocol-version: ${MODERN}`,
    `mcp-method: ${method}`,
    ...name,
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

process.exit((await measure()) ? 0 : 1);
