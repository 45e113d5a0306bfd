/** `./xray down`: stops what the records say is ours. A foreground `up` is asked to stop its own site. */
import { LIMITS } from "../../shared/limits.ts";
import { lockHolder } from "../lock.mts";
import { pathsOf } from "../paths.mts";
import { isOurs, signal, waitGone } from "../processes.mts";
import { readRunning } from "../running.mts";
import { stopSite } from "../stop.mts";

export default async function down(): Promise<number> {
  const paths = pathsOf();
  const askedFirst = [lockHolder(paths.startLock), readRunning(paths.running)?.supervisor];
  let asked = false;
  for (const holder of askedFirst) {
    if (!isOurs(holder)) continue;
    asked = true;
    signal(holder, "SIGTERM");
    await waitGone(holder, LIMITS.databaseStopWaitMs + 2 * LIMITS.stopWaitMs);
  }
  const running = readRunning(paths.running);
  const { stopped, strangers } = running ? await stopSite(paths, running) : { stopped: [], strangers: [] };
  for (const { name, pid } of strangers) {
    say(`The pid ${pid} recorded for ${name} now belongs to another program, which was left alone.`);
  }
  if (stopped.length > 0) say(`Stopped ${stopped.join(", ")}.`);
  else
    say(asked ? "Stopped." : running ? "It was not running any more; its records are cleared." : "Nothing is running.");
  return 0;
}

function say(sentence: string): void {
  process.stdout.write(`  ${sentence}\n`);
}
