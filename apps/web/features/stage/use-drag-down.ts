/** Pulling a sheet down by its handle: it follows the finger, and is closed when it was pulled far enough. */
import { type MouseEvent, type PointerEvent, type RefObject, useRef } from "react";

const CLOSE_PX = 72;
/** Less is a press of the handle. */
const PULL_PX = 6;

/** Handlers of the handle. The handle needs `touch-action: none`, so that the page does not scroll instead. */
export function useDragDown(sheet: RefObject<HTMLElement | null>, onClose: () => void) {
  const from = useRef<number | null>(null);
  const pulledPx = useRef(0);

  const end = (closePx: number) => {
    if (from.current === null) return;
    from.current = null;
    sheet.current?.style.removeProperty("translate");
    if (pulledPx.current > closePx) onClose();
  };

  return {
    onPointerDown: (event: PointerEvent) => {
      from.current = event.clientY;
      pulledPx.current = 0;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: ({ clientY }: PointerEvent) => {
      if (from.current === null) return;
      pulledPx.current = Math.max(0, clientY - from.current);
      sheet.current?.style.setProperty("translate", `0 ${pulledPx.current}px`);
    },
    onPointerUp: () => end(CLOSE_PX),
    onPointerCancel: () => end(Number.POSITIVE_INFINITY),
    // A mouse that lets go after pulling clicks too; a press from the keyboard has pulled nothing.
    onClick: (event: MouseEvent) => {
      if (pulledPx.current > PULL_PX) event.preventDefault();
      pulledPx.current = 0;
    },
  };
}
