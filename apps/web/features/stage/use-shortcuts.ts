/** Listens for the page's shortcuts. Whether single keys are taken is the visitor's choice, kept in this browser. */
"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import { type Shortcut, shortcutFor } from "./shortcuts";

const KEY = "xr_keys";
const TYPING = "input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]";

export interface SingleKeys {
  on: boolean;
  set(on: boolean): void;
}

/** `act` returns false where the shortcut has nothing to do here: the key then keeps its own meaning. */
export function useShortcuts(act: (shortcut: Shortcut) => boolean): SingleKeys {
  const [on, setOn] = useState(true);
  const latest = useRef({ act, on });
  useEffect(() => {
    latest.current = { act, on };
  });
  // Asked at the first key or press, before it is acted on: the first look into a browser's store can hold a page up, and
  // nobody needs the answer while it begins.
  useEffect(() => {
    const stop = new AbortController();
    const learn = () => {
      stop.abort();
      latest.current.on = recall();
      setOn(latest.current.on);
    };
    for (const hand of ["keydown", "click"]) {
      window.addEventListener(hand, learn, { capture: true, signal: stop.signal });
    }
    return () => stop.abort();
  }, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat) return;
      const shortcut = shortcutFor(event, {
        typing: event.target instanceof Element && event.target.closest(TYPING) !== null,
        covered: document.querySelector('[role="dialog"], [role="alertdialog"]') !== null,
        singleKeys: latest.current.on,
      });
      if (shortcut !== null && latest.current.act(shortcut)) event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  const set = useCallback((next: boolean) => {
    setOn(next);
    remember(next);
  }, []);
  return { on, set };
}

function recall(): boolean {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

function remember(on: boolean): void {
  try {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "off");
  } catch {
    // The choice holds until the page is left.
  }
}
