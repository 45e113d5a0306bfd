/** A server that a test has started: what it says, where it listens, and its end. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

export interface WatchedProcess {
  /** Everything the process wrote so far, standard output and error. */
  log(): string;
  /** The log once it holds `text`; rejects when the process ends or the time is up without it. */
  logged(text: string): Promise<string>;
  /** Its address, once it has said that it listens. */
  url(): Promise<string>;
  /** Sends a signal and resolves to the exit code, null when a signal killed it. Safe to call twice. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const START_MS = 30_000;
const LOG_MS = 10_000;
const KILL_MS = 15_000;

/** `onExit` is called once, after the last byte of its output. */
export function watchProcess(child: ChildProcess, onExit: () => void = () => {}): WatchedProcess {
  let text = "";
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const check of waiting) check();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      wake();
    });
  }
  const closed = once(child, "close").then(([code]) => {
    onExit();
    wake();
    return code as number | null;
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const logged: WatchedProcess["logged"] = (wanted) =>
    new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        waiting.delete(check);
        settle();
      };
      const fail = (reason: string) => finish(() => reject(new Error(`${reason} Its log:\n${text}`)));
      const check = () => {
        if (text.includes(wanted)) finish(() => resolve(text));
        else if (hasEnded()) fail(`The process ended without logging ${wanted}.`);
      };
      const patienceMs = text === "" ? START_MS : LOG_MS;
      const timer = setTimeout(() => fail(`The process did not log ${wanted} in ${patienceMs} ms.`), patienceMs);
      waiting.add(check);
      check();
    });
  return {
    log: () => text,
    logged,
    url: async () => {
      const [, address] = /"message":"listening","address":"([^"]+)"/.exec(await logged('"message":"listening"')) ?? [];
      if (address === undefined) throw new Error(`The process listens without an address. Its log:\n${text}`);
      return `http://${address}`;
    },
    stop: async (signal = "SIGTERM") => {
      if (!hasEnded()) child.kill(signal);
      const timer = setTimeout(() => child.kill("SIGKILL"), KILL_MS);
      const code = await closed;
      clearTimeout(timer);
      return code;
    },
  };
}
