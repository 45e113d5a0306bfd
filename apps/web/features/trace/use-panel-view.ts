/** Which picture of the trace the reader has chosen. Kept for the tab's life; storage that is off costs only that. */
"use client";
import { useCallback, useEffect, useState } from "react";

export const PANEL_VIEWS = ["timeline", "chain", "lifecycle", "tools"] as const;
export type PanelView = (typeof PANEL_VIEWS)[number];

const KEY = "xr_panel";

export function usePanelView(): [chosen: PanelView, choose: (view: PanelView) => void] {
  const [chosen, setChosen] = useState<PanelView>("timeline");
  // The server does not know the choice: the first paint is the timeline for everybody.
  useEffect(() => {
    const kept = recall();
    if (kept !== undefined) setChosen(kept);
  }, []);
  const choose = useCallback((view: PanelView) => {
    setChosen(view);
    try {
      sessionStorage.setItem(KEY, view);
    } catch {
      // The choice holds until the page is left.
    }
  }, []);
  return [chosen, choose];
}

function recall(): PanelView | undefined {
  try {
    const kept = sessionStorage.getItem(KEY);
    return PANEL_VIEWS.find((view) => view === kept);
  } catch {
    return undefined;
  }
}

/** What is shown: without a single event there is no timeline and no chain, and the road at zero stands in their place. */
export function shownView(chosen: PanelView, empty: boolean): PanelView {
  return empty && (chosen === "timeline" || chosen === "chain") ? "lifecycle" : chosen;
}
