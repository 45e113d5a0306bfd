import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from "bun:test";
import type { RunningApp } from "../../tests/support/app.mts";
import { notes, startFixture } from "./__tests__/fixture.mts";
import { eventually, openRaw, settled } from "./__tests__/raw-client.mts";

const LIMIT = 64 * 1024;
const MIB = 1024 * 1024;

setDefaultTimeout(30_000);
let app: RunningApp;
beforeAll(async () => {
  app = await startFixture();
});
afterAll(() => app.stop());

async function post(path: string, body: BodyInit): Promise<[number, string]> {
  const response = await fetch(app.url + path, { method: "POST", body });
  return [response.status, await response.text()];
}

describe("a request body", () => {
  it("arrives whole up to its limit, and breaks one byte above it", async () => {
    expect(await post("/body/count", new Uint8Array(LIMIT))).toEqual([200, String(LIMIT)]);
    expect(await post("/body/count", new Uint8Array(LIMIT + 1))).toEqual([413, "too much"]);
  });

  it("is counted as it arrives, not as it is declared", async () => {
    const client = await openRaw(app.url);
    client.send("POST /body/count HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
    const chunk = "x".repeat(16 * 1024);
    for (let sent = 0; sent < 5; sent++) client.send(`4000\r\n${chunk}\r\n`);
    expect(await client.until("too much")).toStartWith("HTTP/1.1 413 ");
    client.leave();
  });

  it("has no limit where the endpoint says null", async () => {
    expect(await post("/body/unlimited", new Uint8Array(30 * MIB))).toEqual([200, String(30 * MIB)]);
  });

  it("that is left unread does not cost the client its answer, and the connection goes on", async () => {
    const client = await openRaw(app.url);
    client.send(`POST /body/unread HTTP/1.1\r\nhost: a\r\ncontent-length: ${MIB}\r\n\r\n`);
    client.send(Buffer.alloc(MIB));
    await client.until("not read");
    client.send("GET /ping HTTP/1.1\r\nhost: a\r\n\r\n");
    expect(await client.until('{"ok":true}')).toStartWith("HTTP/1.1 200 ");
    client.leave();
  });

  it("that its handler stops reading is let go, so that the client gets its answer and the connection goes on", async () => {
    const client = await openRaw(app.url);
    client.send(`POST /body/picky HTTP/1.1\r\nhost: a\r\ncontent-length: ${MIB}\r\n\r\n`);
    client.send(Buffer.alloc(MIB / 2));
    await client.until("read enough");
    client.send(Buffer.alloc(MIB / 2));
    client.send("GET /ping HTTP/1.1\r\nhost: a\r\n\r\n");
    expect((await client.until('{"ok":true}')).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
    client.leave();
  });

  it("that never comes to its end loses the connection after the answer, without a second answer", async () => {
    const client = await openRaw(app.url);
    client.send("POST /body/unread HTTP/1.1\r\nhost: a\r\ncontent-length: 500000000\r\n\r\n");
    const drip = setInterval(() => client.send("x".repeat(1_000)), 20);
    const received = await client.closed().finally(() => clearInterval(drip));
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
  });

  it("that nobody reads waits with its sender", async () => {
    const stalled = await startFixture();
    const client = await openRaw(stalled.url);
    client.send("POST /body/stalled HTTP/1.1\r\nhost: a\r\ncontent-length: 500000000\r\n\r\n");
    let takenMib = 0;
    const sendMore = (): unknown =>
      takenMib < 256 && client.socket.write(Buffer.alloc(MIB), () => ++takenMib && sendMore());
    sendMore();
    await eventually(async () => (await notes(stalled)).some((note) => note.startsWith("first chunk")), "a chunk came");
    expect(await settled(() => takenMib)).toBeLessThan(64);
    client.leave();
    await stalled.stop("SIGKILL");
  });

  it("whose sender leaves breaks for the reader", async () => {
    const client = await openRaw(app.url);
    client.send("POST /body/count HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nabc");
    const before = (await notes(app)).length;
    client.leave();
    await eventually(
      async () => (await notes(app)).slice(before).includes("body broke The request was aborted."),
      "the reader saw the break",
    );
  });
});

describe("a body that breaks with nobody listening for errors", () => {
  async function breakCarelessly(target: RunningApp): Promise<void> {
    const client = await openRaw(target.url);
    client.send("POST /body/careless HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nabc");
    // The answer to a second connection shows that the first one's bytes were handled.
    await fetch(`${target.url}/ping`);
    client.leave();
  }

  it("does not take a public server down", async () => {
    await breakCarelessly(app);
    await app.logged('"path":"/body/careless"');
    expect((await fetch(`${app.url}/ping`)).status).toBe(200);
  });

  it("ends the process in strict mode, as it would on Encore's runtime", async () => {
    const strict = await startFixture({ strict: true });
    await breakCarelessly(strict);
    await strict.logged("uncaught exception");
    expect(await strict.stop()).toBe(1);
  });
});
