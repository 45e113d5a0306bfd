/** Phone: the whole trace inside the sheet. Opens at the row it was asked for, otherwise at the end, and stays at the end while the reader does. */
import { useCallback, useLayoutEffect, useRef } from "react";
import { EmptyTrace } from "./empty-trace";
import { focusTraceRow } from "./links";
import { TraceAxis } from "./trace-axis";
import styles from "./trace.module.css";
import type { TraceView } from "./trace-model";
import { TraceNotice } from "./trace-notice";
import { TurnTrace } from "./turn-trace";

export interface TraceSheetProps {
  view: TraceView;
  runningTurnSeq: number | null;
  /** Open at the row of this link. */
  focusLink?: string | null;
  onAskWhy: (question: string) => void;
  /** Close the sheet: the focus goes to the chat. */
  onLeave: () => void;
}

const NEAR_END_PX = 40;

export function TraceSheet({ view, runningTurnSeq, focusLink, onAskWhy, onLeave }: TraceSheetProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: new turns are when the end has moved
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [view.turns]);
  useLayoutEffect(() => {
    if (scroller.current === null || focusLink === undefined || focusLink === null) return;
    if (focusTraceRow(scroller.current, focusLink)) atEnd.current = false;
  }, [focusLink]);

  // The question lands in the composer, which the sheet covers.
  const askWhy = useCallback(
    (question: string) => {
      onLeave();
      onAskWhy(question);
    },
    [onLeave, onAskWhy],
  );
  const noteEnd = () => {
    const { scrollTop, scrollHeight, clientHeight } = scroller.current!;
    atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  };
  const { turns, clockOffsetMs } = view;
  return (
    <div className={styles.sheet}>
      {turns.length === 0 ? null : (
        <TraceAxis turns={turns} runningTurnSeq={runningTurnSeq} clockOffsetMs={clockOffsetMs} root={scroller} />
      )}
      <div ref={scroller} className={styles.sheetScroll} data-trace-rows="" onScroll={noteEnd}>
        {turns.length === 0 ? <EmptyTrace /> : null}
        {turns.map((turn) => (
          <TurnTrace
            key={turn.turnSeq}
            turn={turn}
            running={turn.turnSeq !== null && turn.turnSeq === runningTurnSeq}
            clockOffsetMs={clockOffsetMs}
            onAskWhy={askWhy}
            onLeave={onLeave}
          />
        ))}
        <TraceNotice {...view} />
      </div>
    </div>
  );
}
