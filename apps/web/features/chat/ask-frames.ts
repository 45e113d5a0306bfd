/**
 * Reads an ask stream as frames. Ends when the stream does; throws when it breaks or stays silent longer than any
 * heartbeat would, so that whoever reads can join again. Events this page does not know are skipped.
 *
 * `leave` ends the reading early: at once where the page knows what it can join again, else after the first frame, which
 * tells.
 */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { AskFrame, AskFrameName } from "../../../../shared/sse";

const NAMES = new Set<string>(["session", "delta", "tool_start", "tool_end", "done", "error"] satisfies AskFrameName[]);

export async function* readAskFrames(
  body: ReadableStream<Uint8Array>,
  options: { silenceMs: number; leave: AbortSignal; joinable: boolean },
): AsyncGenerator<AskFrame, void> {
  const waiting: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => waiting.push(event) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const read = new AbortController();
  const cancel = () => void reader.cancel().catch(() => {});
  let mayLeave = options.joinable;
  options.leave.addEventListener("abort", () => mayLeave && cancel(), { signal: read.signal });
  try {
    while (!(mayLeave && options.leave.aborted)) {
      const { done, value } = await within(reader.read(), options.silenceMs);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      for (const event of waiting.splice(0)) {
        const frame = toFrame(event);
        if (frame === null) continue;
        yield frame;
        mayLeave = true;
        if (options.leave.aborted) return;
      }
    }
  } finally {
    read.abort();
    cancel();
  }
}

function toFrame({ id, event, data }: EventSourceMessage): AskFrame | null {
  if (id === undefined || event === undefined || !NAMES.has(event)) return null;
  try {
    return { id, event, data: JSON.parse(data) } as AskFrame;
  } catch {
    return null;
  }
}

function within<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("The stream fell silent.")), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
