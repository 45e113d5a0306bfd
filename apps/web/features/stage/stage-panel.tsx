/** The panel of the stage: the picture that stands in place of the timeline, and a replay that keeps its row in view. */
"use client";
import { type RefObject, useEffect } from "react";
import { bringIntoView } from "../../ui/stay";
import { type Panel, PanelBody, type PanelBodyProps, panelProps } from "../trace";

export interface PictureProps extends PanelBodyProps {
  className?: string;
}

export function Picture({ panel, scroller, className }: PictureProps) {
  if (panel.shown === "timeline") return null;
  return (
    // A picture that is longer than the panel is scrolled by keyboard too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <div className={className} tabIndex={0} {...panelProps(panel.shown)}>
      <PanelBody panel={panel} scroller={scroller} />
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
