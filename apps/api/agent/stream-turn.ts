/** Shows a turn to one reader: all frames after an index, then live ones, to the closing frame. */
import type { RunningTurn } from "../kernel/kernel-types";
import type { SseStream } from "../lib/sse";

/** Returns when the turn has closed or the reader is gone; the turn itself goes on without readers. */
export async function streamTurn(turn: RunningTurn, after: number, sse: SseStream): Promise<void> {
  for await (const frame of turn.frames(after, sse.gone)) await sse.send(frame);
}
