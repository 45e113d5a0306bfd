/** Who gets in to the admin endpoint, and what everyone else learns: over real HTTP, byte by byte (§21.1, U1, U3, U8). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "bun:test";
import { Client } from "pg";
import { hashOf, type McpSite, mintToken, modernMessage, MODERN, type Sent, startMcpSite } from "../support/mcp.mts";
import { START_MS } from "../support/site.mts";

let site: McpSite;
beforeAll(async () => {
  site = await startMcpSite({ limits: { mcpFailures: 400, mcpFailureDelayMs: 1, mcpDeniedRowsPerMinute: 400 } });
}, START_MS);
afterAll(() => site.stop());
beforeEach(() => site.sql("TRUNCATE mcp_audit"));

const list = JSON.stringify(modernMessage(1, "tools/list"));
const headers = { "mcp-protocol-version": MODERN, "mcp-method": "tools/list" };
const ask = (sent: Sent, body: BodyInit = list) =>
  site.mcp.raw(body, { ...sent, headers: { ...headers, ...sent.headers } });

describe("a token", () => {
  it("lets in, also with the scheme in another case", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const { status } = await ask({ headers: { authorization: `${scheme} ${site.tokens.owner}` } });
      expect([scheme, status]).toEqual([scheme, 200]);
    }
    for (const token of Object.values(site.tokens)) expect((await ask({ token })).status).toBe(200);
    expect(await site.audit()).toEqual([]);
  });

  it("that is missing, malformed or wrong is one and the same 401, byte for byte", async () => {
    const { owner } = site.tokens;
    const wrong: [string, string | null][] = [
      ["none", null],
      ["empty", ""],
      ["only the scheme", "Bearer"],
      ["an empty token", "Bearer "],
      ["another token", `Bearer ${mintToken()}`],
      ["a beginning of it", `Bearer ${owner.slice(0, -1)}`],
      ["more than it", `Bearer ${owner}x`],
      ["a word after it", `Bearer ${owner} x`],
      ["two blanks", `Bearer  ${owner}`],
      ["no scheme", owner],
      ["another scheme", `Basic ${Buffer.from(`owner:${owner}`).toString("base64")}`],
      ["the scheme of another protocol", `Token ${owner}`],
      ["its hash", `Bearer ${hashOf(owner)}`],
      ["its name", "Bearer owner"],
      ["a very long one", `Bearer ${"x".repeat(4_000)}`],
    ];
    const answers = new Set<string>();
    for (const [, authorization] of wrong) {
      const { status, headers: got, text } = await ask({ headers: { authorization } });
      const kept = [...got].filter(([name]) => !["date", "x-encore-trace-id"].includes(name));
      answers.add(JSON.stringify([status, kept, text]));
    }
    expect([...answers]).toHaveLength(1);
    const [status, kept, text] = JSON.parse([...answers][0]!);
    expect([status, JSON.parse(text)]).toEqual([
      401,
      { jsonrpc: "2.0", error: { code: -32001, message: "unauthorized" }, id: null },
    ]);
    expect(Object.fromEntries(kept)).toMatchObject({ "www-authenticate": "Bearer", "cache-control": "no-store" });
    // Each of them one row, none with a word of what was sent.
    const rows = await site.audit();
    expect(rows).toEqual(
      wrong.map(() => ({
        outcome: "denied",
        method: "http",
        tool: null,
        principal: null,
        summary: "no valid token",
        remote: "127.0.0.1",
        detail: { attempts: 1 },
      })),
    );
  });

  it("in the address, in a cookie or twice in the head is none", async () => {
    const { owner } = site.tokens;
    const post = { method: "POST", body: list };
    const base = { "content-type": "application/json", ...headers };
    for (const [path, extra] of [
      [`/mcp?token=${owner}`, {}],
      [`/mcp?access_token=${owner}`, {}],
      ["/mcp", { cookie: `token=${owner}; authorization=Bearer ${owner}; xr_visitor=${owner}` }],
      ["/mcp", { "x-api-key": owner, "proxy-authorization": `Bearer ${owner}` }],
    ] as const) {
      expect((await fetch(site.app.url + path, { ...post, headers: { ...base, ...extra } })).status).toBe(401);
    }
    const twice = new Headers({ ...base, authorization: `Bearer ${owner}` });
    twice.append("authorization", `Bearer ${owner}`);
    expect((await fetch(`${site.app.url}/mcp`, { ...post, headers: twice })).status).toBe(401);
  });

  it("opens nothing but this endpoint", async () => {
    const sent = { headers: { authorization: `Bearer ${site.tokens.owner}` } };
    const open = await fetch(`${site.app.url}/agent/sessions`, sent);
    expect([open.status, await open.json()]).toEqual([200, { sessions: [] }]);
    for (const name of ["xr_visitor", "token"]) {
      const cookie = await fetch(`${site.app.url}/agent/sessions`, {
        headers: { cookie: `${name}=${site.tokens.owner}` },
      });
      expect(await cookie.json()).toEqual({ sessions: [] });
    }
  });
});

describe("a page", () => {
  it("is refused before its token and its body are looked at", async () => {
    const origins = ["https://evil.example", "null", site.app.url, "http://localhost:3000", "https://claude.ai", ""];
    for (const origin of origins) {
      for (const token of [site.tokens.owner, null]) {
        const { status, body } = await ask({ token, headers: { origin } }, "not even JSON");
        expect([origin, status, body.error]).toEqual([
          origin,
          403,
          { code: -32001, message: "Requests of web pages are refused." },
        ]);
      }
    }
    expect((await site.audit()).map(({ summary }) => summary)).toEqual(Array(12).fill("a request of a web page"));
  });

  it("is granted nothing by a preflight", async () => {
    const preflight = await fetch(`${site.app.url}/mcp`, {
      method: "OPTIONS",
      headers: {
        origin: "https://evil.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
      },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
    expect(preflight.headers.get("access-control-allow-headers")).toBeNull();
  });
});

describe("another method than POST", () => {
  it("is 405 with the method that is answered, and 401 without a token", async () => {
    for (const method of ["GET", "DELETE", "PUT", "PATCH", "HEAD"]) {
      const { status, headers: got } = await site.mcp.raw(undefined, { method });
      expect([method, status, got.get("allow")]).toEqual([method, 405, "POST"]);
      expect((await site.mcp.raw(undefined, { method, token: null })).status).toBe(401);
    }
  });
});

describe("a body", () => {
  const LIMIT = 8_388_608;
  /** A valid request of exactly this many bytes. */
  const ofBytes = (bytes: number) => list + " ".repeat(bytes - Buffer.byteLength(list));

  it("of the limit is read, and of one byte more is refused before it is parsed", async () => {
    expect((await ask({}, ofBytes(LIMIT))).status).toBe(200);
    for (const body of [ofBytes(LIMIT + 1), `{${" ".repeat(LIMIT)}`]) {
      const { status, body: answer } = await ask({}, body);
      expect([status, answer.error]).toEqual([413, { code: -32000, message: "The request is too large." }]);
    }
  });

  it("that does not tell its length is counted as it comes", async () => {
    const chunk = new Uint8Array(1_048_576).fill(0x20);
    const endless = (chunks: number) => {
      let left = chunks;
      return new ReadableStream({
        pull(controller) {
          if (left-- > 0) controller.enqueue(chunk);
          else controller.close();
        },
      });
    };
    expect((await ask({}, endless(9))).status).toBe(413);
    const { status, body } = await ask({}, endless(2));
    expect([status, body.error.code]).toEqual([400, -32700]);
  });

  it("is not read at all for whoever has no token", async () => {
    const { status } = await ask({ token: null }, ofBytes(LIMIT + 1));
    expect(status).toBe(401);
  });
});

describe("what clients probe for", () => {
  it("is not there: no metadata, no registration", async () => {
    for (const path of [
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource",
      "/.well-known/oauth-authorization-server",
      "/.well-known/openid-configuration",
      "/register",
      "/mcp/sse",
    ]) {
      for (const method of ["GET", "POST"]) {
        const answer = await fetch(site.app.url + path, { method });
        expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 404, "application/json"]);
      }
    }
  });
});

describe("a read-only token", () => {
  it("sees the reading tools and no other", async () => {
    const all = (await ask({})).body.result.tools;
    const seen = (await ask({ token: site.tokens.reader })).body.result.tools;
    const reading = all.filter((tool: { annotations: { readOnlyHint: boolean } }) => tool.annotations.readOnlyHint);
    expect(seen).toEqual(reading);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThan(all.length);
  });

  it("reads, and is refused every write although it names it; the refusal is audited and nothing changes", async () => {
    const before = await site.sql("SELECT * FROM tool_config ORDER BY name");
    const token = site.tokens.reader;
    expect((await site.mcp.call("tool_config_list", {}, { token })).isError).toBe(false);
    const { isError, result } = await site.mcp.call(
      "tool_config_set",
      { name: "web_search", enabled: true },
      { token },
    );
    expect([isError, result]).toEqual([
      true,
      { error: "This token may only read.", retry: "No other call will help." },
    ]);
    expect(await site.sql("SELECT * FROM tool_config ORDER BY name")).toEqual(before);
    expect(await site.audit()).toMatchObject([
      { outcome: "denied", tool: "tool_config_set", principal: "reader", summary: "a read-only token" },
    ]);
  });
});

describe("the address of the audit", () => {
  it("is the one the trusted proxy saw, whatever the caller wrote before it", async () => {
    const forwarded = "203.0.113.77, 198.51.100.4";
    await ask({ token: null, headers: { "x-forwarded-for": forwarded } });
    expect((await site.audit()).map(({ remote }) => remote)).toEqual(["198.51.100.4"]);
  });
});

describe("the log", () => {
  it("holds no token, no header and no body of all this", () => {
    const log = site.app.log();
    expect(log).toContain('"path":"/mcp"');
    for (const token of Object.values(site.tokens)) expect(log).not.toContain(token.slice(5, 30));
    for (const word of ["Bearer", "evil.example", "203.0.113.77", "not even JSON"]) expect(log).not.toContain(word);
  });
});

describe("wrong tokens at speed", () => {
  it(
    "are answered late and written down once a minute, while a right one still gets in",
    async () => {
      const flooded = await startMcpSite({ limits: { mcpFailureDelayMs: 100 } });
      try {
        const guesses = Array.from({ length: 60 }, () => flooded.mcp.modern("tools/list", {}, { token: mintToken() }));
        const right = await flooded.mcp.call("tool_config_list");
        expect(right.isError).toBe(false);
        expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual(Array(60).fill(401));
        // Twenty one by one; those of the flood wait for the next minute's row.
        expect((await flooded.audit()).map(({ detail }) => detail?.attempts)).toEqual(Array(20).fill(1));
      } finally {
        await flooded.stop();
      }
    },
    START_MS,
  );
});

describe("an audit table that is locked", () => {
  it("keeps no write from being made; the log says that its row is missing (U6)", async () => {
    const locker = new Client({ connectionString: site.database.adminUrl });
    await locker.connect();
    await locker.query("BEGIN; LOCK TABLE mcp_audit IN ACCESS EXCLUSIVE MODE");
    try {
      const { tab } = await site.mcp.ok("site_tab_set", { key: "about", visible: false });
      expect(tab).toMatchObject({ key: "about", visible: false });
    } finally {
      await locker.query("ROLLBACK");
      await locker.end();
    }
    expect(await site.sql("SELECT visible FROM site_tab_config WHERE key = 'about'")).toEqual([{ visible: false }]);
    expect(await site.audit()).toEqual([]);
    expect(site.app.log()).toContain("an audit row could not be written");
  });
});
