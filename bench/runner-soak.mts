/**
 * Claim: 10,000 runs in a row leave nothing behind. Between the 1,000th and the last, the listener's memory grows by at
 * most a tenth and its descriptors and folders not at all; the warm interpreter is renewed on the way and no run fails.
 */
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge } from "./lib.mts";
import { prepare, sleep, startRunner } from "./lib-runner.mts";

const RUNS = Number(process.argv[2] ?? 10_000);
const WARM = Math.min(1_000, RUNS / 10);
const CLIENTS = 2;
const SCRIPT = `import json, sys
text = json.load(sys.stdin)["text"]
open("left.txt", "w").write(text)
json.dump({"words": len(text.split())}, sys.stdout)
`;

const folder = mkdtempSync(join(tmpdir(), "xray-bench-runner-"));
const children = new Set<ChildProcess>();
try {
  const runner = startRunner(
    process.env.XRAY_PYTHON ?? "/usr/bin/python3",
    prepare(folder, "soak", "none", SCRIPT, []),
    children,
  );
  while (!(await runner.health().catch(() => ({ ok: false }))).ok) await sleep(20);

  const zygotes = new Set<number>();
  let failed = 0;
  let begun = 0;
  const runUntil = async (end: number) => {
    const client = async () => {
      while (begun < end) {
        begun++;
        const { outcome, stdout } = await runner.run({ text: "to be or not to be" });
        if (outcome !== "ok" || stdout !== '{"words": 6}') failed++;
        if (begun % 100 === 0) zygotes.add((await runner.health()).zygote?.pid);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    // Two processes wait ready again, and the last folders are empty.
    while ((await runner.health()).warm !== CLIENTS) await sleep(20);
    return {
      kilobytes: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${runner.pid}/status`, "utf8"))?.[1]),
      descriptors: readdirSync(`/proc/${runner.pid}/fd`).length,
      entries: readdirSync(runner.work, { recursive: true }).length,
    };
  };
  const early = await runUntil(WARM);
  const late = await runUntil(RUNS);
  await runner.stop();

  const after = `after ${RUNS} runs to after ${WARM}`;
  const claims = [
    judge({
      name: `runner-soak memory, ${after}`,
      unit: "times",
      measured: late.kilobytes / early.kilobytes,
      atMost: 1.1,
    }),
    judge({
      name: `runner-soak descriptors, ${after}`,
      unit: "more",
      measured: late.descriptors - early.descriptors,
      atMost: 0,
    }),
    judge({
      name: `runner-soak folders and files, ${after}`,
      unit: "more",
      measured: late.entries - early.entries,
      atMost: 0,
    }),
    judge({ name: "runner-soak failed runs", unit: "runs", measured: failed, atMost: 0 }),
  ];
  console.log(
    `runner-soak ${zygotes.size} warm interpreters served ${RUNS} runs; memory ${early.kilobytes} to ${late.kilobytes} kB`,
  );
  if (RUNS >= 2_000 && zygotes.size < 3) {
    console.log("FAIL runner-soak: the warm interpreter was not renewed");
    claims.push(false);
  }
  process.exitCode = claims.every(Boolean) ? 0 : 1;
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
