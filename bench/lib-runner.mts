/** A runner of one skill with one script, for the benches that measure runs: made in a folder, started, asked, stopped. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";

export const RUNNER = join(import.meta.dirname, "..", "runner");

export interface Subject {
  name: string;
  folder: string;
  network: "none" | "egress";
  file: string;
  sha256: string;
}

/** Writes a skill of one script, and the manifest that admits it. */
export function prepare(
  folder: string,
  name: string,
  network: Subject["network"],
  text: string,
  preload: string[],
): Subject {
  const own = join(folder, name);
  const file = join(own, "skills", "bench", "scripts", "count.py");
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  const sha256 = createHash("sha256").update(text).digest("hex");
  const skill = { network, preload, scripts: { "count.py": sha256 }, files: { "scripts/count.py": sha256 } };
  writeFileSync(join(own, "manifest.json"), JSON.stringify({ skills: { bench: skill } }));
  return { name, folder: own, network, file, sha256 };
}

export interface StartedRunner {
  pid: number;
  /** Folder in which each run gets its own. */
  work: string;
  run(input: object): Promise<Answer>;
  health(): Promise<Answer>;
  stop(): Promise<void>;
}

/** The listener with two places. It may not answer yet. */
export function startRunner(interpreter: string, subject: Subject, children: Set<ChildProcess>): StartedRunner {
  const socketPath = join(subject.folder, "runner.sock");
  const work = join(subject.folder, "work-http");
  const env = {
    RUNNER_LISTEN: socketPath,
    RUNNER_NETWORK: subject.network,
    RUNNER_CONCURRENCY: "2",
    RUNNER_WORK: work,
    RUNNER_SKILLS: join(subject.folder, "skills"),
    RUNNER_MANIFEST: join(subject.folder, "manifest.json"),
  };
  const listener = startPython(interpreter, ["-m", "xray_runner"], env, children);
  const agent = new Agent({ keepAlive: true });
  const asked = { skill: "bench", script: "count.py", sha256: subject.sha256, timeoutMs: 60_000 };
  return {
    pid: listener.pid!,
    work,
    run: (input) => call(agent, socketPath, "POST", "/run", { ...asked, input }),
    health: () => call(agent, socketPath, "GET", "/health"),
    async stop() {
      agent.destroy();
      await stop(listener);
    },
  };
}

/** A Python in the runner's folder; kept in `children` while it lives. */
export function startPython(
  interpreter: string,
  args: string[],
  env: Record<string, string>,
  children: Set<ChildProcess>,
): ChildProcess {
  const child = spawn(interpreter, args, { cwd: RUNNER, env, stdio: ["pipe", "pipe", "ignore"] });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

export function stop(child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((done) => child.once("exit", () => done()));
  child.stdin!.end();
  child.kill();
  return gone;
}

// biome-ignore lint/suspicious/noExplicitAny: the runner's answers, read by their keys
type Answer = any;

function call(agent: Agent, socketPath: string, method: string, path: string, body?: unknown): Promise<Answer> {
  return new Promise((done, fail) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    const asked = request({ socketPath, agent, method, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => done(JSON.parse(Buffer.concat(parts).toString("utf8"))));
      response.on("error", fail);
    });
    asked.on("error", fail);
    asked.end(text);
  });
}

export function sleep(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
