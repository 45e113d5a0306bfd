/** Starts the runners of a running site again that have ended: at the same sockets, so that the API finds them there. */
import type { Paths } from "./paths.mts";
import { isOurs } from "./processes.mts";
import { RUNNERS, startRunner, type Tier } from "./runner.mts";
import { readRunning, type Running, writeRunning } from "./running.mts";

/** Whether one was started. One that could not be is left to `status`, which says that it has ended. */
export async function reviveRunners(paths: Paths, { processes }: Running): Promise<boolean> {
  let revived = false;
  for (const tier of Object.keys(RUNNERS) as Tier[]) {
    const { name } = RUNNERS[tier];
    if (!processes[name] || isOurs(processes[name])) continue;
    const started = await startRunner(paths, {
      tier,
      signal: new AbortController().signal,
      onProcess(process) {
        const running = readRunning(paths.running);
        if (running) writeRunning(paths.running, { ...running, processes: { ...running.processes, [name]: process } });
      },
    });
    revived ||= "url" in started;
  }
  return revived;
}
