/** The present, for what counts up on the page. */
"use client";
import { useEffect, useState } from "react";

/** Re-renders every `everyMs` while `active`; the first value is null, so that server and browser agree. */
export function useNow(everyMs: number, active = true): number | null {
  const [nowMs, setNowMs] = useState<number | null>(null);
  useEffect(() => {
    if (!active) return;
    setNowMs(Date.now());
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, active]);
  return nowMs;
}
