/** Time as the kernel sees it, so that a test can hand in its own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once after `ms`, without keeping the process alive. Returns the canceller. */
  after(ms: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
