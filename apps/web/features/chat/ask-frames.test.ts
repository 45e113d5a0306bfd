import { describe, expect, it } from "bun:test";
import { encodeSse, HEARTBEAT } from "../../../../shared/sse";
import { readAskFrames } from "./ask-frames";

const SILENCE_MS = 10_000;
const leave = new AbortController().signal;

async function read(chunks: (string | Uint8Array)[], silenceMs = SILENCE_MS) {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      controller.close();
    },
  });
  const frames = [];
  for await (const frame of readAskFrames(body, { silenceMs, leave, joinable: false })) frames.push(frame);
  return frames;
}

describe("an ask stream", () => {
  const text = encodeSse({ id: "0.1", event: "delta", data: { text: "说不" } });

  it("gives the frames that were encoded, wherever its bytes are cut", async () => {
    const bytes = new TextEncoder().encode(text);
    for (let cut = 1; cut < bytes.length; cut++) {
      expect(await read([bytes.slice(0, cut), bytes.slice(cut)])).toEqual([
        { id: "0.1", event: "delta", data: { text: "说不" } },
      ]);
    }
  });

  it("skips heartbeats, unknown events, frames without an id, and data that is not JSON", async () => {
    const odd = [
      "event: future\nid: 0.2\ndata: {}\n\n",
      "event: delta\ndata: {}\n\n",
      "id: 0.3\nevent: delta\ndata: {\n\n",
    ];
    expect((await read([HEARTBEAT, ...odd, text])).map((frame) => frame.id)).toEqual(["0.1"]);
  });

  it("gives no half frame at a cut", async () => {
    expect(await read([text.slice(0, -1)])).toEqual([]);
  });

  it("throws when the stream stays open and silent", async () => {
    const silent = new ReadableStream<Uint8Array>({});
    expect(readAskFrames(silent, { silenceMs: 1, leave, joinable: false }).next()).rejects.toThrow("silent");
  });

  it("is left when asked, but not before its first frame, and then gives its connection back", async () => {
    const hidden = new AbortController();
    hidden.abort();
    let cancelled = false;
    let push = (_text: string) => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        push = (piece) => controller.enqueue(new TextEncoder().encode(piece));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const frames = readAskFrames(body, { silenceMs: SILENCE_MS, leave: hidden.signal, joinable: false });
    const first = frames.next();
    push(HEARTBEAT);
    push(encodeSse({ id: "0.0", event: "session", data: { sessionId: "s" } }) + text);
    expect((await first).value?.id).toBe("0.0");
    expect(cancelled).toBe(false);
    expect(await frames.next()).toEqual({ done: true, value: undefined });
    expect(cancelled).toBe(true);
  });

  it("that can be joined again is left before its first frame, too", async () => {
    const hidden = new AbortController();
    let cancelled = 0;
    const silent = () => new ReadableStream<Uint8Array>({ cancel: () => void cancelled++ });
    const options = { silenceMs: SILENCE_MS, leave: hidden.signal, joinable: true };
    const waiting = readAskFrames(silent(), options).next();
    hidden.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await readAskFrames(silent(), options).next()).toEqual({ done: true, value: undefined });
    expect(cancelled).toBe(2);
  });

  it("is left while it waits", async () => {
    const hidden = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    });
    const frames = readAskFrames(body, { silenceMs: SILENCE_MS, leave: hidden.signal, joinable: false });
    expect((await frames.next()).value?.id).toBe("0.1");
    const second = frames.next();
    hidden.abort();
    expect(await second).toEqual({ done: true, value: undefined });
  });
});
