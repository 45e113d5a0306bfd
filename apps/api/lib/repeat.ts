/** Work that a process does again and again beside its requests. It keeps no process alive, and no failure ends it. */

/** Runs `task` after `firstMs` and then `everyMs` after each end; what it throws goes to `onFailure`. */
export function repeat(
  task: () => Promise<void>,
  times: { firstMs: number; everyMs: number },
  onFailure: (cause: unknown) => void,
): void {
  const run = async () => {
    try {
      await task();
    } catch (cause) {
      onFailure(cause);
    }
    after(times.everyMs);
  };
  const after = (ms: number) => setTimeout(run, ms).unref();
  after(times.firstMs);
}
