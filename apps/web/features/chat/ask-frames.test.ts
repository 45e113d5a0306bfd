import { describe, expect, it } from "bun:test";
import { encodeSse, HEARTBEAT } from "../../../../shared/sse";
import { readAskFrames } from "./ask-frames";

const SILENCE_MS = 10_000;

async function read(chunks: (string | Uint8Array)[], silenceMs = SILENCE_MS) {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      controller.close();
    },
  });
  const frames = [];
  for await (const frame of readAskFrames(body, { silenceMs })) frames.push(frame);
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
    expect(readAskFrames(silent, { silenceMs: 1 }).next()).rejects.toThrow("silent");
  });
});
