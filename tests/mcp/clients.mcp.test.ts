/**
 * The clients that people have, against the running product: the official one of the newest line in each of its modes,
 * the official one of the line before, and the inspector's command line with its own check of the tools' schemas.
 */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { TOOLS } from "../../apps/api/mcp/tools/index";
import { createPort } from "../../apps/web/port.mts";
import { LIMITS } from "../../shared/limits";
import { type McpSite, MODERN, modernMessage, startMcpSite } from "../support/mcp.mts";
import { START_MS } from "../support/site.mts";
import { textOf } from "../support/xray-command.mts";

const INSPECTOR = join(
  import.meta.dir,
  "../../node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js",
);
const NAMES = TOOLS.map(({ name }) => name);

let site: McpSite;
/** The endpoint as the world reaches it: behind the web port. */
let url: URL;
let port: ReturnType<typeof createPort>;
const folder = mkdtempSync(join(tmpdir(), "xray-clients-"));
beforeAll(async () => {
  site = await startMcpSite({ provider: null });
  port = createPort({ apiUrl: site.app.url, bodyBytes: 8 * 1_048_576, page: () => {}, log: () => {} });
  await new Promise<void>((resolve) => port.listen(0, "127.0.0.1", resolve));
  url = new URL(`http://127.0.0.1:${(port.address() as { port: number }).port}/api/mcp`);
}, START_MS);
afterAll(async () => {
  port.closeAllConnections();
  port.close();
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
});

const bearer = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

describe("the official client", () => {
  it.each([
    ["finds the newest revision by itself", { mode: "auto" as const }, MODERN],
    ["pins the newest revision", { mode: { pin: MODERN } }, MODERN],
    ["keeps to the handshake", { mode: "legacy" as const }, "2025-11-25"],
    ["in its usual mode", undefined, "2025-11-25"],
  ])("%s: it connects, lists, reads, writes and is refused", async (_case, versionNegotiation, revision) => {
    const client = new Client({ name: "test", version: "1" }, versionNegotiation ? { versionNegotiation } : {});
    const faults: unknown[] = [];
    client.onerror = (error) => faults.push(error);
    await client.connect(new StreamableHTTPClientTransport(url, bearer(site.tokens.owner)));
    try {
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect(client.getServerVersion()?.name).toBe("agent-x-ray");
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES);
      const read = await client.callTool({ name: "site_tabs_list", arguments: {} });
      expect((read.structuredContent as { tabs: unknown[] }).tabs).toHaveLength(5);
      const write = await client.callTool({ name: "site_tab_set", arguments: { key: "about", visible: true } });
      expect(write.structuredContent).toMatchObject({ tab: { key: "about", visible: true } });
      const refused = await client.callTool({ name: "site_tab_set", arguments: { key: "nothing", visible: true } });
      expect([refused.isError, JSON.stringify(refused.content)]).toEqual([true, expect.stringContaining("runtime")]);
      expect(faults).toEqual([]);
    } finally {
      await client.close();
    }
  });

  it("is told that its token is wrong", async () => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    const connecting = client.connect(new StreamableHTTPClientTransport(url, bearer("wrong")));
    await expect(connecting).rejects.toThrow(/401|[Aa]uth/);
  });
});

describe("the official client of the line before", () => {
  it("shakes hands, lists, reads, writes and is refused, without an error on the way", async () => {
    const client = new OldClient({ name: "test", version: "1" });
    const faults: unknown[] = [];
    client.onerror = (error) => faults.push(error);
    await client.connect(new OldTransport(url, bearer(site.tokens.owner)));
    try {
      expect(client.getServerVersion()?.name).toBe("agent-x-ray");
      // From here on it holds every result against the tool's output schema.
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES);
      await client.ping();
      const read = await client.callTool({ name: "tool_config_list", arguments: { limit: 2 } });
      expect(read.structuredContent).toMatchObject({ total: 11, nextCursor: expect.any(String) });
      const write = await client.callTool({
        name: "tool_config_set",
        arguments: { name: "web_search", enabled: false },
      });
      expect(write.structuredContent).toMatchObject({ changed: false });
      const refused = await client.callTool({ name: "tool_config_set", arguments: { name: "nothing", enabled: true } });
      expect(refused.isError).toBe(true);
      expect(faults).toEqual([]);
    } finally {
      await client.close();
    }
  });
});

describe("the web port", () => {
  const send = (body: BodyInit | undefined, headers: Record<string, string> = {}, method = "POST") =>
    fetch(url, {
      method,
      body,
      headers: {
        authorization: `Bearer ${site.tokens.owner}`,
        "content-type": "application/json",
        "mcp-protocol-version": MODERN,
        "mcp-method": "tools/list",
        ...headers,
      },
    });
  const message = JSON.stringify(modernMessage(1, "tools/list"));
  const ofBytes = (bytes: number) => message + " ".repeat(bytes - Buffer.byteLength(message));

  it("passes what the endpoint judges: origin, method, token, and a body of the limit", async () => {
    expect((await send(ofBytes(LIMITS.mcpBodyBytes))).status).toBe(200);
    expect((await send(ofBytes(LIMITS.mcpBodyBytes + 1))).status).toBe(413);
    expect((await send(message, { origin: "https://evil.example" })).status).toBe(403);
    expect((await send(undefined, {}, "GET")).status).toBe(405);
    const refused = await send(message, { authorization: "Bearer wrong" });
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });

  it("tells the endpoint who is calling, whatever the caller says of itself", async () => {
    await site.sql("TRUNCATE mcp_audit");
    await send(message, {
      authorization: "Bearer wrong",
      "x-forwarded-for": "198.51.100.4",
      forwarded: "for=198.51.100.4",
    });
    expect((await site.audit()).map(({ remote }) => remote)).toEqual(["127.0.0.1"]);
  });
});

describe("the inspector's command line", () => {
  async function inspect(token: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const argv = [
      "--bun",
      INSPECTOR,
      url.href,
      "--transport",
      "http",
      "--header",
      `Authorization: Bearer ${token}`,
      ...args,
    ];
    const env = { PATH: process.env.PATH ?? "", HOME: folder };
    const run = spawn(process.execPath, argv, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const [out, err, [code]] = await Promise.all([textOf(run.stdout), textOf(run.stderr), once(run, "close")]);
    return { code: code as number, out, err };
  }

  // Each run is a process of its own that loads the whole inspector.
  it(
    "lists the tools in each era and finds no fault with their schemas",
    async () => {
      const eras = ["modern", "auto", "legacy"];
      const list = ["--method", "tools/list", "--strict"];
      const runs = await Promise.all(eras.map((era) => inspect(site.tokens.owner, "--protocol-era", era, ...list)));
      for (const { code, out, err } of runs) {
        expect([code, JSON.parse(out).tools.map(({ name }: { name: string }) => name)]).toEqual([0, NAMES]);
        expect(err).not.toContain("Error:");
      }
    },
    START_MS,
  );

  it(
    "calls one, and says when a call is refused or a token is wrong",
    async () => {
      const call = ["--method", "tools/call", "--tool-name"];
      const [read, refused, wrong] = await Promise.all([
        inspect(site.tokens.owner, ...call, "site_tabs_list"),
        inspect(site.tokens.reader, ...call, "site_tab_set", "--tool-arg", "key=about", "visible=false"),
        inspect("wrong", "--method", "tools/list"),
      ]);
      expect([read.code, JSON.parse(read.out).structuredContent.tabs.length]).toEqual([0, 5]);
      expect(refused.code).toBe(5);
      expect([wrong.code === 0, wrong.out]).toEqual([false, ""]);
    },
    START_MS,
  );
});
