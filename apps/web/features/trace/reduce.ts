/**
 * Trace frames → state. Pure: the same frames in any order and with any repeats give the same turns. A batch rebuilds
 * only the turns it touches, and whatever did not change keeps its identity, so that a memoised row is not drawn again.
 */
import type { TraceMode, TraceRow } from "../../../../shared/trace-events";
import { eventsIn, readRow, timeOf, wasDecided } from "./event-facts";
import { keepUnchanged } from "./keep-unchanged";
import { relayTurn } from "./relay-turn";
import type { TraceTurn } from "./trace-model";
import { layoutTurn } from "./turn-layout";

export interface TraceState {
  turns: TraceTurn[];
  lastSeq: number;
  /** Numbers up to `lastSeq` that no row has. */
  missingRows: number;
  eventCount: number;
  countsByMode: Record<TraceMode, number>;
  /** Of these, the events that a handler stopped, changed or did instead. */
  decidedByMode: Record<TraceMode, number>;
  /**
   * Server clock minus page clock. Raised, for a row that arrives late says less than one that came at once; begun anew
   * where the recorder's clock steps back.
   */
  clockOffsetMs: number | null;
}

export const EMPTY_TRACE: TraceState = {
  turns: [],
  lastSeq: -1,
  missingRows: 0,
  eventCount: 0,
  countsByMode: { notify: 0, veto: 0, chain: 0, takeover: 0 },
  decidedByMode: { notify: 0, veto: 0, chain: 0, takeover: 0 },
  clockOffsetMs: null,
};

/**
 * Adds rows as they came off the wire. `receivedAtMs` is the page's clock at that moment. Rows that cannot be read and
 * rows already there are dropped; without a new row the same state comes back.
 */
export function addRows(state: TraceState, incoming: readonly unknown[], receivedAtMs: number): TraceState {
  const fresh = newRows(state, incoming);
  if (fresh.length === 0) return state;

  const byTurn = new Map<number | null, TraceRow[]>();
  for (const row of fresh) {
    const list = byTurn.get(row.turnSeq);
    if (list === undefined) byTurn.set(row.turnSeq, [row]);
    else list.push(row);
  }
  const turns = state.turns.map((turn) => {
    const added = byTurn.get(turn.turnSeq);
    if (added === undefined) return turn;
    byTurn.delete(turn.turnSeq);
    return buildTurn(turn.turnSeq, inOrder([...turn.rows, ...added]), turn);
  });
  for (const [turnSeq, rows] of byTurn) turns.push(buildTurn(turnSeq, inOrder(rows)));
  turns.sort((a, b) => (a.turnSeq ?? -1) - (b.turnSeq ?? -1));

  const countsByMode = { ...state.countsByMode };
  const decidedByMode = { ...state.decidedByMode };
  let { lastSeq, eventCount, clockOffsetMs } = state;
  const latest = state.turns.map(({ rows }) => rows.at(-1)!).find(({ seq }) => seq === lastSeq);
  let lastMs = latest === undefined ? Number.NEGATIVE_INFINITY : timeOf(latest);
  for (const row of fresh) {
    const count = eventsIn(row);
    countsByMode[row.mode] += count;
    if (wasDecided(row)) decidedByMode[row.mode] += 1;
    eventCount += count;
    const offsetMs = timeOf(row) - receivedAtMs;
    const steppedBack = row.seq > lastSeq && timeOf(row) < lastMs;
    clockOffsetMs = steppedBack ? offsetMs : Math.max(clockOffsetMs ?? Number.NEGATIVE_INFINITY, offsetMs);
    if (row.seq > lastSeq) lastMs = timeOf(row);
    lastSeq = Math.max(lastSeq, row.seq);
  }
  return {
    turns,
    lastSeq,
    missingRows: missingIn(turns, lastSeq),
    eventCount,
    countsByMode,
    decidedByMode,
    clockOffsetMs,
  };
}

/** Numbers up to `lastSeq` that no row has. */
export const missingIn = (turns: readonly TraceTurn[], lastSeq: number): number =>
  lastSeq + 1 - turns.reduce((sum, { rows }) => sum + rows.length, 0);

function newRows(state: TraceState, incoming: readonly unknown[]): TraceRow[] {
  const seen = new Set<number>();
  const fresh: TraceRow[] = [];
  // Rows come in order almost always; only one at or below the last seq has to be looked up.
  let known: Set<number> | null = null;
  for (const value of incoming) {
    const row = readRow(value);
    if (row === null || seen.has(row.seq)) continue;
    if (row.seq <= state.lastSeq) {
      known ??= new Set(state.turns.flatMap((turn) => turn.rows.map(({ seq }) => seq)));
      if (known.has(row.seq)) continue;
    }
    seen.add(row.seq);
    fresh.push(row);
  }
  return fresh;
}

const inOrder = (rows: TraceRow[]): TraceRow[] => rows.sort((a, b) => a.seq - b.seq);

/** One turn of these rows, in seq order. `before`: what it was with fewer or more of them. */
export function buildTurn(turnSeq: number | null, rows: TraceRow[], before?: TraceTurn): TraceTurn {
  const number = turnNumber(turnSeq);
  if (before === undefined) return { turnSeq, number, rows, ...layoutTurn(rows) };
  const again = relayTurn(before, rows);
  if (again !== null) return { turnSeq, number, rows, ...again };
  const layout = layoutTurn(rows);
  return { turnSeq, number, rows, ...layout, items: keepUnchanged(before.items, layout.items) };
}

/** A turn owns two message seqs, the visitor's and the reply's; so the page's number follows from the seq alone. */
export const turnNumber = <T extends number | null>(turnSeq: T): T extends null ? null : number =>
  (turnSeq === null ? null : Math.floor(turnSeq / 2) + 1) as T extends null ? null : number;
