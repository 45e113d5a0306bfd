/** The reader's filter, for as long as the page is open: it outlives a session, and says so wherever it hides something. */
import { useMemo, useState } from "react";
import type { TraceMode } from "../../../../shared/trace-events";
import { NO_FILTER, type TraceFilter } from "./trace-filter";

export interface FilterControl {
  filter: TraceFilter;
  setName: (name: string) => void;
  /** Shows this mode alone; the second time every mode again. */
  toggleMode: (mode: TraceMode) => void;
  clear: () => void;
}

/** `beforeChange` is called while the rows still stand as they were. */
export function useTraceFilter(beforeChange?: () => void): FilterControl {
  const [filter, setFilter] = useState(NO_FILTER);
  return useMemo(() => {
    const change = (to: (before: TraceFilter) => TraceFilter) => {
      beforeChange?.();
      setFilter(to);
    };
    return {
      filter,
      setName: (name) => change((before) => ({ ...before, name })),
      toggleMode: (mode) => change((before) => ({ ...before, mode: before.mode === mode ? null : mode })),
      clear: () => change(() => NO_FILTER),
    };
  }, [filter, beforeChange]);
}
