import { describe, expect, it } from "bun:test";
import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { openSse } from "./sse";

const LONG_MS = 60_000;

/** A response whose writes wait until the test takes them, like a reader with a full window. */
class HeldResponse extends Writable {
  taken: string[] = [];
  head: { status: number; headers: Record<string, string> } | undefined;
  #held: (() => void)[] = [];
  #open = false;

  writeHead(status: number, headers: Record<string, string>) {
    this.head = { status, headers };
    return this;
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    const take = () => {
      this.taken.push(String(chunk));
      done();
    };
    if (this.#open) take();
    else this.#held.push(take);
  }
  /** Takes everything that waits and whatever comes later. */
  read() {
    this.#open = true;
    for (const take of this.#held.splice(0)) take();
    return this;
  }
}

const asResponse = (response: HeldResponse) => response as unknown as ServerResponse;

describe("an SSE answer", () => {
  it("sends its head and a first chunk at once", () => {
    const response = new HeldResponse().read();
    const sse = openSse(asResponse(response), LONG_MS);
    expect(response.head).toEqual({
      status: 200,
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
        "x-content-type-options": "nosniff",
      },
    });
    expect(response.taken).toEqual([": hb\n\n"]);
    return sse.end();
  });

  it("resolves a send only when the frame was taken", async () => {
    const response = new HeldResponse();
    const sse = openSse(asResponse(response), LONG_MS);
    let sent = false;
    const sending = sse.send({ id: "0.0", event: "delta", data: { text: "a\nb" } }).then(() => {
      sent = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBe(false);
    response.read();
    await sending;
    expect(response.taken.at(-1)).toBe('id: 0.0\nevent: delta\ndata: {"text":"a\\nb"}\n\n');
    await sse.end();
  });

  it("lets go of a send when the reader leaves, and does nothing afterwards", async () => {
    const response = new HeldResponse();
    const sse = openSse(asResponse(response), LONG_MS);
    const sending = sse.send({ event: "delta", data: {} });
    response.destroy();
    await sending;
    expect(sse.gone.aborted).toBe(true);
    await sse.send({ event: "delta", data: {} });
    await sse.end();
    await sse.end();
  });

  it("knows a reader that left before the stream was opened, and keeps no timer for it", async () => {
    const response = new HeldResponse();
    response.destroy();
    await new Promise((resolve) => response.once("close", resolve));
    const sse = openSse(asResponse(response), 1);
    expect(sse.gone.aborted).toBe(true);
    await sse.send({ event: "delta", data: {} });
    await Bun.sleep(5);
    await sse.end();
    expect(response.taken).toEqual([]);
  });

  it("cuts off a reader that takes nothing for two heartbeats", async () => {
    const response = new HeldResponse();
    const sse = openSse(asResponse(response), 5);
    await sse.send({ event: "delta", data: {} });
    expect(sse.gone.aborted).toBe(true);
    expect(response.destroyed).toBe(true);
  });

  it("keeps a reader that takes each heartbeat", async () => {
    const response = new HeldResponse().read();
    const sse = openSse(asResponse(response), 2);
    while (response.taken.length < 6) await new Promise((resolve) => setImmediate(resolve));
    expect(sse.gone.aborted).toBe(false);
    expect(new Set(response.taken)).toEqual(new Set([": hb\n\n"]));
    await sse.end();
  });

  it("gives a reader a grace to take what is written before it is cut off", async () => {
    const response = new HeldResponse();
    const sse = openSse(asResponse(response), LONG_MS);
    sse.cutOffIn(5);
    await sse.send({ event: "bye", data: {} });
    expect(response.destroyed).toBe(true);
  });
});
