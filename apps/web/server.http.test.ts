import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { SECURITY_HEADERS } from "./headers.mts";
import { apiPath, createPort } from "./port.mts";

const BODY_BYTES = 100_000;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let upstream: Server;
let port: Server;
let url: string;

beforeAll(async () => {
  upstream = createServer((request, response) => answer(request, response));
  port = createPort({
    apiUrl: await listen(upstream),
    bodyBytes: BODY_BYTES,
    page: (request, response) => {
      if (request.url === "/throws") throw new Error("page secret");
      response.setHeader("Content-Type", "text/html");
      response.end(`page ${request.url}`);
    },
    log: () => {},
  });
  url = await listen(port);
});
afterAll(() => {
  for (const server of [port, upstream]) {
    server.close();
    server.closeAllConnections();
  }
});

describe("path mapping", () => {
  it("sends to the API what is the API's, under its own paths, and nothing else", () => {
    const expected: [string, string | null][] = [
      ["/api/agent/ask", "/agent/ask"],
      ["/api/", "/"],
      ["/api", "gone"],
      ["/api/__encore/healthz", "gone"],
      ["/apiary", null],
      ["/rss.xml", "/rss.xml"],
      ["/rss/kernel.xml", "/rss/kernel.xml"],
      ["/notes/kernel/gate.webp", "/assets/notes/kernel/gate.webp"],
      ["/notes/kernel/saying-no", null],
      ["/notes/kernel", null],
      ["/skills/text-tools.zip", "/assets/skills/text-tools.zip"],
      ["/skills/text-tools", null],
      ["/.well-known/oauth-authorization-server", "gone"],
      ["/register", "gone"],
      ["/", null],
    ];
    expect(expected.map(([path]) => [path, apiPath(path)])).toEqual(expected);
  });

  it("keeps the query as it was written", async () => {
    answer = (request, response) => response.end(request.url);
    expect(await (await fetch(`${url}/api/trace/stream?a=%2F&b=1`)).text()).toBe("/trace/stream?a=%2F&b=1");
  });

  it("reaches no other host, however the path is written", async () => {
    answer = (request, response) => response.end(`api ${request.url}`);
    // The same path, resolved as a URL against the API's address, would leave for another host.
    expect(new URL("//evil.example/x", url).host).toBe("evil.example");
    expect(await (await fetch(`${url}/api//evil.example/x`)).text()).toBe("api //evil.example/x");
  });

  it("answers probes for an authorization server with a JSON 404", async () => {
    for (const path of ["/.well-known/openid-configuration", "/register"]) {
      const response = await fetch(url + path);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: "There is nothing here.", code: "not_found" });
    }
  });
});

describe("what the API is told", () => {
  it("replaces every forwarding header by its own", async () => {
    answer = (request, response) => response.end(JSON.stringify(request.headers));
    const forged = {
      "X-Forwarded-For": "6.6.6.6",
      "X-Forwarded-Proto": "https",
      "X-Forwarded-Host": "evil.example",
      "X-Real-IP": "6.6.6.6",
      Forwarded: "for=6.6.6.6",
    };
    const seen = (await (await fetch(`${url}/api/x`, { headers: forged })).json()) as Record<string, string>;
    expect(seen["x-forwarded-for"]).toBe("127.0.0.1");
    expect(seen["x-forwarded-proto"]).toBe("http");
    expect(seen["x-forwarded-host"]).toBe(new URL(url).host);
    expect(JSON.stringify(seen)).not.toContain("6.6.6.6");
    expect(JSON.stringify(seen)).not.toContain("evil");
  });

  it("passes cookies both ways, several of them", async () => {
    answer = (request, response) => {
      response.setHeader("Set-Cookie", ["xr_visitor=new; HttpOnly", "other=1"]);
      response.end(request.headers.cookie);
    };
    const response = await fetch(`${url}/api/x`, { headers: { Cookie: "xr_visitor=old" } });
    expect(await response.text()).toBe("xr_visitor=old");
    expect(response.headers.getSetCookie()).toEqual(["xr_visitor=new; HttpOnly", "other=1"]);
  });

  it("passes method, status and a body of 64 KiB", async () => {
    answer = (request, response) => {
      let bytes = 0;
      request.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      request.on("end", () => {
        response.statusCode = 418;
        response.end(`${request.method} ${bytes}`);
      });
    };
    const response = await fetch(`${url}/api/agent/ask`, { method: "POST", body: "x".repeat(65_536) });
    expect(response.status).toBe(418);
    expect(await response.text()).toBe("POST 65536");
  });

  it("sends HEAD as HEAD and returns no body", async () => {
    answer = (request, response) => {
      response.setHeader("X-Method", request.method ?? "");
      response.end();
    };
    const response = await fetch(`${url}/api/health`, { method: "HEAD" });
    expect(response.headers.get("x-method")).toBe("HEAD");
    expect(await response.text()).toBe("");
  });
});

describe("streams", () => {
  it("delivers a chunk while the API still holds the stream open", async () => {
    let end = () => {};
    answer = (_request, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write("event: a\ndata: 1\n\n");
      end = () => response.end("event: b\ndata: 2\n\n");
    };
    const reader = (await fetch(`${url}/api/agent/ask`)).body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe("event: a\ndata: 1\n\n");
    end();
    expect((await reader.read()).value).toBe("event: b\ndata: 2\n\n");
    expect((await reader.read()).done).toBe(true);
  });

  it("delivers the head before the first event", async () => {
    let end = () => {};
    answer = (_request, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.flushHeaders();
      end = () => response.end();
    };
    const response = await fetch(`${url}/api/trace/stream`);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    end();
  });

  it("tells the API when the visitor leaves in the middle of a stream", async () => {
    const gone = Promise.withResolvers<void>();
    answer = (_request, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write(": hb\n\n");
      response.on("close", gone.resolve);
    };
    const abort = new AbortController();
    const response = await fetch(`${url}/api/agent/ask`, { signal: abort.signal });
    await response.body!.getReader().read();
    abort.abort();
    await gone.promise;
  });

  it("cuts the visitor's stream when the API dies in the middle", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write("event: a\ndata: 1\n\n");
      response.socket?.destroySoon();
    };
    const cut = new Promise<boolean>((resolve) => {
      request(`${url}/api/agent/ask`, (response) => {
        response.resume();
        response.on("close", () => resolve(response.complete));
        response.on("error", () => {});
      }).end();
    });
    expect(await cut).toBe(false);
  });
});

describe("refusals", () => {
  it("answers 502 in a fixed sentence when the API is down", async () => {
    const closed = createServer();
    const apiUrl = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    const lonely = createPort({ apiUrl, bodyBytes: BODY_BYTES, page: () => {}, log: () => {} });
    const response = await fetch(`${await listen(lonely)}/api/health`);
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ error: "The API does not answer.", code: "internal" });
    lonely.close();
  });

  it("finds nothing under a path that cannot be decoded, and refuses one of the API", async () => {
    for (const path of ["/notes/%E0%A4%A", "/notes/turns/%E0%A4%A.png", "/rss/%zz.xml", "/skills/%ff.zip"]) {
      expect([path, await rawStatus(`GET ${path} HTTP/1.1`)]).toEqual([path, 404]);
    }
    expect(await rawStatus("GET /api/%zz HTTP/1.1")).toBe(400);
  });

  it("refuses a body over the limit, announced or not, before the API has all of it", async () => {
    answer = (request, response) => {
      request.resume();
      request.on("end", () => response.end("whole"));
    };
    const announced = await fetch(`${url}/api/x`, { method: "POST", body: "x".repeat(BODY_BYTES + 1) });
    expect(announced.status).toBe(413);
    const chunks = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 3; i++) controller.enqueue(new TextEncoder().encode("x".repeat(BODY_BYTES / 2)));
        controller.close();
      },
    });
    const unannounced = await fetch(`${url}/api/x`, { method: "POST", body: chunks });
    expect(unannounced.status).toBe(413);
    expect(await unannounced.json()).toEqual({ error: "The request is too large.", code: "too_large" });
  });

  it("says nothing about an exception of a page", async () => {
    const response = await fetch(`${url}/throws`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
  });
});

describe("security headers", () => {
  it("are on every answer: pages, API, refusals", async () => {
    answer = (_request, response) => response.end("ok");
    for (const path of ["/", "/api/x", "/register", "/throws"]) {
      const response = await fetch(url + path);
      const sent = Object.fromEntries(Object.keys(SECURITY_HEADERS).map((name) => [name, response.headers.get(name)]));
      expect(sent).toEqual({ ...SECURITY_HEADERS });
      expect(response.headers.get("strict-transport-security")).toBeNull();
    }
  });

  it("ask for https only where the site is reached by https", async () => {
    const secure = createPort({
      apiUrl: url,
      siteOrigin: "https://x.example",
      bodyBytes: BODY_BYTES,
      page: (_request, response) => void response.end(),
      log: () => {},
    });
    const response = await fetch(await listen(secure));
    expect(response.headers.get("strict-transport-security")).toBe("max-age=300");
    secure.close();
  });
});

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

/** The status of a request whose first line is sent as it is; `fetch` would repair it. */
function rawStatus(firstLine: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port: number } = new URL(url);
    const socket = connect(Number(number), hostname, () => {
      socket.write(`${firstLine}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    });
    socket.once("data", (data) => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString())?.[1]));
      socket.destroy();
    });
    socket.once("error", reject);
  });
}
