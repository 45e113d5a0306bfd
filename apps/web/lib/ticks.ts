/** The page's clocks: whatever counts along at one pace is told at one moment, so that all of it costs one frame of the screen. */

interface Pace {
  timer: ReturnType<typeof setInterval>;
  heard: Set<() => void>;
}
const paces = new Map<number, Pace>();

/** Calls `onTick` every so many milliseconds, together with all others of that pace, until what it returns is called. */
export function onTicks(everyMs: number, onTick: () => void): () => void {
  const pace = paces.get(everyMs) ?? begin(everyMs);
  pace.heard.add(onTick);
  return () => {
    pace.heard.delete(onTick);
    if (pace.heard.size > 0 || paces.get(everyMs) !== pace) return;
    clearInterval(pace.timer);
    paces.delete(everyMs);
  };
}

function begin(everyMs: number): Pace {
  const heard: Pace["heard"] = new Set();
  const timer = setInterval(() => {
    for (const onTick of heard) onTick();
  }, everyMs);
  const pace = { timer, heard };
  paces.set(everyMs, pace);
  return pace;
}
