/**
 * The frames of one turn, in order, shared by all who read it (architecture §6). A reader who joins late reads what
 * was missed and then what comes, and sees exactly what an undisturbed reader sees. Writing never waits for a reader,
 * and a reader holds nothing but its position.
 */
import type { AskFrame, AskFrames } from "../../../shared/sse";

export class FrameLog {
  private readonly frames: AskFrame[] = [];
  private closed = false;
  private wake = Promise.withResolvers<void>();

  constructor(private readonly turnSeq: number) {}

  get length(): number {
    return this.frames.length;
  }

  push<K extends keyof AskFrames>(event: K, data: AskFrames[K]): void {
    if (this.closed) return;
    this.frames.push({ id: `${this.turnSeq}.${this.frames.length}`, event, data } as AskFrame);
    this.closed = event === "done" || event === "error";
    this.wake.resolve();
    this.wake = Promise.withResolvers();
  }

  /** Frames with an index above `after`, then new ones; ends after the closing frame or when `signal` aborts. */
  async *read(after: number, signal?: AbortSignal): AsyncGenerator<AskFrame, void> {
    const aborted = Promise.withResolvers<void>();
    const onAbort = () => aborted.resolve();
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      for (let next = Math.max(after + 1, 0); !signal?.aborted; ) {
        const frame = this.frames[next];
        if (frame) {
          next += 1;
          yield frame;
        } else if (this.closed) {
          return;
        } else {
          await Promise.race([this.wake.promise, aborted.promise]);
        }
      }
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }
}
