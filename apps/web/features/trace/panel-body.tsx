/**
 * The picture that stands in place of the timeline. Each is fetched when it is first chosen; until it has come the paper
 * is blank.
 */
import { lazy, Suspense } from "react";
import { EmptyTrace } from "./empty-trace";
import type { PanelView } from "./use-panel-view";
import type { ViewProps } from "./views/view-props";

const ChainView = lazy(() => import("./views/chain-view").then(({ ChainView }) => ({ default: ChainView })));
const LifecycleView = lazy(() =>
  import("./views/lifecycle-view").then(({ LifecycleView }) => ({ default: LifecycleView })),
);
const ToolsView = lazy(() => import("./views/tools-view").then(({ ToolsView }) => ({ default: ToolsView })));

export interface PanelBodyProps extends ViewProps {
  shown: Exclude<PanelView, "timeline">;
}

export function PanelBody({ shown, ...props }: PanelBodyProps) {
  return (
    <Suspense>
      {shown === "tools" ? (
        <ToolsView {...props} />
      ) : shown === "chain" ? (
        <ChainView {...props} />
      ) : props.view.turns.length === 0 ? (
        <EmptyTrace />
      ) : (
        <LifecycleView {...props} />
      )}
    </Suspense>
  );
}
