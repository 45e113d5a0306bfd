/**
 * `./xray up`: from whatever state to a site that answers, then one address. In the foreground it watches its
 * processes: Ctrl-C stops them all, and when one ends by itself it says which, shows its last words and stops the rest.
 */
import { LIMITS } from "../../shared/limits.ts";
import { type Words, wholeNumber } from "../args.mts";
import { siteInputsHash } from "../inputs-hash.mts";
import { died } from "../launch.mts";
import { dropLock, lockHolder, takeLock } from "../lock.mts";
import { localModelHint } from "../local-model.mts";
import { pathsOf, type Paths } from "../paths.mts";
import { DEFAULT_PORT } from "../prerequisites.mts";
import { isOurs, recordOf } from "../processes.mts";
import { openProgress } from "../progress.mts";
import { Refusal } from "../refusal.mts";
import { deadProcesses, readRunning, type Running, siteState, writeRunning } from "../running.mts";
import { reviveRunners } from "../runner-revival.mts";
import { startSite, type StartedSite } from "../start.mts";
import { stopSite } from "../stop.mts";

export default async function up(words: Words): Promise<number> {
  const paths = pathsOf();
  const askedPort = wholeNumber("port", words.value("port"), 1, 65_535);
  const port = askedPort ?? DEFAULT_PORT;
  const host = words.value("host") ?? "127.0.0.1";
  const dev = words.has("dev");

  const earlier = readRunning(paths.running);
  const state = siteState(earlier, lockHolder(paths.startLock) !== undefined);
  if (state === "running") {
    await describeRunning(paths, earlier!, { port: askedPort, host: words.value("host"), dev });
    return 0;
  }
  if (!takeLock(paths.startLock)) {
    throw new Refusal(
      `The site is already being started (pid ${lockHolder(paths.startLock)?.pid}).`,
      "Wait for it, or stop it with ./xray down.",
    );
  }

  const stop = stopOnSignal();
  try {
    if (earlier) await clearRemains(paths, earlier);
    const site = await start(paths, { port, host, dev }, stop);
    if (!site) return 130;
    const foreground = !words.has("background");
    if (foreground) writeRunning(paths.running, { ...site.running, supervisor: recordOf(process.pid) });
    dropLock(paths.startLock);
    await greet(site, foreground);
    return foreground ? await watch(paths, stop) : 0;
  } finally {
    dropLock(paths.startLock);
  }
}

/**
 * What is said instead of a second start: the address, what differs from what was asked for now, and the way to that. A
 * runner that has ended meanwhile is started again, since nothing else has to stop for it.
 */
async function describeRunning(
  paths: Paths,
  running: Running,
  asked: { port?: number; host?: string; dev: boolean },
): Promise<void> {
  say(`\n  Already running: ${running.url}`);
  if (await reviveRunners(paths, running)) say("  A runner had ended and was started again.");
  const words = ["up"];
  const isChanged = running.inputs !== siteInputsHash(paths.root);
  if (isChanged) say("  Its sources have changed since it started.");
  if (asked.dev !== running.dev) say(asked.dev ? "  It was started without --dev." : "  It was started with --dev.");
  if (asked.port !== undefined && asked.port !== running.port) {
    say(`  It listens on port ${running.port}, not on ${asked.port}.`);
  }
  if (asked.host !== undefined && asked.host !== running.host) {
    say(`  It listens on ${running.host}, not on ${asked.host}.`);
  }
  if (asked.port !== undefined) words.push("--port", String(asked.port));
  if (asked.host !== undefined) words.push("--host", asked.host);
  if (asked.dev) words.push("--dev");
  const differs =
    isChanged ||
    asked.dev !== running.dev ||
    (asked.port ?? running.port) !== running.port ||
    (asked.host ?? running.host) !== running.host;
  say(differs ? `  To start it anew: ./xray down, then ./xray ${words.join(" ")}.\n` : "  Stop it with ./xray down.\n");
}

/** Undefined when the person stopped it before it was ready; everything is stopped again then. */
async function start(
  paths: Paths,
  options: { port: number; host: string; dev: boolean },
  stop: AbortSignal,
): Promise<StartedSite | undefined> {
  say("");
  try {
    return await startSite(paths, options, openProgress(), stop);
  } catch (error) {
    if (!stop.aborted) throw error;
    say("  Stopped.\n");
    return undefined;
  }
}

/** What a killed or broken run left: living processes of ours are stopped, pids of strangers are let be. */
async function clearRemains(paths: Paths, earlier: Running): Promise<void> {
  const { stopped, strangers } = await stopSite(paths, earlier);
  if (stopped.length > 0) say(`  Stopped what an earlier run had left: ${stopped.join(", ")}.`);
  for (const { name, pid } of strangers) {
    say(`  The pid ${pid} recorded for ${name} belongs to another program now; it was left alone.`);
  }
}

async function greet({ running, answering: { provider, fault } }: StartedSite, foreground: boolean): Promise<void> {
  say(`\n  Open ${running.url}\n`);
  if (fault) {
    say(`  ${provider} is to answer and cannot: ${fault}.`);
    say("  Connect it again (./xray provider add), or let the demo answer: ./xray provider default demo");
  } else if (provider) say(`  ${provider} answers.`);
  else say("  The scripted demo answers; no key is needed. For a real model: ./xray provider add --help");
  const hint = provider ? undefined : await localModelHint();
  if (hint) say(`  ${hint}`);
  say(foreground ? "  Ctrl-C stops it.\n" : "  ./xray down stops it.\n");
}

/** Until a signal comes or a process dies. A process that is being replaced on purpose is not dead. */
async function watch(paths: Paths, stop: AbortSignal): Promise<number> {
  let last = readRunning(paths.running)!;
  for (;;) {
    await pause(LIMITS.watchMs, stop);
    if (stop.aborted) {
      say("\n  Stopping …");
      await stopSite(paths, last);
      say("  Stopped.\n");
      return 0;
    }
    last = readRunning(paths.running) ?? last;
    const dead = isOurs(last.restarter) ? [] : deadProcesses(last);
    if (dead.length === 0) continue;
    const refusal = died(paths, dead[0]!, "ended by itself, so the rest was stopped");
    await stopSite(paths, last);
    throw refusal;
  }
}

/** Ctrl-C, `down` and a closed terminal all mean the same. Later ones are ignored: stopping has its own time limit. */
function stopOnSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stop.abort());
  return stop.signal;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
