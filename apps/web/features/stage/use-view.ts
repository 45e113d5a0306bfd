/** Tells the style sheet how much of the scroller can be seen: `--view`, from its top down to what covers its foot. */
"use client";
import { type RefObject, useEffect } from "react";

export function useView(scroller: RefObject<HTMLElement | null>, foot: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current!;
    const cover = foot.current!;
    const sizes = new ResizeObserver(() =>
      element.style.setProperty("--view", `${element.clientHeight - cover.offsetHeight}px`),
    );
    sizes.observe(element);
    sizes.observe(cover);
    return () => sizes.disconnect();
  }, [scroller, foot]);
}
