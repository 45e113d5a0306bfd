/**
 * Claims: a run costs a fraction of starting the interpreter for the same script. Ratios to `python3 -I` spawned for
 * it: a light script at most 0.2 from a process that waits ready and 0.55 from a new one; with web-fetch's imports 0.05
 * and 0.12, and at least five times the throughput with two clients. HTTP adds at most 3 ms, the zygote with those
 * imports holds at most 45 MB. Other sandboxes are timed beside it where they are installed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { compare, median } from "./lib.mts";
import { prepare, RUNNER, sleep, startPython, startRunner, stop, type Subject } from "./lib-runner.mts";

const ROUNDS = Number(process.argv[2] ?? 200);
const THROUGHPUT_MS = 3_000;
const THROUGHPUT_ROUNDS = 3;
const PYTHON = process.env.XRAY_PYTHON ?? "/usr/bin/python3";
const INPUT = JSON.stringify({ text: "to be or not to be" });
const WORK = `
given = json.load(sys.stdin)
counted = {}
for word in given["text"].split():
    counted[word] = counted.get(word, 0) + 1
json.dump(counted, sys.stdout)
`;
const LIGHT = `import json, sys\n${WORK}`;
const HEAVY = `import json, sys, re, ssl, html.parser, http.client, urllib.parse\nimport trafilatura\n${WORK}`;

const folder = mkdtempSync(join(tmpdir(), "xray-bench-runner-"));
const children = new Set<ChildProcess>();
let allHold = true;
try {
  const light = prepare(folder, "light", "none", LIGHT, []);
  await ratios(light, 0.2, 0.55);
  if (await succeeds([PYTHON, "-I", "-c", "import trafilatura"])) {
    const heavy = prepare(folder, "heavy", "egress", HEAVY, ["trafilatura", "html.parser", "http.client", "ssl"]);
    await ratios(heavy, 0.05, 0.12);
    await overHttp(heavy);
  } else {
    console.log(`FAIL runner: heavy imports: ${PYTHON} has no trafilatura; name one that has it with XRAY_PYTHON`);
    allHold = false;
  }
  await others(light);
} finally {
  for (const child of children) child.kill();
  await Promise.all([...children].map((child) => new Promise((done) => child.once("exit", done))));
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = allHold ? 0 : 1;

/** The two ratios of one subject, process ready and process new. */
async function ratios(subject: Subject, warmAtMost: number, demandAtMost: number): Promise<void> {
  for (const [mode, atMost] of [
    ["warm", warmAtMost],
    ["demand", demandAtMost],
  ] as const) {
    const timing = timer(subject, mode);
    allHold =
      (await compare({
        name: `runner ${subject.name} ${mode}`,
        unit: "µs",
        rounds: ROUNDS,
        baseline: () => spawned([PYTHON, "-I", subject.file]),
        measured: timing.measure,
        claim: { atMost },
      })) && allHold;
    await timing.stop();
  }
}

/** What the API's way adds, how much two clients get done, and what the zygote holds. */
async function overHttp(subject: Subject): Promise<void> {
  const runner = startRunner(PYTHON, subject, children);
  const run = () => runner.run(JSON.parse(INPUT));
  const ready = async () => {
    while ((await runner.health().catch(() => ({ warm: 0 }))).warm !== 2) await sleep(2);
  };
  await ready();

  const inside = timer(subject, "warm");
  const added: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const within = await inside.measure();
    await ready();
    const start = performance.now();
    const reply = await run();
    const through = (performance.now() - start) * 1_000;
    if (reply.outcome !== "ok") throw new Error(`a run ended as ${reply.outcome}`);
    if (round > 0) added.push((through - within) / 1_000);
  }
  await inside.stop();
  claim("runner http on top", `${median(added).toFixed(2)} ms`, median(added) <= 3, "at most 3 ms");

  const gains: number[] = [];
  for (let round = 0; round < THROUGHPUT_ROUNDS; round++) {
    const plain = await perSecond(() => spawned([PYTHON, "-I", subject.file]));
    gains.push((await perSecond(run)) / plain);
  }
  claim("runner two clients", `${median(gains).toFixed(1)} times`, median(gains) >= 5, "at least 5 times");

  const { zygote } = await runner.health();
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${zygote.pid}/status`, "utf8"))?.[1]) / 1_024;
  claim("runner zygote", `${megabytes.toFixed(1)} MB`, megabytes <= 45, "at most 45 MB");
  await runner.stop();
}

/** Other ways to confine the same script, none of them a claim. */
async function others(subject: Subject): Promise<void> {
  const script = [PYTHON, "-I", subject.file];
  const bubblewrap = "bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --unshare-all --die-with-parent";
  const known: Record<string, string[]> = {
    bwrap: [...bubblewrap.split(" "), "--ro-bind", subject.folder, subject.folder, ...script],
    srt: ["srt", script.join(" ")],
    runsc: ["runsc", "--rootless", "--network=none", "do", ...script],
  };
  for (const [name, command] of Object.entries(known)) {
    if (!(await succeeds(command))) {
      console.log(`runner beside it: ${name} is not installed, or does not start here`);
      continue;
    }
    const pairs: number[] = [];
    for (let round = 0; round < Math.min(ROUNDS, 20); round++) {
      const plain = await spawned(script);
      pairs.push((await spawned(command)) / plain);
    }
    console.log(`runner beside it: ${name} ratio ${median(pairs).toFixed(2)}`);
  }
}

function claim(name: string, found: string, holds: boolean, wanted: string): void {
  console.log(`${name} ${found}`);
  console.log(`${holds ? "PASS" : "FAIL"} ${name}: ${wanted}`);
  allHold &&= holds;
}

/** A service in a process of its own that runs once a line. */
function timer(subject: Subject, mode: "warm" | "demand") {
  const child = startPython(
    PYTHON,
    [join(RUNNER, "tests", "support", "timing.py"), subject.folder, subject.network, mode, "bench/count.py"],
    {},
    children,
  );
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const measure = async () => {
    child.stdin!.write("\n");
    const line = await lines.next();
    if (line.done) throw new Error("the timed runner ended");
    return Number(line.value);
  };
  return { measure, stop: () => stop(child) };
}

/** Microseconds from the start of a program to its end, its input given. Rejects when it fails. */
function spawned(command: string[]): Promise<number> {
  const start = performance.now();
  return new Promise((done, fail) => {
    const child = spawn(command[0]!, command.slice(1), { env: {}, stdio: ["pipe", "pipe", "ignore"] });
    child.on("error", fail);
    child.stdout.resume();
    child.stdin.on("error", () => {});
    child.stdin.end(INPUT);
    child.on("close", (code) =>
      code === 0 ? done((performance.now() - start) * 1_000) : fail(new Error(`${command[0]} ended with ${code}`)),
    );
  });
}

function succeeds(command: string[]): Promise<boolean> {
  return spawned(command).then(
    () => true,
    () => false,
  );
}

/** How often two clients together get something done in a second. */
async function perSecond(once: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + THROUGHPUT_MS;
  let count = 0;
  const client = async () => {
    while (performance.now() < end) {
      await once();
      count++;
    }
  };
  await Promise.all([client(), client()]);
  return (count * 1_000) / THROUGHPUT_MS;
}
