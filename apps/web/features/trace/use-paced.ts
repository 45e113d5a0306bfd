/** A value that may change many times a second, followed at a pace: the first change at once, the last one always. */
import { useEffect, useRef, useState } from "react";

/** `everyMs`: the shortest time between two changes of what is returned. */
export function usePaced<T>(value: T, everyMs: number): T {
  const [shown, setShown] = useState(() => value);
  const shownAtMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (Object.is(shown, value)) return;
    const show = () => {
      shownAtMs.current = performance.now();
      setShown(() => value);
    };
    const timer = setTimeout(show, Math.max(0, shownAtMs.current + everyMs - performance.now()));
    return () => clearTimeout(timer);
  }, [shown, value, everyMs]);
  return shown;
}
