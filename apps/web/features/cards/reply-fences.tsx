/**
 * Draws the fences of an answer that are more than code: the first two cards and frames, and the others as text that
 * says so. What draws them is fetched when the first one appears; until it is there they are three grey lines.
 */
"use client";
import { lazy, Suspense, useMemo } from "react";
import { isUiLanguage, uiFenceCounter } from "../../../../shared/cards/ui-fences";
import type { Fence, FenceRenderer } from "../markdown/fence";
import { Writing } from "./writing";

const ReplyFence = lazy(() => import("./reply-fence").catch(() => ({ default: AsWritten })));

/** `segment` tells the answer's final text from an earlier one. */
export function useReplyFences(segment: number): FenceRenderer {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another segment is another text, and is counted anew
  return useMemo(() => {
    const takes = uiFenceCounter();
    return (fence) => {
      const taken = takes(fence);
      if (!taken && !isUiLanguage(fence.language)) return undefined;
      return (
        // A block of its own, so that the caret of an answer being written does not stand in its frame.
        <div>
          <Suspense fallback={<Writing />}>
            <ReplyFence fence={fence} isOver={!taken} />
          </Suspense>
        </div>
      );
    };
  }, [segment]);
}

function AsWritten({ fence }: { fence: Fence }) {
  return (
    <pre>
      <code>{fence.source}</code>
    </pre>
  );
}
