/**
 * The panel as the page holds it: which picture is chosen, and whether it is drawn of the present or of the past. Chat
 * and readouts stay in the present.
 */
"use client";
import { useCallback, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import type { TraceRow } from "../../../../shared/trace-events";
import { timeOf } from "./event-facts";
import { focusTraceEvent, focusTraceRow } from "./links";
import type { TraceView } from "./trace-model";
import { type PanelView, shownView, usePanelView } from "./use-panel-view";
import { type Replay, useReplay } from "./use-replay";
import { turnKey } from "./visible-turns";

export interface Panel {
  /** The trace that is drawn: the present, or what it was at one event. */
  view: TraceView;
  shown: PanelView;
  choose: (view: PanelView) => void;
  /** Nothing is recorded. */
  empty: boolean;
  replay: Replay | null;
  /** Into the past; undefined while there or where there is none. */
  startReplay: (() => void) | undefined;
  /** The running turn, as long as the present is drawn. */
  runningTurnSeq: number | null;
  /** Shows a linked row in the timeline. */
  showLink: (root: ParentNode, link: string) => void;
  /** Shows the row of an event in the timeline. */
  showRow: (root: ParentNode, row: TraceRow) => void;
  /** Shows an event on its way through the handlers. */
  showChain: (row: TraceRow) => void;
  /** The event that the chain was opened at; null: it was chosen without one. */
  chainRow: TraceRow | null;
}

export interface PanelInput {
  trace: TraceView;
  sessionId: string | null;
  runningTurnSeq: number | null;
  /** The conversation has not begun. */
  empty: boolean;
}

export function usePanel({ trace, sessionId, runningTurnSeq, empty }: PanelInput): Panel {
  const [chosen, setChosen] = usePanelView();
  const [chainRow, setChainRow] = useState<TraceRow | null>(null);
  const { view, replay, start } = useReplay(trace, sessionId);
  const { turns } = view;
  const choose = useCallback(
    (next: PanelView) => {
      setChainRow(null);
      setChosen(next);
    },
    [setChosen],
  );
  const showChain = useCallback(
    (row: TraceRow) => {
      setChainRow(row);
      setChosen("chain");
    },
    [setChosen],
  );
  const showLink = useCallback(
    (root: ParentNode, link: string) => {
      flushSync(() => choose("timeline"));
      focusTraceRow(root, link);
    },
    [choose],
  );
  const showRow = useCallback(
    (root: ParentNode, row: TraceRow) => {
      flushSync(() => choose("timeline"));
      const startedAtMs = turns.find(({ turnSeq }) => turnSeq === row.turnSeq)?.startedAtMs ?? 0;
      focusTraceEvent(root, { turn: turnKey(row.turnSeq), seq: row.seq, atMs: timeOf(row) - startedAtMs });
    },
    [choose, turns],
  );
  return useMemo(
    () => ({
      view,
      shown: shownView(chosen, empty),
      choose,
      empty,
      replay,
      startReplay: replay === null && !empty && turns.length > 0 ? start : undefined,
      runningTurnSeq: replay === null ? runningTurnSeq : null,
      showLink,
      showRow,
      showChain,
      chainRow,
    }),
    [view, chosen, choose, empty, replay, turns.length, start, runningTurnSeq, showLink, showRow, showChain, chainRow],
  );
}
