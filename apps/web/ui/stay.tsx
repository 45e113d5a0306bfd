/**
 * One side of a turn. Where the other side is longer, this one stays in view while the longer passes, so that an answer
 * and its trace are never read apart. It stays under what covers the scroller above (`--stay-top`), or, where it is
 * higher than the view (`--view`), with its end at the end of the view. Where nothing is longer it does nothing.
 */
"use client";
import { type ReactNode, useEffect, useRef } from "react";
import styles from "./stay.module.css";

export function Stay({ className = "", children }: { className?: string; children: ReactNode }) {
  const side = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = side.current!;
    // The size as it was observed: to ask the element would lay the page out again for every side of every turn.
    const sizes = new ResizeObserver(([entry]) =>
      element.style.setProperty("--own", `${Math.round(entry!.borderBoxSize[0]!.blockSize)}px`),
    );
    sizes.observe(element);
    // The browser alone cannot bring what the keyboard reached into view: scrolling does not move a side that stays.
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches(":focus-visible")) bringIntoView(target);
    };
    element.addEventListener("focusin", onFocus);
    return () => {
      sizes.disconnect();
      element.removeEventListener("focusin", onFocus);
    };
  }, []);
  return (
    <div ref={side} className={`${styles.stay} ${className}`} data-stay="">
      {children}
    </div>
  );
}

/**
 * Scrolls to an element that may be inside a side that stays: its place is where it would be if the side did not. Once
 * that place is in view the element is too, because staying only ever moves it towards the view.
 */
export function bringIntoView(element: Element, block: ScrollLogicalPosition = "nearest"): void {
  const side = element.closest<HTMLElement>("[data-stay]");
  if (side !== null) side.style.position = "static";
  element.scrollIntoView({ block, behavior: "instant" });
  if (side !== null) side.style.position = "";
}
