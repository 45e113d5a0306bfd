/** What the admin endpoint says to clients of both eras, and to whoever sends something else: over real HTTP. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LEGACY, type McpSite, modernMessage, MODERN, startMcpSite } from "../support/mcp.mts";
import { START_MS } from "../support/site.mts";

let site: McpSite;
beforeAll(async () => {
  site = await startMcpSite({ provider: null });
}, START_MS);
afterAll(() => site.stop());

const { version } = JSON.parse(readFileSync(join(import.meta.dir, "../../package.json"), "utf8"));
const META = "io.modelcontextprotocol/";

describe("the newest revision", () => {
  it("is discovered with what this server has: tools that announce no changes, and a word of instruction", async () => {
    const { status, body } = await site.mcp.modern("server/discover");
    const { supportedVersions, capabilities, instructions, _meta } = body.result;
    expect([status, supportedVersions, capabilities]).toEqual([200, [MODERN], { tools: { listChanged: false } }]);
    expect(_meta[`${META}serverInfo`]).toMatchObject({ name: "agent-x-ray", version });
    expect(instructions.length).toBeLessThanOrEqual(2_048);
  });

  it("gets one JSON body that says how long it holds", async () => {
    const { status, headers, body } = await site.mcp.modern("tools/list");
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(body.result).toMatchObject({ resultType: "complete", ttlMs: 60_000, cacheScope: "private" });
    const called = await site.mcp.call("site_tabs_list");
    expect(called.wire.headers.get("content-type")).toBe("application/json");
    expect(JSON.parse(called.wire.body.result.content[0].text)).toEqual(called.result);
  });

  it("is answered whatever the client accepts, since every answer is JSON", async () => {
    for (const accept of [null, "*/*", "text/html", "application/json", "text/event-stream"]) {
      const { status, headers } = await site.mcp.modern("tools/list", {}, { headers: { accept } });
      expect([accept, status, headers.get("content-type")]).toEqual([accept, 200, "application/json"]);
    }
  });

  it.each([
    ["no method in the head", { "mcp-method": null }],
    ["another method in the head", { "mcp-method": "tools/call" }],
    ["no revision in the head", { "mcp-protocol-version": null }],
    ["another revision in the head", { "mcp-protocol-version": "2025-11-25" }],
  ])("refuses a head that differs from the body: %s", async (_case, headers) => {
    const { status, body } = await site.mcp.modern("tools/list", {}, { headers });
    expect([status, body.error.code]).toEqual([400, -32020]);
  });

  it("refuses a call whose name is missing in the head or another one there, and reads an encoded one", async () => {
    const call = (name: string | null) =>
      site.mcp.modern("tools/call", { name: "site_tabs_list", arguments: {} }, { headers: { "mcp-name": name } });
    for (const name of [null, "tool_config_list", "=?base64?eA==?="]) {
      const { status, body } = await call(name);
      expect([name, status, body.error.code]).toEqual([name, 400, -32020]);
    }
    const encoded = Buffer.from("site_tabs_list").toString("base64");
    expect((await call(`=?base64?${encoded}?=`)).status).toBe(200);
  });

  it("refuses an envelope with a hole, and answers one without the optional name of the client", async () => {
    const without = (field: string) => {
      const message = modernMessage(1, "tools/list");
      delete (message.params._meta as Record<string, unknown>)[META + field];
      return site.mcp.raw(JSON.stringify(message), {
        headers: { "mcp-protocol-version": MODERN, "mcp-method": "tools/list" },
      });
    };
    for (const field of ["protocolVersion", "clientCapabilities"]) {
      const { status, body } = await without(field);
      expect([field, status, body.error.code]).toEqual([field, 400, -32602]);
    }
    expect((await without("clientInfo")).status).toBe(200);
  });

  it("names the revisions it has to a client of a later one", async () => {
    const message = modernMessage(1, "tools/list");
    (message.params._meta as Record<string, unknown>)[`${META}protocolVersion`] = "2099-01-01";
    const { status, body } = await site.mcp.raw(JSON.stringify(message), {
      headers: { "mcp-protocol-version": "2099-01-01", "mcp-method": "tools/list" },
    });
    expect([status, body.error.code, body.error.data.supported]).toEqual([400, -32022, [MODERN]]);
  });

  it.each(["ping", "logging/setLevel", "tasks/get", "initialize", "prompts/list", "resources/list", "nonsense"])(
    "has no method %s",
    async (method) => {
      const { status, body } = await site.mcp.modern(method);
      expect([status, body.error.code]).toEqual([404, -32601]);
    },
  );

  it("acknowledges none of the notices that a client subscribes to, and closes (U5)", async () => {
    for (const notifications of [
      {},
      { toolsListChanged: true },
      { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ["file:///etc/passwd"] },
    ]) {
      const { status, headers, text } = await site.mcp.modern("subscriptions/listen", { notifications });
      expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream"]);
      const messages = text.split("\n\n").flatMap((block) => (block ? [JSON.parse(block.split("data: ")[1]!)] : []));
      expect(messages.map(({ method, params, result }) => [method, params?.notifications, result?.resultType])).toEqual(
        [
          ["notifications/subscriptions/acknowledged", {}, undefined],
          [undefined, undefined, "complete"],
        ],
      );
    }
  });
});

describe("the older revisions", () => {
  const initialize = (protocolVersion: unknown) =>
    site.mcp.legacy(
      "initialize",
      { protocolVersion, capabilities: {}, clientInfo: { name: "old", version: "1" } },
      { headers: { "mcp-protocol-version": null } },
    );

  it.each(LEGACY)("begin with a handshake: %s", async (version) => {
    const { status, headers, body } = await initialize(version);
    expect([status, headers.get("content-type"), headers.get("mcp-session-id")]).toEqual([
      200,
      "application/json",
      null,
    ]);
    expect(body.result).toMatchObject({ protocolVersion: version, capabilities: { tools: { listChanged: false } } });
  });

  it.each([MODERN, "2099-01-01", "1.0"])(
    "are offered to a handshake of a revision without one: %s",
    async (version) => {
      expect((await initialize(version)).body.result.protocolVersion).toBe("2025-11-25");
    },
  );

  it("list and call as JSON, without words of the newest revision", async () => {
    for (const version of LEGACY) {
      const headers = { "mcp-protocol-version": version };
      const listed = await site.mcp.legacy("tools/list", {}, { headers });
      expect([listed.status, listed.headers.get("content-type")]).toEqual([200, "application/json"]);
      const called = await site.mcp.legacy("tools/call", { name: "site_tabs_list", arguments: {} }, { headers });
      expect(called.body.result.content[0].type).toBe("text");
      for (const { body } of [listed, called]) {
        expect(Object.keys(body.result).filter((key) => /resultType|ttlMs|cacheScope/.test(key))).toEqual([]);
      }
    }
  });

  it("acknowledge a notification, answer a ping, and refuse a revision that is none", async () => {
    const initialized = await site.mcp.raw(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    expect([initialized.status, initialized.text]).toEqual([202, ""]);
    expect((await site.mcp.legacy("ping")).body.result).toEqual({});
    const odd = await site.mcp.legacy("tools/list", {}, { headers: { "mcp-protocol-version": "2020-01-01" } });
    expect(odd.status).toBe(400);
  });

  it("work without a handshake: nothing is kept between requests, and no session is read or made", async () => {
    const headers = { "mcp-session-id": "11111111-1111-1111-1111-111111111111", "last-event-id": "7" };
    for (const wire of [
      await site.mcp.legacy("tools/list", {}, { headers }),
      await site.mcp.modern("tools/list", {}, { headers }),
    ]) {
      expect([wire.status, wire.headers.get("mcp-session-id")]).toEqual([200, null]);
    }
  });
});

describe("what is no request of either", () => {
  const codeOf = async (body: BodyInit, headers: Record<string, string | null> = {}) => {
    const wire = await site.mcp.raw(body, { headers });
    return [wire.status, wire.body?.error?.code];
  };

  it.each<[string, string, [number, number | undefined]]>([
    ["nothing", "", [400, -32700]],
    ["no JSON", "{", [400, -32700]],
    ["JSON with a word after it", '{"jsonrpc":"2.0"} x', [400, -32700]],
    ["an empty list", "[]", [400, -32600]],
    [
      "two messages at once",
      JSON.stringify([modernMessage(1, "tools/list"), modernMessage(2, "tools/list")]),
      [400, -32600],
    ],
    ["one message in a list", JSON.stringify([{ jsonrpc: "2.0", id: 1, method: "ping" }]), [400, -32600]],
    ["a number", "7", [400, -32600]],
    ["null", "null", [400, -32600]],
    ["a text", '"tools/list"', [400, -32600]],
    ["another JSON-RPC", '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', [400, -32600]],
  ])("is refused: %s", async (_case, body, expected) => {
    expect(await codeOf(body)).toEqual(expected);
  });

  it("is refused: bytes that are no UTF-8", async () => {
    expect(await codeOf(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))).toEqual([400, -32700]);
  });

  it.each([null, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "is refused: a body that says it is %s",
    async (type) => {
      const message = JSON.stringify(modernMessage(1, "tools/list"));
      const { status } = await site.mcp.raw(new TextEncoder().encode(message), { headers: { "content-type": type } });
      expect(status).toBe(415);
    },
  );

  it("does not bring the endpoint down: depth, width, odd names, posted answers", async () => {
    const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    const call = (args: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool_config_list","arguments":${args}}}`;
    const named = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    const bodies: [string, number][] = [
      [deep(50_000), 400],
      [call(deep(50_000)), 200],
      [call(`{"limit":[${"1,".repeat(200_000)}1]}`), 200],
      [call('{"__proto__":{"limit":1}}'), 200],
      [call('{"constructor":{"prototype":{"limit":1}}}'), 200],
      [named('{"name":"__proto__","arguments":{}}'), 200],
      [named('{"name":"constructor"}'), 200],
      [named('{"name":7}'), 200],
      [named("[]"), 400],
      ['{"jsonrpc":"2.0","id":1,"method":"__proto__"}', 200],
      ['{"jsonrpc":"2.0","id":1,"result":{}}', 202],
      ['{"jsonrpc":"2.0","id":null,"method":"tools/list"}', 400],
      [`{"jsonrpc":"2.0","id":"${"x".repeat(100_000)}","method":"tools/list"}`, 200],
    ];
    for (const [body, expected] of bodies) {
      const { status } = await site.mcp.raw(body, { headers: { "mcp-protocol-version": "2025-11-25" } });
      expect([body.slice(0, 100), status]).toEqual([body.slice(0, 100), expected]);
    }
    expect((await site.mcp.call("site_tabs_list")).isError).toBe(false);
  });

  it("is told that there is no such tool, in the same words for every name", async () => {
    for (const name of ["nothing", "__proto__", "constructor", "toString", "Site_Tabs_List", ""]) {
      const { body } = await site.mcp.legacy("tools/call", { name, arguments: {} });
      expect([name, body.error]).toEqual([name, { code: -32602, message: "There is no tool of that name." }]);
    }
  });
});

describe("a client that leaves", () => {
  it("leaves nothing behind: the endpoint answers the next one, and so does the site", async () => {
    const leave = new AbortController();
    const gone = fetch(`${site.app.url}/mcp`, {
      method: "POST",
      signal: leave.signal,
      headers: { authorization: `Bearer ${site.tokens.owner}`, "content-type": "application/json" },
      body: new ReadableStream({ pull: () => leave.abort() }),
    }).catch(() => "gone");
    expect(await gone).toBe("gone");
    expect((await site.mcp.call("site_tabs_list")).isError).toBe(false);
  });
});
