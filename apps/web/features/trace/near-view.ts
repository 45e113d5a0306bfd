/**
 * Which stretches of rows are near what the scroller shows. One observer a scroller, so that a turn of ten thousand
 * rows costs a few hundred observed boxes and no arithmetic: the answer is right wherever a stretch stands, also in a
 * side that stays in view while the other passes, in the phone's sheet, and under a larger font.
 */
import { useSyncExternalStore } from "react";

type OnNear = (near: boolean, heightPx: number) => void;
interface Watch {
  observer: IntersectionObserver;
  listeners: Map<Element, OnNear>;
}

/** Rows are put on the page this much of a view before they are seen. */
const MARGIN = "100% 0px";
const watches = new WeakMap<Element, Watch>();

/** False where the browser cannot tell; then everything is drawn. */
export const canTellNear = (): boolean => typeof IntersectionObserver !== "undefined";

/** Tells when the element comes near and when it leaves, first as soon as the browser knows. Returns the way to stop. */
export function watchNear(element: Element, onNear: OnNear): () => void {
  const root = element.closest("[data-trace-rows]") ?? document.documentElement;
  const watch = watches.get(root) ?? newWatch(root);
  watch.listeners.set(element, onNear);
  watch.observer.observe(element);
  return () => {
    watch.listeners.delete(element);
    watch.observer.unobserve(element);
  };
}

function newWatch(root: Element): Watch {
  const listeners = new Map<Element, OnNear>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        listeners.get(target)?.(isIntersecting, boundingClientRect.height);
      }
    },
    { root: root === document.documentElement ? null : root, rootMargin: MARGIN },
  );
  const watch = { observer, listeners };
  watches.set(root, watch);
  return watch;
}

let printing = false;

/** Whether the page is being printed: paper has no window, so every row is drawn. */
export function usePrinting(): boolean {
  return useSyncExternalStore(
    onPrinting,
    () => printing,
    () => false,
  );
}

function onPrinting(onChange: () => void): () => void {
  const set = (now: boolean) => () => {
    printing = now;
    onChange();
  };
  const [before, after] = [set(true), set(false)];
  window.addEventListener("beforeprint", before);
  window.addEventListener("afterprint", after);
  return () => {
    window.removeEventListener("beforeprint", before);
    window.removeEventListener("afterprint", after);
  };
}
