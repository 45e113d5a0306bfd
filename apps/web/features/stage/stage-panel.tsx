/** The panel of the stage: its head, the picture that stands in place of the timeline, and a replay that keeps its row in view. */
"use client";
import { type RefObject, useEffect } from "react";
import { bringIntoView } from "../../ui/stay";
import { type Panel, PanelBody, panelProps, TraceHead } from "../trace";

export function PanelHead({ panel, running }: { panel: Panel; running: boolean }) {
  const { shown, choose, empty, view, startReplay, replay } = panel;
  return (
    <TraceHead
      view={shown}
      onView={choose}
      empty={empty}
      connection={view.connection}
      running={running && replay === null}
      onReplay={startReplay}
    />
  );
}

export interface PictureProps {
  panel: Panel;
  /** Where the timeline is. */
  scroller: RefObject<HTMLElement | null>;
  className?: string;
}

export function Picture({ panel, scroller, className }: PictureProps) {
  const { shown, view, runningTurnSeq, chainRow, showRow } = panel;
  if (shown === "timeline") return null;
  return (
    // A picture that is longer than the panel is scrolled by keyboard too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <div className={className} tabIndex={0} {...panelProps(shown)}>
      <PanelBody
        shown={shown}
        view={view}
        live={runningTurnSeq !== null}
        from={chainRow}
        onShowRow={(row) => scroller.current !== null && showRow(scroller.current, row)}
      />
    </div>
  );
}

/** The row that a replay has reached stays in view. */
export function useReplayView(scroller: RefObject<HTMLElement | null>, { replay, shown }: Panel): void {
  const seq = replay?.rows[replay.at]?.row.seq;
  useEffect(() => {
    if (seq === undefined || shown !== "timeline") return;
    const last = [...(scroller.current?.querySelectorAll("[data-trace-turn]") ?? [])].at(-1);
    const rows = last?.querySelectorAll("[data-trace-row], [data-trace-blank]");
    const row = rows?.[rows.length - 1];
    if (row !== undefined) bringIntoView(row);
  }, [seq, shown, scroller]);
}
