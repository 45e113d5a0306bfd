/** Phone: the whole trace inside the sheet. Opens at the row it was asked for, otherwise at the end, and stays at the end while the reader does. */
import { useCallback, useLayoutEffect, useRef } from "react";
import { useFollowEnd } from "../../ui/use-follow-end";
import { EmptyTrace } from "./empty-trace";
import { FilterField } from "./filter-field";
import { focusTraceRow } from "./links";
import { TraceAxis } from "./trace-axis";
import styles from "./trace.module.css";
import type { TraceView } from "./trace-model";
import { TraceNotice } from "./trace-notice";
import { TurnTrace } from "./turn-trace";
import { useTraceFilter } from "./use-trace-filter";

export interface TraceSheetProps {
  view: TraceView;
  runningTurnSeq: number | null;
  /** Open at the row of this link. */
  focusLink?: string | null;
  onAskWhy: (question: string) => void;
  /** Close the sheet: the focus goes to the chat. */
  onLeave: () => void;
}

export function TraceSheet({ view, runningTurnSeq, focusLink, onAskWhy, onLeave }: TraceSheetProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { atEnd, leaveEnd } = useFollowEnd(scroller, true);
  const control = useTraceFilter();
  useLayoutEffect(() => {
    if (scroller.current === null || focusLink === undefined || focusLink === null) return;
    if (focusTraceRow(scroller.current, focusLink)) leaveEnd();
  }, [focusLink, leaveEnd]);

  // The question lands in the composer, which the sheet covers.
  const askWhy = useCallback(
    (question: string) => {
      onLeave();
      onAskWhy(question);
    },
    [onLeave, onAskWhy],
  );
  const { turns, clockOffsetMs } = view;
  return (
    <div className={styles.sheet}>
      {turns.length === 0 ? null : (
        <TraceAxis turns={turns} runningTurnSeq={runningTurnSeq} clockOffsetMs={clockOffsetMs} root={scroller}>
          <FilterField {...control} turns={turns} />
        </TraceAxis>
      )}
      <div ref={scroller} className={styles.sheetScroll} data-trace-rows="">
        {/* One part, so that whatever grows in it is one size to follow. */}
        <div>
          {turns.length === 0 ? <EmptyTrace /> : null}
          {turns.map((turn) => (
            <TurnTrace
              key={turn.turnSeq}
              turn={turn}
              running={turn.turnSeq !== null && turn.turnSeq === runningTurnSeq}
              clockOffsetMs={clockOffsetMs}
              onAskWhy={askWhy}
              onLeave={onLeave}
              filter={control.filter}
              following={atEnd || turn !== turns.at(-1)}
            />
          ))}
          <TraceNotice {...view} />
        </div>
      </div>
    </div>
  );
}
