/**
 * Keeps a scroller at its end while the reader is there, and never pulls a reader who has scrolled up. A reader who is
 * elsewhere is told that there is more, and can go there. What a reader unfolds opens in place.
 */
"use client";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** Closer than this to the end is at the end: a line may arrive between two frames. */
const NEAR_PX = 48;
/** A scroll this soon after a wheel, a finger, a key or a press was the reader's; any other is the layout's. */
const HAND_MS = 1_000;
/** As long as what was drawn anew may still measure itself. */
const SETTLE_FRAMES = 4;
const HANDS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  /** Off: what is shown is read from its beginning. */
  active: boolean,
) {
  const [atEnd, setAtEnd] = useState(true);
  const following = useRef(true);
  /** When the reader last moved a hand, by the clock of events. */
  const handAt = useRef(Number.NEGATIVE_INFINITY);

  const goToEnd = useCallback(() => {
    following.current = true;
    setAtEnd(true);
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, [scroller]);

  /**
   * `mark` stays where it is, or comes to `topPx` of the window, while the page around it changes, also at the end, and
   * until the reader's next move.
   */
  const hold = useCallback(
    (mark: Element, topPx = mark.getBoundingClientRect().top) => {
      const element = scroller.current;
      if (element === null) return;
      following.current = false;
      let frames = SETTLE_FRAMES;
      const heldAt = performance.now();
      const settle = () => {
        const moved = handAt.current > heldAt;
        if (!moved && mark.isConnected) element.scrollTop += mark.getBoundingClientRect().top - topPx;
        frames = moved ? 0 : frames - 1;
        if (frames > 0) return void requestAnimationFrame(settle);
        following.current = isNear(element);
        setAtEnd(following.current);
      };
      // The first is there to draw.
      requestAnimationFrame(() => requestAnimationFrame(settle));
    },
    [scroller],
  );

  useEffect(() => {
    const element = scroller.current;
    if (element === null || !active) return;
    let lastTop = element.scrollTop;
    const onHand = ({ timeStamp }: Event) => {
      handAt.current = timeStamp;
    };
    const onScroll = ({ timeStamp }: Event) => {
      const near = isNear(element);
      // Content that shrinks and a phone that is turned move the scroller too; they leave the reader at the end.
      if (near) following.current = true;
      else if (element.scrollTop < lastTop && timeStamp - handAt.current < HAND_MS) following.current = false;
      lastTop = element.scrollTop;
      setAtEnd(following.current);
    };
    // A fold stays under the hand that opened it, also at the end: the page grows below it and moves nothing.
    const onPress = ({ target }: Event) => {
      const fold = target instanceof Element ? target.closest("[aria-expanded]") : null;
      if (fold !== null && following.current) hold(fold);
    };
    const follow = new ResizeObserver(() => {
      if (following.current) element.scrollTop = element.scrollHeight;
    });
    // The end moves with all of these: with what grows, with what covers the foot, and when a phone is turned.
    for (const part of [element, ...element.children]) follow.observe(part);
    element.addEventListener("scroll", onScroll, { passive: true });
    element.addEventListener("click", onPress, { capture: true });
    for (const hand of HANDS) window.addEventListener(hand, onHand, { passive: true });
    return () => {
      follow.disconnect();
      element.removeEventListener("scroll", onScroll);
      element.removeEventListener("click", onPress, { capture: true });
      for (const hand of HANDS) window.removeEventListener(hand, onHand);
    };
  }, [scroller, active, hold]);

  /** For whoever takes the reader elsewhere without a hand. */
  const leaveEnd = useCallback(() => {
    following.current = false;
    setAtEnd(false);
  }, []);

  return { atEnd, goToEnd, leaveEnd, hold };
}

const isNear = (element: HTMLElement): boolean =>
  element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
