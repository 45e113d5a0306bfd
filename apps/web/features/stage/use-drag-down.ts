/** Pulling a sheet down by its handle: it follows the finger, and is closed when it was pulled far enough. */
import { type PointerEvent, type RefObject, useRef } from "react";

const CLOSE_PX = 72;

/** Handlers of the handle. The handle needs `touch-action: none`, so that the page does not scroll instead. */
export function useDragDown(sheet: RefObject<HTMLElement | null>, onClose: () => void) {
  const from = useRef<number | null>(null);

  const end = (pulledPx: number) => {
    if (from.current === null) return;
    from.current = null;
    sheet.current?.style.removeProperty("translate");
    if (pulledPx > CLOSE_PX) onClose();
  };
  const pulled = ({ clientY }: PointerEvent) => Math.max(0, clientY - (from.current ?? clientY));

  return {
    onPointerDown: (event: PointerEvent) => {
      from.current = event.clientY;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      if (from.current !== null) sheet.current?.style.setProperty("translate", `0 ${pulled(event)}px`);
    },
    onPointerUp: (event: PointerEvent) => end(pulled(event)),
    onPointerCancel: () => end(0),
  };
}
