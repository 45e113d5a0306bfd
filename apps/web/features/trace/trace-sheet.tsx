/** Phone: the whole trace inside the sheet. Opens at the row it was asked for, otherwise at the end, and stays at the end while the reader does. */
import { useCallback, useLayoutEffect, useRef } from "react";
import { useFollowEnd } from "../../ui/use-follow-end";
import { likelyHeight } from "./far-turns";
import { FilterField } from "./filter-field";
import { focusTraceRow } from "./links";
import { PanelBody } from "./panel-body";
import { ReplayBar } from "./replay-bar";
import { TraceAxis } from "./trace-axis";
import { PanelHead, panelProps } from "./trace-head";
import styles from "./trace-sheet.module.css";
import { TraceNotice } from "./trace-notice";
import { TurnTrace } from "./turn-trace";
import type { Panel } from "./use-panel";
import { useTraceFilter } from "./use-trace-filter";

export interface TraceSheetProps {
  panel: Panel;
  running: boolean;
  /** Open at the row of this link. */
  focusLink?: string | null;
  onAskWhy: (question: string) => void;
  /** Close the sheet: the focus goes to the chat. */
  onLeave: () => void;
}

export function TraceSheet({ panel, running, focusLink, onAskWhy, onLeave }: TraceSheetProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { atEnd, leaveEnd } = useFollowEnd(scroller, panel.shown === "timeline");
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
  const { view, shown, replay, runningTurnSeq, showChain } = panel;
  const { turns, clockOffsetMs } = view;
  const timeline = shown === "timeline";
  return (
    <div className={styles.sheet}>
      <div className={styles.sheetHead}>
        <PanelHead panel={panel} running={running} />
      </div>
      {replay !== null && <ReplayBar replay={replay} />}
      {timeline && turns.length > 0 && (
        <TraceAxis turns={turns} runningTurnSeq={runningTurnSeq} clockOffsetMs={clockOffsetMs} root={scroller}>
          <FilterField {...control} turns={turns} />
        </TraceAxis>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than the sheet is scrolled by keyboard too */}
      <div ref={scroller} className={styles.sheetScroll} data-trace-rows="" tabIndex={0} {...panelProps(shown)}>
        {/* One part, so that whatever grows in it is one size to follow. */}
        <div>
          <PanelBody panel={panel} scroller={scroller} />
          {(timeline ? turns : []).map((turn) => (
            <section
              key={turn.turnSeq}
              className={styles.farTurn}
              style={{ containIntrinsicBlockSize: likelyHeight(turn) }}
            >
              <TurnTrace
                turn={turn}
                running={turn.turnSeq !== null && turn.turnSeq === runningTurnSeq}
                clockOffsetMs={clockOffsetMs}
                onAskWhy={askWhy}
                onShowInChain={showChain}
                onLeave={onLeave}
                filter={control.filter}
                following={atEnd || turn !== turns.at(-1)}
              />
            </section>
          ))}
          <TraceNotice {...view} />
        </div>
      </div>
    </div>
  );
}
