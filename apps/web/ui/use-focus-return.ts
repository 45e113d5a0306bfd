/** Gives the focus back to where it was before a dialog without a trigger of its own was opened. */
"use client";
import { useCallback, useLayoutEffect, useRef } from "react";

/** For `onCloseAutoFocus`. A focus that has found another place meanwhile stays there. */
export function useFocusReturn(open: boolean): (event: Event) => void {
  const opener = useRef<Element | null>(null);
  // Before anything in the dialog takes the focus, which happens in effects.
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement;
  }, [open]);
  return useCallback((event) => {
    event.preventDefault();
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (isFree && opener.current instanceof HTMLElement) opener.current.focus();
  }, []);
}
