/**
 * Preloaded into the application's process by `held.mts`: counts timers that still wait and listeners on the trace bus,
 * and writes both as one line at SIGUSR2. The product does not know of it.
 */
import { LocalTraceBus } from "../../apps/api/kernel/trace-bus.ts";

const timers = new Set<unknown>();
let listeners = 0;

for (const name of ["setTimeout", "setInterval"] as const) {
  const start = globalThis[name] as (task: (...args: unknown[]) => void, ...rest: unknown[]) => unknown;
  const counted = (task: (...args: unknown[]) => void, ...rest: unknown[]) => {
    const timer = start(
      (...args) => {
        if (name === "setTimeout") timers.delete(timer);
        task(...args);
      },
      ...rest,
    );
    timers.add(timer);
    return timer;
  };
  globalThis[name] = counted as unknown as typeof setTimeout & typeof setInterval;
}
for (const name of ["clearTimeout", "clearInterval"] as const) {
  const stop = globalThis[name] as (timer: unknown) => void;
  globalThis[name] = ((timer: unknown) => {
    timers.delete(timer);
    stop(timer);
  }) as typeof clearTimeout & typeof clearInterval;
}

const { subscribe } = LocalTraceBus.prototype;
LocalTraceBus.prototype.subscribe = function (sessionId, onRow) {
  const unsubscribe = subscribe.call(this, sessionId, onRow);
  listeners += 1;
  let subscribed = true;
  return () => {
    if (subscribed) listeners -= 1;
    subscribed = false;
    unsubscribe();
  };
};

let looks = 0;
process.on("SIGUSR2", () => {
  looks += 1;
  process.stderr.write(`${JSON.stringify({ held: looks, timers: timers.size, listeners })}\n`);
});
