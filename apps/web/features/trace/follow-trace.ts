/**
 * Follows one session's trace stream until told to stop: connects, resumes after the last seq, connects again after a
 * cut with growing patience, and gives up only where trying again cannot help. No React, no clock of its own.
 *
 * A connection that the server closes on time (`max-duration`, `slow-reader`) is replaced without a word; only a loss
 * that a reader could notice is reported as one.
 */
import { createParser } from "eventsource-parser";
import { LIMITS } from "../../../../shared/limits";
import type { TraceFrames } from "../../../../shared/sse";
import type { TraceConnection } from "./trace-model";

export interface FollowOptions {
  sessionId: string;
  /** One per browser tab: a second connection under it ends the first. */
  clientId: string;
  /** Highest seq already held; asked before each connection. */
  lastSeq: () => number;
  /** Data of a `trace` frame, not yet checked. */
  onRow: (row: unknown) => void;
  onConnection: (connection: TraceConnection) => void;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Resolves after `ms`, or at once when the signal fires. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Waits between attempts; the last one repeats. */
export const RETRY_MS = [300, 1_000, 3_000, 8_000, 15_000] as const;
/** Silence of more than two heartbeats means that nobody is there any more. */
const SILENCE_MS = LIMITS.heartbeatMs * 2.5;

type Ending = "again" | "lost" | "superseded" | "refused" | "stopped";

/** Resolves when the signal fires or the stream has ended for good. Never rejects. */
export async function followTrace(options: FollowOptions, signal: AbortSignal): Promise<void> {
  let failures = 0;
  options.onConnection("connecting");
  while (!signal.aborted) {
    const ending = await connectOnce(options, signal, () => {
      failures = 0;
    });
    if (ending === "stopped" || signal.aborted) return;
    if (ending === "superseded") return options.onConnection("superseded");
    if (ending === "refused") return options.onConnection("failed");
    if (ending === "lost") options.onConnection("reconnecting");
    const patience = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]!;
    failures += 1;
    await options.wait(patience, signal);
  }
}

/** `onProgress`: a row came or a heartbeat. One that is cut before either has not proven that it works. */
async function connectOnce(options: FollowOptions, signal: AbortSignal, onProgress: () => void): Promise<Ending> {
  const cut = new AbortController();
  const stop = () => cut.abort();
  signal.addEventListener("abort", stop, { once: true });
  let watchdog = setTimeout(stop, SILENCE_MS);
  const alive = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(stop, SILENCE_MS);
  };
  try {
    const query = new URLSearchParams({
      sessionId: options.sessionId,
      afterSeq: String(options.lastSeq()),
      clientId: options.clientId,
    });
    const response = await options.fetch(`/api/trace/stream?${query}`, {
      headers: { accept: "text/event-stream" },
      cache: "no-store",
      signal: cut.signal,
    });
    if (response.status === 400 || response.status === 404) return "refused";
    if (!response.ok || response.body === null) return "lost";
    let ending: Ending | undefined;
    let isReady = false;
    const parser = createParser({
      // The first one opens the stream.
      onComment: () => isReady && onProgress(),
      onEvent: ({ event, data }) => {
        if (event === "trace") {
          options.onRow(readJson(data));
          onProgress();
        } else if (event === "ready") {
          isReady = true;
          options.onConnection("live");
        } else if (event === "bye") ending = endingOf(readJson(data) as Partial<TraceFrames["bye"]> | null);
      },
    });
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    while (ending === undefined) {
      const { value, done } = await reader.read();
      if (done) return "lost";
      alive();
      parser.feed(decoder.decode(value, { stream: true }));
    }
    return ending;
  } catch {
    return signal.aborted ? "stopped" : "lost";
  } finally {
    clearTimeout(watchdog);
    signal.removeEventListener("abort", stop);
    cut.abort();
  }
}

function endingOf(bye: Partial<TraceFrames["bye"]> | null): Ending {
  if (bye?.reason === "superseded") return "superseded";
  return bye?.reason === "max-duration" || bye?.reason === "slow-reader" ? "again" : "lost";
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
