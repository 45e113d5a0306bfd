/** What a person sees of steps: one line a finished step, and on a terminal the running ones in one line below. */
import { expect, test } from "bun:test";
import { openProgress } from "../../cli/progress.mts";

/** A terminal or a file, and what was written to it. */
function sink(isTTY: boolean) {
  const written: string[] = [];
  const out = { isTTY, columns: 60, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  return { out, written, next: nextOf(written) };
}

/** Resolves when something more was written. */
function nextOf(written: readonly string[]) {
  return async () => {
    const before = written.length;
    while (written.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
  };
}

const timeless = (text: string) => text.replace(/[\d.]+ s/g, "0 s").replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, "*");

test("elsewhere than on a terminal only ends are written, in their order", async () => {
  const { out, written } = sink(false);
  const progress = openProgress(out, {});
  const slow = Promise.withResolvers<void>();
  const first = progress.step("first", async (step) => {
    step.note("all of it");
    await slow.promise;
  });
  await progress.step("second", async (step) => step.fault("broken"));
  const third = progress.step("third", () => Promise.reject(new Error("no")));
  expect(await third.catch(() => "refused")).toBe("refused");
  slow.resolve();
  await first;
  expect(written.map(timeless)).toEqual([
    "  ✗ second     broken · 0 s\n",
    "  ✗ third      0 s\n",
    "  ✓ first      all of it · 0 s\n",
  ]);
});

test("on a terminal the running steps share one line that is never longer than the screen, and an end takes its place", async () => {
  const { out, written, next } = sink(true);
  const progress = openProgress(out, { NO_COLOR: "1" });
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const steps = ["one", "two"].map((name, index) =>
    progress.step(name, async (step) => {
      step.note("x".repeat(index * 80));
      await ends[index]!.promise;
    }),
  );
  await next();
  const line = timeless(written.at(-1)!);
  expect(line).toStartWith("\r\x1b[2K  * one        0 s   two        xxx");
  expect(line.slice("\r\x1b[2K".length).length).toBeLessThan(60);

  ends[0]!.resolve();
  await steps[0];
  expect(timeless(written.at(-1)!)).toBe("\r\x1b[2K  ✓ one        0 s\n");
  await next();
  expect(timeless(written.at(-1)!)).toStartWith("\r\x1b[2K  * two        xxx");
  ends[1]!.resolve();
  await steps[1];
  expect(timeless(written.at(-1)!)).toEndWith(" · 0 s\n");
});
