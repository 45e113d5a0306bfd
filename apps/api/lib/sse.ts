/**
 * Opens an answer as a stream of server-sent events. Promises: the head leaves at once, a comment keeps an idle stream
 * alive, a write resolves only when the HTTP layer took it, and a reader that takes nothing for two heartbeats is cut
 * off. Streams must be right where a disconnect stays invisible; where it is visible, `gone` tells.
 */
import type { ServerResponse } from "node:http";
import { HEARTBEAT, encodeSse } from "../../../shared/sse";

export interface SseStream {
  /** Aborted once the reader has left or was cut off, and after the end. Writing then does nothing. */
  readonly gone: AbortSignal;
  /** Resolves when the frame was taken or the reader is gone. Never rejects. */
  send(frame: { id?: string; event: string; data: unknown }): Promise<void>;
  /** As `send`, for bytes of `encodeSse` that several readers get: encoding is most of a frame's cost. */
  sendEncoded(frame: Uint8Array): Promise<void>;
  /** Gives the reader this long to take what is still written, then cuts it off. */
  cutOffIn(graceMs: number): void;
  /** Closes the stream. Safe to call twice. */
  end(): Promise<void>;
}

const SSE_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};
/** Heartbeats that may find the same write still waiting. */
const STALLED_BEATS = 2;

/** Headers set on the response before (a cookie) leave with the stream's head. */
export function openSse(response: ServerResponse, heartbeatMs: number): SseStream {
  const gone = new AbortController();
  const waiting = new Set<() => void>();
  let stalledBeats = 0;
  let cutOffTimer: NodeJS.Timeout | undefined;

  const leave = () => {
    clearInterval(beat);
    clearTimeout(cutOffTimer);
    gone.abort();
    for (const settle of waiting) settle();
  };
  const cutOff = () => {
    response.destroy();
    leave();
  };
  /** Runs one call that reports back, and resolves when it did or when the reader is gone. */
  const taken = (start: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      if (gone.signal.aborted || response.writableEnded) return resolve();
      const settle = () => {
        waiting.delete(settle);
        stalledBeats = 0;
        resolve();
      };
      waiting.add(settle);
      start(settle);
    });
  const write = (text: string | Uint8Array) => taken((done) => response.write(text, done));

  const beat = setInterval(() => {
    if (waiting.size === 0) void write(HEARTBEAT);
    else if (++stalledBeats >= STALLED_BEATS) cutOff();
  }, heartbeatMs);

  response.on("close", leave);
  response.on("error", leave);
  response.writeHead(200, SSE_HEADERS);
  // The runtime sends the head together with the first body byte.
  void write(HEARTBEAT);
  // A reader may have left while its request was being looked at; that is not told twice.
  if (response.destroyed) leave();

  return {
    gone: gone.signal,
    send: (frame) => write(encodeSse(frame)),
    sendEncoded: write,
    cutOffIn: (graceMs) => {
      if (!gone.signal.aborted) cutOffTimer ??= setTimeout(cutOff, graceMs);
    },
    end: async () => {
      await taken((done) => response.end(done));
      leave();
    },
  };
}
