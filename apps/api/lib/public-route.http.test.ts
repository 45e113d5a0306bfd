/** publicRoute on a small application of its own: whatever a handler does becomes one answer of the closed table. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { join } from "node:path";
import { openRaw } from "../../host/__tests__/raw-client.mts";
import { type RunningApp, startApp } from "../../../tests/support/app.mts";

const INTERNAL = { error: "Something went wrong on our side.", code: "internal" };

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ root: join(import.meta.dir, "__tests__/route-app") });
}, 60_000);
afterAll(() => app.stop());

const get = (path: string) => fetch(app.url + path);

describe("publicRoute", () => {
  it("lets no field out that the contract does not name", async () => {
    expect(await (await get("/extra")).json()).toEqual({ named: "yes" });
  });

  it("answers internal when the answer itself breaks the contract", async () => {
    const response = await get("/broken");
    expect([response.status, await response.json()]).toEqual([500, INTERNAL]);
  });

  it("turns an unforeseen error into the fixed sentence, with the cookie, and one redacted log line", async () => {
    const response = await get("/throws");
    expect([response.status, response.headers.get("set-cookie"), await response.json()]).toEqual([
      500,
      "a=b",
      INTERNAL,
    ]);
    const lines = (await app.logged('"path":"/throws"')).split("\n").filter((line) => line.includes("inner text"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("An endpoint failed.");
    expect(lines[0]).not.toContain("hunter2");
  });

  it("rounds the time to come back up to a whole minute", async () => {
    const response = await get("/limited");
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "120"]);
  });

  it("ends a stream cleanly when its handler throws after the first byte, and logs it", async () => {
    const response = await get("/torn");
    expect([response.status, response.headers.get("set-cookie")]).toEqual([200, "a=b"]);
    expect(await response.text()).toBe(": hb\n\nevent: first\ndata: {}\n\n");
    expect(await app.logged("torn apart")).toContain("An endpoint failed.");
  });

  it("answers nothing with an empty 204", async () => {
    const response = await get("/empty");
    expect([response.status, await response.text()]).toEqual([204, ""]);
  });
});

describe("a file", () => {
  const headersOf = ({ headers }: Response) =>
    Object.fromEntries(
      ["content-type", "content-length", "etag", "cache-control", "x-content-type-options", "content-disposition"].map(
        (name) => [name, headers.get(name)],
      ),
    );
  const PICTURE = {
    "content-type": "image/png",
    "content-length": "4",
    etag: '"04efaf080f5a3e74e1c29d1ca6a48569382cbbcd324e8d59d2b83ef21c039f00"',
    "cache-control": "public, max-age=60",
    "x-content-type-options": "nosniff",
    "content-disposition": null,
  };

  it("comes whole, with what identifies it and how long it may be kept", async () => {
    const response = await get("/picture");
    expect([response.status, headersOf(response), await response.text()]).toEqual([200, PICTURE, "four"]);
  });

  it("has the same headers without its bytes for HEAD", async () => {
    const response = await fetch(`${app.url}/picture`, { method: "HEAD" });
    expect([response.status, headersOf(response), await response.text()]).toEqual([200, PICTURE, ""]);
  });

  it("is private unless it says for how long it is public, and is saved under the name it gives", async () => {
    expect(headersOf(await get("/pack"))).toEqual({
      "content-type": "application/zip",
      "content-length": "3",
      etag: '"abc"',
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
      "content-disposition": 'attachment; filename="a-pack.zip"',
    });
  });

  it.each([
    ['"abc"', 304],
    ['W/"abc"', 304],
    ['"other", "abc"', 304],
    ["*", 304],
    ['"ab"', 200],
    ["abc", 200],
    ["", 200],
  ])("asked about with If-None-Match %s answers %i", async (known, status) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await fetch(`${app.url}/pack`, { method, headers: { "if-none-match": known } });
      expect([response.status, response.headers.get("etag"), response.headers.get("cache-control")]).toEqual([
        status,
        '"abc"',
        "private, no-cache",
      ]);
      expect(await response.text()).toBe(status === 200 && method === "GET" ? "zip" : "");
    }
  });

  it("is known too when the header was sent twice", async () => {
    const client = await openRaw(app.url);
    const known = 'If-None-Match: "other"\r\nIf-None-Match: "abc"\r\n';
    client.send(`GET /pack HTTP/1.1\r\nHost: x\r\n${known}Connection: close\r\n\r\n`);
    expect(await client.until("\r\n\r\n")).toStartWith("HTTP/1.1 304 ");
    client.socket.destroy();
  });

  it("that is not there is refused as everything else is, without a body for HEAD", async () => {
    const response = await get("/missing");
    expect([response.status, (await response.json()).code, response.headers.get("cache-control")]).toEqual([
      404,
      "not_found",
      "no-store",
    ]);
    const head = await fetch(`${app.url}/missing`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([404, ""]);
  });
});
