import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from "bun:test";
import type { RunningApp } from "../../tests/support/app.mts";
import { startFixture } from "./__tests__/fixture.mts";
import { openRaw } from "./__tests__/raw-client.mts";

setDefaultTimeout(30_000);
let app: RunningApp;
beforeAll(async () => {
  const databaseUrl = "postgres://someone:pass@127.0.0.1:5432/xray_test_none";
  app = await startFixture({ databaseUrl, databaseName: "probe", secrets: { Given: "sesame" } });
});
afterAll(() => app.stop());

/** The echo of a request, as the handler saw it. */
async function echo(path: string, init?: RequestInit): Promise<Record<string, unknown>> {
  return (await (await fetch(app.url + path, init)).json()) as Record<string, unknown>;
}
async function answer(path: string, init?: RequestInit): Promise<[number, unknown]> {
  const response = await fetch(app.url + path, init);
  const text = await response.text();
  return [response.status, text.startsWith("{") ? JSON.parse(text) : text];
}
async function wire(text: string): Promise<string> {
  const client = await openRaw(app.url);
  client.send(text);
  return client.closed();
}

const NOT_FOUND = { code: "not_found", message: "endpoint not found", details: null };
const NO_METHOD = { code: "not_found", message: "no route for method", details: null };
const INVALID_PATH = { code: "invalid_argument", message: "invalid path", details: null };

describe("routing", () => {
  it.each([
    ["/item/%E4%B8%AD%20x", { id: "中 x" }],
    ["/item/a%2Fb", { id: "a/b" }],
    ["/item/a/", { id: "a" }],
    ["/item/__proto__", { id: "__proto__" }],
    ["/files/a/b%20c", { rest: "a/b c" }],
    ["/files/", {}],
  ])("gives %p the parameters %p", async (path, pathParams) => {
    expect(await echo(path)).toMatchObject({ pathParams, path, pathAndQuery: path });
  });

  it.each<[string, string, number, unknown]>([
    ["GET", "/nope", 404, NOT_FOUND],
    ["GET", "/files", 404, NOT_FOUND],
    ["GET", "/PING", 404, NOT_FOUND],
    ["GET", "/item//", 404, NOT_FOUND],
    ["GET", "/hidden", 404, NOT_FOUND],
    ["POST", "/ping", 404, NO_METHOD],
    ["GET", "/item/fixed", 404, NO_METHOD],
    ["GET", "/item/%ff", 400, INVALID_PATH],
    ["GET", "/item/%", 400, INVALID_PATH],
    ["GET", "/files/a/%zz", 400, INVALID_PATH],
    ["PROPFIND", "/ping", 400, { code: "invalid_argument", message: "unknown method", details: null }],
  ])("answers %s %s with %p", async (method, path, status, body) => {
    expect(await answer(path, { method })).toEqual([status, body]);
  });

  it("serves HEAD only where it is declared", async () => {
    const declared = await fetch(`${app.url}/item/a`, { method: "HEAD" });
    const undeclared = await fetch(`${app.url}/ping`, { method: "HEAD" });
    expect([declared.status, await declared.text(), undeclared.status]).toEqual([200, "", 404]);
  });

  it("answers OPTIONS itself, even where a handler takes any method", async () => {
    const response = await fetch(`${app.url}/echo`, {
      method: "OPTIONS",
      headers: { origin: "https://a.example", "access-control-request-method": "PUT" },
    });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("access-control-allow-methods")).toBe("PUT");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  });

  it("appends CORS headers to errors too", async () => {
    const response = await fetch(`${app.url}/nope`, { headers: { origin: "https://a.example" } });
    expect(response.headers.get("access-control-allow-origin")).toBe("https://a.example");
  });

  it("is healthy", async () => {
    expect(await answer("/__encore/healthz")).toMatchObject([200, { code: "ok" }]);
  });
});

describe("the request as a handler sees it", () => {
  it("names the call and carries the trace id of the response", async () => {
    const response = await fetch(`${app.url}/echo?a=1&a=2`, { method: "PUT" });
    const seen = (await response.json()) as { trace: { traceId: string } };
    expect(seen).toMatchObject({
      endpoint: { service: "probe", endpoint: "echo", raw: true, auth: false, tags: [] },
      method: "PUT",
      url: "/echo?a=1&a=2",
      path: "/echo",
      pathAndQuery: "/echo?a=1&a=2",
    });
    expect(seen.trace.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(response.headers.get("x-encore-trace-id")).toBe(seen.trace.traceId);
  });

  it("has lower-case names, and lists for names sent twice", async () => {
    const received = await wire(
      "GET /echo HTTP/1.1\r\nHost: site.example\r\nX-Foo: 1\r\nx-foo: 2\r\nCookie: a=1\r\ncookie: b=2\r\n" +
        "__proto__: x\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 7.7.7.7\r\n" +
        "X-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n",
    );
    const { headers, headersDistinct } = JSON.parse(received.slice(received.indexOf("\r\n\r\n") + 4));
    expect(Object.entries(headers)).toEqual([
      ["host", "127.0.0.1"],
      ["x-foo", ["1", "2"]],
      ["cookie", ["a=1", "b=2"]],
      ["__proto__", "x"],
      ["x-forwarded-proto", "http"],
      ["x-forwarded-for", "6.6.6.6, 7.7.7.7, 127.0.0.1"],
      ["x-forwarded-host", "site.example"],
      ["connection", "close"],
    ]);
    expect(headersDistinct["x-foo"]).toEqual(["1", "2"]);
  });

  it("passes middleware data on", async () => {
    expect(await echo("/stamped")).toMatchObject({ middlewareData: { stamp: "from the middleware" } });
    expect(await echo("/echo")).not.toHaveProperty("middlewareData");
  });

  it("never mixes up requests that run at once", async () => {
    const ids = Array.from({ length: 80 }, (_, index) => `n${index}`);
    const answers = await Promise.all(ids.map(async (id) => (await fetch(`${app.url}/late/${id}`)).json()));
    expect(answers).toEqual(ids);
  });

  it("keeps pipelined requests of one connection in order", async () => {
    const received = await wire(
      "GET /late/first HTTP/1.1\r\nhost: a\r\n\r\nGET /late/second HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    );
    expect(received.match(/"(first|second)"/g)).toEqual(['"first"', '"second"']);
  });
});

describe("resources", () => {
  it("gives secrets, connection string and metadata from the infrastructure file", async () => {
    expect(await answer("/resources")).toEqual([
      200,
      {
        given: "sesame",
        missingSecret: "secret Missing is not set",
        url: "postgresql://someone:pass@127.0.0.1:5432/xray_test_none?sslmode=disable",
        meta: {
          appId: "",
          apiBaseUrl: "http://127.0.0.1",
          environment: { name: "test", type: "test", cloud: "aws" },
          build: { revision: "", uncommittedChanges: false },
          deploy: { id: "", hostedServices: { plain: { name: "plain" }, probe: { name: "probe" } } },
        },
      },
    ]);
    const line = (await app.logged("a noted error")).split("\n").find((text) => text.includes("a noted error"))!;
    const { time, trace_id, ...rest } = JSON.parse(line);
    expect(rest).toEqual({
      level: "error",
      message: "a noted error",
      service: "probe",
      endpoint: "resources",
      fact: 1,
      error: "Error: api_key=[redacted]",
    });
    expect([Number.isNaN(Date.parse(time)), typeof trace_id]).toEqual([false, "string"]);
  });
});

describe("a handler that fails", () => {
  const INTERNAL = { code: "internal", message: "an internal error occurred", details: null };

  it.each<[string, number, unknown]>([
    ["/fail/refuse", 404, { code: "not_found", message: "no such thing", details: { hint: "none" } }],
    ["/fail/crash", 500, INTERNAL],
    ["/fail/sync", 500, INTERNAL],
    ["/fail/header", 500, INTERNAL],
  ])("at %s answers %p", async (path, status, body) => {
    expect(await answer(path)).toEqual([status, body]);
  });

  it("leaves its message, redacted, in the log", async () => {
    await answer("/fail/crash");
    expect(await app.logged('"endpoint":"crash"')).toContain("Error: password=[redacted]");
    expect(app.log()).not.toContain("hunter22222");
  });

  it("after its first byte loses the connection, so that half an answer is not taken for a whole one", async () => {
    const received = await wire("GET /fail/middle HTTP/1.1\r\nhost: a\r\n\r\n");
    expect([received.includes("half"), received.includes("\r\n0\r\n")]).toEqual([true, false]);
  });

  it("with a rejection that nobody awaits is logged, and the server goes on", async () => {
    expect(await answer("/fail/floating")).toEqual([200, "answered"]);
    expect(await app.logged("unhandled rejection")).not.toContain("floatingsecret1");
    expect(await answer("/ping")).toEqual([200, { ok: true }]);
  });
});

describe("the response", () => {
  it("has its length when it is one piece, chunks otherwise, neither when it is empty by rule", async () => {
    const lengths = await Promise.all(
      ["/ping", "/stream/pieces", "/stream/empty"].map(async (path) => {
        const response = await fetch(app.url + path);
        return [response.status, response.headers.get("content-length"), await response.text()];
      }),
    );
    expect(lengths).toEqual([
      [200, "11", '{"ok":true}'],
      [200, null, "one,two,three"],
      [204, null, ""],
    ]);
  });

  it("sends each value of a list as its own header", async () => {
    const response = await fetch(`${app.url}/stream/pieces`);
    expect([response.headers.getSetCookie(), response.headers.get("x-one")]).toEqual([["a=1", "b=2"], "1"]);
  });
});

describe("what is no request", () => {
  it.each([
    ["no HTTP at all", "GARBAGE\r\n\r\n"],
    ["an unknown method token", "FETCH / HTTP/1.1\r\nhost: a\r\n\r\n"],
    ["a space in the target", "GET /a b HTTP/1.1\r\nhost: a\r\n\r\n"],
    ["a space in a header name", "GET / HTTP/1.1\r\nhost: a\r\nx y: z\r\n\r\n"],
    ["no host", "GET /ping HTTP/1.1\r\nconnection: close\r\n\r\n"],
    [
      "two lengths",
      "POST /body/count HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a target of another kind", "GET http://evil.example/ping HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"],
  ])("is answered 400 and closed: %s", async (_, text) => {
    expect(await wire(text)).toStartWith("HTTP/1.1 400 ");
  });

  it("leaves the server serving", async () => {
    expect(await answer("/ping")).toEqual([200, { ok: true }]);
  });
});

describe("the log", () => {
  it("has method, path without query, status and duration of a request, and nothing else of it", async () => {
    await fetch(`${app.url}/item/log-me?q=querysecret`, {
      headers: { cookie: "xr_visitor=cookiesecret", authorization: "Bearer headersecret" },
    });
    await fetch(`${app.url}/body/count`, { method: "POST", body: "bodysecret" });
    const text = await app.logged('"path":"/body/count"');
    const line = JSON.parse(text.split("\n").find((entry) => entry.includes("/item/log-me"))!);
    expect(Object.keys(line)).toEqual(["level", "time", "message", "method", "path", "status", "durationMs"]);
    expect(line).toMatchObject({ message: "request", method: "GET", path: "/item/log-me", status: 200 });
    expect(text).not.toMatch(/querysecret|cookiesecret|headersecret|bodysecret/);
  });
});
