/**
 * The host's edge in bad weather: whatever bytes arrive, each connection gets an answer or is closed, and afterwards the
 * process is as it was.
 */
import { afterAll, beforeAll, expect, it, setDefaultTimeout } from "bun:test";
import { readdirSync } from "node:fs";
import type { RunningApp } from "../../tests/support/app.mts";
import { faultsIn } from "../../tests/support/edge-case.mts";
import { damaged, storm } from "../../tests/support/edge-storm.mts";
import { random } from "../../tests/support/random.mts";
import { startFixture } from "./__tests__/fixture.mts";
import { eventually } from "./__tests__/raw-client.mts";

const PLACES = { path: "/ping", sink: "/body/count" };
/** Short, but longer than a busy machine keeps a client from writing what it has ready. */
const LIMITS = { hostHeadersMs: 4_000, hostRequestMs: 6_000, hostKeepAliveMs: 1_000 };
/** Longer than every limit and the host's lingering together. */
const PATIENCE_MS = 30_000;
const DAMAGED = 200;

setDefaultTimeout(60_000);
let app: RunningApp;
let openFiles: number;
beforeAll(async () => {
  const databaseUrl = "postgres://someone:pass@127.0.0.1:5432/xray_test_none";
  app = await startFixture({ databaseUrl, databaseName: "probe", limits: LIMITS });
  await answersNormally();
  openFiles = filesOf(app);
});
afterAll(() => app.stop());

/** Only Linux tells; elsewhere nothing is compared. */
const filesOf = ({ pid }: RunningApp) => (process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : 0);

async function answersNormally(): Promise<void> {
  const response = await fetch(app.url + PLACES.path, { headers: { connection: "close" } });
  expect([response.status, await response.text()]).toEqual([200, '{"ok":true}']);
}

async function isAsBefore(): Promise<void> {
  await answersNormally();
  await eventually(() => filesOf(app) <= openFiles, "every connection was let go");
  expect(
    app
      .log()
      .split("\n")
      .filter((line) => /"level":"error"|unhandled|uncaught/.test(line)),
  ).toEqual([]);
}

it("takes every known oddity at once, answers what is fine and refuses what is not", async () => {
  const cases = storm(PLACES);
  const faults = await Promise.all(cases.map((edge) => faultsIn(app.url, edge, PATIENCE_MS)));
  expect(faults.flat()).toEqual([]);
  await isAsBefore();
});

it("takes damaged requests by the hundred", async () => {
  const chance = random();
  const cases = Array.from({ length: DAMAGED }, () => damaged(PLACES, chance));
  const faults = await Promise.all(cases.map((edge) => faultsIn(app.url, edge, PATIENCE_MS)));
  expect({ seed: chance.seed, faults: faults.flat() }).toEqual({ seed: chance.seed, faults: [] });
  await isAsBefore();
});

it("has nothing left to wait for when it stops", async () => {
  expect(await app.stop()).toBe(0);
  expect(app.log()).toContain('"message":"stopped","inTime":true');
});
