/** The present, for what counts up on the page. */
"use client";
import { useEffect, useState } from "react";
import { onTicks } from "../../lib/ticks";

/** Re-renders every `everyMs` while `active`; the first value is null, so that server and browser agree. */
export function useNow(everyMs: number, active = true): number | null {
  const [nowMs, setNowMs] = useState<number | null>(null);
  useEffect(() => {
    if (!active) return;
    setNowMs(Date.now());
    return onTicks(everyMs, () => setNowMs(Date.now()));
  }, [everyMs, active]);
  return nowMs;
}
