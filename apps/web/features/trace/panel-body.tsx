/**
 * The picture that stands in place of the timeline. Each is fetched when it is first chosen; until it has come the paper
 * is blank.
 */
import { lazy, type RefObject, Suspense } from "react";
import { EmptyTrace } from "./empty-trace";
import type { Panel } from "./use-panel";
import type { ViewProps } from "./views/view-props";

const ChainView = lazy(() => import("./views/chain-view").then(({ ChainView }) => ({ default: ChainView })));
const LifecycleView = lazy(() =>
  import("./views/lifecycle-view").then(({ LifecycleView }) => ({ default: LifecycleView })),
);
const ToolsView = lazy(() => import("./views/tools-view").then(({ ToolsView }) => ({ default: ToolsView })));

export interface PanelBodyProps {
  panel: Panel;
  /** Where the timeline is. */
  scroller: RefObject<HTMLElement | null>;
}

export function PanelBody({ panel, scroller }: PanelBodyProps) {
  const { shown, view, runningTurnSeq, chainRow, showRow } = panel;
  if (shown === "timeline") return null;
  const props: ViewProps = {
    view,
    live: runningTurnSeq !== null,
    from: chainRow,
    onShowRow: (row) => scroller.current !== null && showRow(scroller.current, row),
  };
  return (
    <Suspense>
      {shown === "tools" ? (
        <ToolsView {...props} />
      ) : shown === "chain" ? (
        <ChainView {...props} />
      ) : view.turns.length === 0 ? (
        <EmptyTrace />
      ) : (
        <LifecycleView {...props} />
      )}
    </Suspense>
  );
}
