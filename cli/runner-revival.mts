/** Starts the runner of a running site again after it has ended: at the same socket, so that the API finds it there. */
import type { Paths } from "./paths.mts";
import { isOurs } from "./processes.mts";
import { startRunner } from "./runner.mts";
import { readRunning, type Running, writeRunning } from "./running.mts";

/** False when there was nothing to do, or when it could not be started; `status` then says that it has ended. */
export async function reviveRunner(paths: Paths, { processes }: Running): Promise<boolean> {
  if (!processes.runner || isOurs(processes.runner)) return false;
  const started = await startRunner(paths, {
    signal: new AbortController().signal,
    onProcess(runner) {
      const running = readRunning(paths.running);
      if (running) writeRunning(paths.running, { ...running, processes: { ...running.processes, runner } });
    },
  });
  return "url" in started;
}
