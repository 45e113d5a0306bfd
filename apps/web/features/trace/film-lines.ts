/** Geometry of the film: the turns of a session side by side, each as wide as it took, one line an event. Pure. */
import { TRACE_MODES, type TraceMode, type TraceRow } from "../../../../shared/trace-events";
import { blockerOf, handlersOf, isStreaming, timeOf } from "./event-facts";
import type { TraceTurn } from "./trace-model";

export const FILM_WIDTH = 616;
export const FILM_HEIGHT = 34;
const BASE = 30;
const EDGE = 6;
const SLIVER = 10;
const TOP: Record<TraceMode | "danger", number> = { notify: 21, chain: 15, veto: 6, takeover: 6, danger: 3 };
const STREAMING_TOP = 24;

export interface FilmTurn {
  turn: TraceTurn;
  x: number;
  width: number;
}
export interface Film {
  turns: FilmTurn[];
  /** One path a hue; lines that fall on the same half pixel are drawn once. */
  paths: Record<TraceMode | "danger", string>;
}

export function filmOf(turns: readonly TraceTurn[]): Film {
  const placed = placeTurns(turns);
  const lines = new Map<TraceMode | "danger", Map<number, number>>();
  for (const mode of [...TRACE_MODES, "danger" as const]) lines.set(mode, new Map());
  for (const at of placed) {
    for (const row of at.turn.rows) {
      const hue = blockerOf(handlersOf(row)) === null ? row.mode : "danger";
      const x = Math.round(filmX(at, timeOf(row) - at.turn.startedAtMs) * 2) / 2;
      const ofHue = lines.get(hue)!;
      ofHue.set(x, Math.min(ofHue.get(x) ?? BASE, topOf(row, hue)));
    }
  }
  const path = (hue: TraceMode | "danger") => [...lines.get(hue)!].map(([x, top]) => `M${x} ${BASE}V${top}`).join("");
  const paths = {
    notify: path("notify"),
    chain: path("chain"),
    veto: path("veto"),
    takeover: path("takeover"),
    danger: path("danger"),
  };
  return { turns: placed, paths };
}

/** Where a moment of a turn lies on the film. */
export function filmX({ turn, x, width }: FilmTurn, atMs: number): number {
  const share = turn.lastMs === 0 ? 0 : Math.min(Math.max(atMs, 0), turn.lastMs) / turn.lastMs;
  return x + share * width;
}

const topOf = (row: TraceRow, hue: TraceMode | "danger"): number => (isStreaming(row) ? STREAMING_TOP : TOP[hue]);

/**
 * A quarter of the film is shared out evenly, so that a short turn stays visible, the rest by duration. What happened
 * outside any turn has no time of its own beside them and gets a sliver.
 */
function placeTurns(turns: readonly TraceTurn[]): FilmTurn[] {
  if (turns.length === 0) return [];
  const gap = Math.min(14, FILM_WIDTH / 4 / turns.length);
  const timed = turns.filter(({ turnSeq }) => turnSeq !== null);
  const slivers = (turns.length - timed.length) * SLIVER;
  const usable = FILM_WIDTH - 2 * EDGE - gap * (turns.length - 1) - slivers;
  const totalMs = timed.reduce((sum, { lastMs }) => sum + lastMs, 0);
  const even = 1 / timed.length;
  let x = EDGE;
  return turns.map((turn) => {
    const share = totalMs === 0 ? even : even / 4 + (turn.lastMs / totalMs) * 0.75;
    const placed = { turn, x, width: turn.turnSeq === null ? SLIVER : usable * share };
    x += placed.width + gap;
    return placed;
  });
}
