/** Which turns of the panel are within the scroller right now, by `data-trace-turn`. */
import { useEffect, useState, type RefObject } from "react";
import type { TraceTurn } from "./trace-model";

export const turnKey = (turnSeq: number | null): string => (turnSeq === null ? "none" : String(turnSeq));

/** What covers the scroller: above, the heads with film, axis and the header of one turn; below, composer and legend. */
export const COVERED_PX = { top: 141, bottom: 110 } as const;

/** Keys of the turns in view; empty until the first look, and where the browser cannot tell. */
export function useVisibleTurns(root: RefObject<HTMLElement | null>, turns: readonly TraceTurn[]): ReadonlySet<string> {
  const [visible, setVisible] = useState<ReadonlySet<string>>(() => new Set());
  const keys = turns.map(({ turnSeq }) => turnKey(turnSeq)).join(" ");

  // biome-ignore lint/correctness/useExhaustiveDependencies: `keys` says when there are other elements to watch
  useEffect(() => {
    const scroller = root.current;
    if (scroller === null || typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver(
      (entries) =>
        setVisible((before) => {
          const after = new Set(before);
          for (const { target, isIntersecting } of entries) {
            const key = (target as HTMLElement).dataset.traceTurn!;
            if (isIntersecting) after.add(key);
            else after.delete(key);
          }
          return after;
        }),
      { root: scroller, rootMargin: `-${COVERED_PX.top}px 0px -${COVERED_PX.bottom}px 0px` },
    );
    for (const element of scroller.querySelectorAll("[data-trace-turn]")) observer.observe(element);
    return () => observer.disconnect();
  }, [root, keys]);
  return visible;
}
