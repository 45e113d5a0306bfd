import { expect, it } from "bun:test";
import { repeat } from "./repeat";

it("runs again after a success and after a failure, which is told", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const seen: string[] = [];
  const task = async () => {
    seen.push("run");
    if (seen.length > 4) return resolve();
    if (seen.length === 1) throw new Error("first");
  };
  repeat(task, { firstMs: 0, everyMs: 0 }, (cause) => seen.push(String(cause)));
  await promise;
  expect(seen.slice(0, 5)).toEqual(["run", "Error: first", "run", "run", "run"]);
});

it("keeps no process alive (T4)", async () => {
  const exitOf = (unref: string) => {
    const script = `import { repeat } from ${JSON.stringify(`${import.meta.dir}/repeat.ts`)};
      ${unref}; repeat(async () => {}, { firstMs: 3_600_000, everyMs: 1 }, () => {});`;
    const run = Bun.spawn([process.execPath, "--bun", "-e", script]);
    return { run, ended: run.exited };
  };
  expect(await exitOf("").ended).toBe(0);
  // The same timer without `unref` would: the process is still there when another one has come and gone.
  const held = exitOf("const set = setTimeout; globalThis.setTimeout = (...a) => ({ unref: () => set(...a) })");
  expect(await exitOf("").ended).toBe(0);
  expect(held.run.exitCode).toBeNull();
  held.run.kill();
});
