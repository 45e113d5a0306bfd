import { afterEach, describe, expect, it, setDefaultTimeout } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningApp } from "../../tests/support/app.mts";
import { notes, startFixture } from "./__tests__/fixture.mts";
import { eventually, openRaw, settled } from "./__tests__/raw-client.mts";

const MIB = 1024 * 1024;
setDefaultTimeout(30_000);
const running: RunningApp[] = [];
async function start(options: Parameters<typeof startFixture>[0] = {}): Promise<RunningApp> {
  const app = await startFixture(options);
  running.push(app);
  return app;
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.stop("SIGKILL")));
});

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

describe("a stream", () => {
  it("arrives frame by frame while the handler runs", async () => {
    const app = await start();
    const client = await openRaw(app.url);
    client.send(get("/stream/ticks"));
    const head = await client.until("data: 3\n\n");
    expect([
      head.includes("transfer-encoding: chunked") || head.includes("Transfer-Encoding: chunked"),
      head.includes("bye"),
    ]).toEqual([true, false]);
    expect(await notes(app)).toEqual([]);
    client.leave();
  });

  it("tells its handler that the reader left", async () => {
    const app = await start();
    const client = await openRaw(app.url);
    client.send(get("/stream/ticks?count=40"));
    await client.until("data: 1\n\n");
    client.leave();
    await eventually(async () => (await notes(app)).includes("stream ended"), "the handler came to its end");
    expect(await notes(app)).toEqual(["stream closed false", "stream ended"]);
  });

  it("keeps that from its handler in strict mode, as Encore's runtime does", async () => {
    const app = await start({ strict: true });
    const client = await openRaw(app.url);
    client.send(get("/stream/ticks?count=40"));
    await client.until("data: 1\n\n");
    client.leave();
    await eventually(async () => (await notes(app)).includes("stream closed true"), "the handler came to its end");
    expect(await notes(app)).toEqual(["stream ended", "stream closed true"]);
  });

  it("is cut off when the handler destroys it", async () => {
    const app = await start();
    const client = await openRaw(app.url);
    client.send(get("/stream/cut"));
    const received = await client.closed();
    expect([received.includes("begun"), received.includes("\r\n0\r\n")]).toEqual([true, false]);
  });

  it("waits for a slow reader instead of filling memory, and goes on when the reader does", async () => {
    const app = await start();
    const client = await openRaw(app.url);
    client.socket.pause();
    client.send(get("/stream/flood"));
    const taken = await settled(async () => Number((await notes(app)).at(-1)?.split(" ")[1] ?? Math.random()));
    expect(taken).toBeLessThan(64 * MIB);
    let received = 0;
    client.socket.removeAllListeners("data").on("data", (chunk) => {
      received += chunk.length;
    });
    client.socket.resume();
    await eventually(() => received > taken + 8 * MIB, "the stream went on");
    client.leave();
    await eventually(async () => (await notes(app)).at(-1)!.startsWith("flood over"), "the handler was released");
  });

  it("releases a handler that waits for a reader who left, in strict mode too", async () => {
    const app = await start({ strict: true });
    const client = await openRaw(app.url);
    client.socket.pause();
    client.send(get("/stream/flood"));
    await settled(async () => Number((await notes(app)).at(-1)?.split(" ")[1] ?? Math.random()));
    client.leave();
    await eventually(async () => (await notes(app)).at(-1) === `flood over ${256 * MIB}`, "every write succeeded");
  });
});

describe("a stop", () => {
  it("ends a running stream with its last frame, then the process with 0", async () => {
    const app = await start();
    const client = await openRaw(app.url);
    client.send(get("/stream/ticks"));
    await client.until("data: 1\n\n");
    const code = app.stop();
    expect(await client.closed()).toEndWith("event: bye\ndata: {}\n\n\r\n0\r\n\r\n");
    expect(await code).toBe(0);
    expect(app.log()).toContain('"message":"stopped","inTime":true');
  });

  it("waits for what the application's own listeners still do", async () => {
    const app = await start({ env: { FIXTURE_CLEANUP_MS: "300" } });
    expect(await app.stop()).toBe(0);
    expect(app.log()).toContain("fixture: cleaned up");
  });

  it("gives up at its deadline and says so with 1", async () => {
    const app = await start({ shutdownSeconds: 1 });
    const client = await openRaw(app.url);
    client.send(get("/stream/stubborn"));
    await client.until(": open");
    expect(await app.stop()).toBe(1);
    expect(await client.closed()).not.toContain("\r\n0\r\n");
    expect(app.log()).toContain('"message":"stopped","inTime":false');
  });

  it("takes no new connection, and calls itself unhealthy on one that was open", async () => {
    const app = await start({ shutdownSeconds: 30 });
    const stream = await openRaw(app.url);
    stream.send(get("/stream/stubborn"));
    await stream.until(": open");
    const open = await openRaw(app.url);
    open.send("GET /__encore/healthz HTTP/1.1\r\nhost: a\r\n");
    await fetch(`${app.url}/ping`);
    const code = app.stop();
    await app.logged('"message":"stopping"');
    await expect(openRaw(app.url)).rejects.toThrow();
    open.send("\r\n");
    expect(await open.closed()).toStartWith("HTTP/1.1 503 ");
    stream.leave();
    expect(await code).toBe(0);
  });

  it("leaves at once at the second interrupt", async () => {
    const app = await start({ shutdownSeconds: 30 });
    const client = await openRaw(app.url);
    client.send(get("/stream/stubborn"));
    await client.until(": open");
    void app.stop("SIGINT");
    await app.logged('"message":"stopping"');
    expect(await app.stop("SIGINT")).toBe(1);
    expect(app.log()).not.toContain('"message":"stopped"');
  });

  it("follows an exception that nobody caught, in good order and with 1", async () => {
    const app = await start();
    const client = await openRaw(app.url);
    client.send(get("/stream/ticks"));
    await client.until("data: 1\n\n");
    await fetch(`${app.url}/fail/uncaught`);
    expect(await client.closed()).toContain("event: bye");
    await app.logged('"message":"stopped"');
    expect(await app.stop()).toBe(1);
    expect(app.log()).toContain('"message":"uncaught exception","error":"Error: nobody caught this"');
  });
});

describe("an application started for a test", () => {
  it("does not outlive its runner", async () => {
    const support = join(import.meta.dir, "__tests__/fixture.mts");
    const script = `const { startFixture } = await import(${JSON.stringify(support)});
      console.log((await startFixture()).url); process.kill(process.pid, "SIGKILL");`;
    // A runner that is killed clears nothing away, so its temporary files lie in a folder of their own.
    const folder = mkdtempSync(join(tmpdir(), "xray-killed-"));
    const env = { ...process.env, TMPDIR: folder };
    const { stdout } = spawnSync(process.execPath, ["--bun", "-e", script], { encoding: "utf8", env });
    const url = stdout.trim();
    expect(url).toStartWith("http://127.0.0.1:");
    const isGone = async () => {
      const client = await openRaw(url).catch(() => undefined);
      client?.leave();
      return client === undefined;
    };
    await eventually(isGone, "the application stopped");
    rmSync(folder, { recursive: true });
  });
});

describe("a start", () => {
  it("fails with the reason when the application is not one", async () => {
    const root = mkdtempSync(join(tmpdir(), "xray-empty-"));
    await expect(start({ root })).rejects.toThrow("encore.app:1: The file is missing.");
    rmSync(root, { recursive: true });
  });

  it("fails with the reason when the address cannot be bound", async () => {
    const app = await start();
    const address = app.url.slice("http://".length);
    await expect(start({ env: { ENCORE_LISTEN_ADDR: address } })).rejects.toThrow("EADDRINUSE");
    await expect(start({ env: { ENCORE_LISTEN_ADDR: "here" } })).rejects.toThrow("not host:port");
  });
});
