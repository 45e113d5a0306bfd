/** What every picture of the trace is given. */
import type { TraceRow } from "../../../../../shared/trace-events";
import type { TraceView } from "../trace-model";

export interface ViewProps {
  /** The trace as it stands, or as it stood. */
  view: TraceView;
  /** A turn is running and what is drawn is the present. */
  live: boolean;
  /** The event that the reader came from; null: none. */
  from: TraceRow | null;
  /** Goes to the row of the timeline. */
  onShowRow: (row: TraceRow) => void;
}
