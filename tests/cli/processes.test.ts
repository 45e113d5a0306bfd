/** A recorded process is signalled only while it is the very one that was recorded. */
import { afterAll, describe, expect, it } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dropLock, lockHolder, takeLock } from "../../cli/lock.mts";
import { type ProcessRecord, recordOf, stateOfRecord, stopProcess } from "../../cli/processes.mts";
import { type Running, readRunning, shown, siteState, writeRunning } from "../../cli/running.mts";
import { type Paths, pathsOf } from "../../cli/paths.mts";
import { stopSite } from "../../cli/stop.mts";

const folder = mkdtempSync(join(tmpdir(), "xray-pids-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function sleeper(): { child: ChildProcess; record: ProcessRecord } {
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  children.push(child);
  return { child, record: recordOf(child.pid!)! };
}

describe("a process record", () => {
  it("is ours while the process lives, and gone after it", async () => {
    const { child, record } = sleeper();
    expect(stateOfRecord(record)).toBe("ours");
    child.kill();
    await once(child, "exit");
    expect(stateOfRecord(record)).toBe("gone");
  });

  it("is a stranger when the pid is alive with another start", () => {
    const { record } = sleeper();
    expect(stateOfRecord({ ...record, started: "another boot:1" })).toBe("stranger");
  });

  it("never names pid 0, 1, a group or no number, whatever a file says", () => {
    expect([0, 1, -1, -process.pid, 1.5, Number.NaN, 2 ** 40].map((pid) => recordOf(pid))).toEqual(
      Array(7).fill(undefined),
    );
  });
});

describe("stopProcess", () => {
  it("ends ours, and one that ignores the request is killed after the time", async () => {
    const { child, record } = sleeper();
    expect(await stopProcess(record, "SIGTERM", 5_000)).toBe(true);
    expect(child.signalCode ?? (await once(child, "exit"))[1]).toBe("SIGTERM");

    const deaf = spawn("sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 1; done"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    children.push(deaf);
    await once(deaf.stdout!, "data");
    expect(await stopProcess(recordOf(deaf.pid!)!, "SIGTERM", 50)).toBe(true);
    expect(deaf.signalCode ?? (await once(deaf, "exit"))[1]).toBe("SIGKILL");
  });

  it("sends nothing to a stranger", async () => {
    const { child, record } = sleeper();
    expect(await stopProcess({ ...record, started: "another boot:1" }, "SIGKILL", 50)).toBe(false);
    expect([child.exitCode, child.signalCode, stateOfRecord(record)]).toEqual([null, null, "ours"]);
  });
});

describe("readRunning", () => {
  const file = join(folder, "running-of-another.json");

  it("gives what was written, nothing where nothing is, and refuses what is no record", () => {
    expect(readRunning(file)).toBeUndefined();
    for (const text of [
      "",
      "{",
      "[]",
      "null",
      '"x"',
      '{"url":1,"processes":{}}',
      '{"url":"x"}',
      '{"url":"x","processes":null}',
    ]) {
      writeFileSync(file, text);
      expect(() => readRunning(file), text).toThrow(`The record of what runs, ${file}, cannot be read.`);
    }
    writeFileSync(file, '{"url":"http://localhost:1","processes":{}}');
    expect(readRunning(file)).toMatchObject({ url: "http://localhost:1" });
    expect(() => readRunning(folder)).toThrow("cannot be read.");
  });
});

describe("what a site consists of", () => {
  const site = (changes: Partial<Running>): Running => ({
    url: "http://localhost:1",
    apiUrl: "http://127.0.0.1:2",
    database: "embedded",
    dev: false,
    inputs: "",
    ready: true,
    processes: {},
    ...changes,
  });
  const me = recordOf(process.pid)!;
  const gone = { pid: process.pid, started: "another boot:1" };

  it("holds without its runner, which is shown where one was started", () => {
    const processes = { postgres: me, api: me, web: me };
    expect(shown(site({ processes }))).toEqual(["postgres", "api", "web"]);
    expect(shown(site({ processes: { ...processes, runner: gone } }))).toEqual(["postgres", "runner", "api", "web"]);
    expect(siteState(site({ processes: { ...processes, runner: gone } }), false)).toBe("running");
    expect(siteState(site({ processes: { ...processes, api: gone } }), false)).toBe("broken");
    expect(siteState(site({ processes: { runner: me, postgres: gone, api: gone, web: gone } }), false)).toBe("stopped");
  });
});

describe("stopSite", () => {
  const paths: Paths = { ...pathsOf({ XRAY_HOME: join(folder, "home") }, 1000) };
  const running = (processes: Running["processes"]): Running => ({
    url: "http://localhost:1",
    apiUrl: "http://127.0.0.1:2",
    database: "embedded",
    dev: false,
    inputs: "",
    ready: true,
    processes,
  });

  it("stops ours, lets the stranger live, forgets the dead, and clears the records", async () => {
    const web = sleeper();
    const stranger = sleeper();
    const dead = { pid: 2 ** 30, started: "another boot:1" };
    const site = running({ web: web.record, api: { ...stranger.record, started: "another boot:1" }, postgres: dead });
    writeRunning(paths.running, site);
    expect(await stopSite(paths, site)).toEqual({
      stopped: ["web"],
      strangers: [{ name: "api", pid: stranger.record.pid }],
    });
    expect([stateOfRecord(web.record), stateOfRecord(stranger.record)]).toEqual(["gone", "ours"]);
    expect(readRunning(paths.running)).toBeUndefined();
  });

  it("tells running, broken, starting and stopped apart", () => {
    const { record } = sleeper();
    const gone = { pid: 2 ** 30, started: "x" };
    const all = { postgres: record, api: record, web: record };
    expect([
      siteState(undefined, false),
      siteState(undefined, true),
      siteState(running(all), false),
      siteState({ ...running(all), ready: false }, false),
      siteState(running({ ...all, api: gone }), false),
      siteState({ ...running({ ...all, api: gone }), restarter: record }, false),
      siteState(running({ postgres: gone, api: gone, web: gone }), false),
      siteState({ ...running({ api: record, web: record }), database: "external" }, false),
    ]).toEqual(["stopped", "starting", "running", "broken", "broken", "running", "stopped", "running"]);
  });
});

describe("the start lock", () => {
  it("is held by one living process, and taken over from a dead one", () => {
    const path = join(folder, "locks", "start.lock");
    const { record } = sleeper();
    expect(takeLock(path)).toBe(true);
    expect(lockHolder(path)?.pid).toBe(process.pid);
    dropLock(path);
    expect(lockHolder(path)).toBeUndefined();

    writeFileSync(path, JSON.stringify(record));
    expect(takeLock(path)).toBe(false);
    dropLock(path); // Not ours to drop.
    expect(lockHolder(path)?.pid).toBe(record.pid);

    writeFileSync(path, JSON.stringify({ ...record, started: "another boot:1" }));
    expect(takeLock(path)).toBe(true);
    writeFileSync(path, "");
    expect(takeLock(path)).toBe(true);
  });
});
