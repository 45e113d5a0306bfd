/**
 * How much of the page an on-screen keyboard covers, as `--keyboard` on the document. Browsers that follow
 * `interactive-widget` make the page smaller themselves and leave nothing covered; Safari only moves the page up, so
 * it is moved back and made smaller here. A page that is zoomed in is the reader's own business.
 */
"use client";
import { useEffect } from "react";

export function useKeyboardInset(): void {
  useEffect(() => {
    const seen = window.visualViewport;
    if (seen === null) return;
    const { style } = document.documentElement;
    let coveredPx = 0;
    const look = () => {
      const nextPx = coveredBy(seen.scale, window.innerHeight, seen.height);
      if (nextPx > 0) window.scrollTo(0, 0);
      if (nextPx === coveredPx) return;
      coveredPx = nextPx;
      if (coveredPx > 0) style.setProperty("--keyboard", `${coveredPx}px`);
      else style.removeProperty("--keyboard");
    };
    seen.addEventListener("resize", look);
    seen.addEventListener("scroll", look);
    look();
    return () => {
      seen.removeEventListener("resize", look);
      seen.removeEventListener("scroll", look);
      style.removeProperty("--keyboard");
    };
  }, []);
}

/** Less than a key's height is a browser bar or rounding. */
const LEAST_PX = 40;

export function coveredBy(scale: number, pageHeightPx: number, seenHeightPx: number): number {
  if (Math.abs(scale - 1) > 0.01) return 0;
  const coveredPx = Math.round(pageHeightPx - seenHeightPx);
  return coveredPx < LEAST_PX ? 0 : coveredPx;
}
