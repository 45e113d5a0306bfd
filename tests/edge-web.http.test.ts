/**
 * The web port in bad weather: the host's storm, once for what it passes on to the API and once for what it hands to
 * the pages. Behind it is a real host, so that whatever the port lets through meets a second reader of HTTP.
 */
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from "bun:test";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { LIMITS } from "../shared/limits";
import type { RunningApp } from "./support/app.mts";
import { faultsIn } from "./support/edge-case.mts";
import { damaged, storm } from "./support/edge-storm.mts";
import { random } from "./support/random.mts";
import { startFixture } from "../apps/host/__tests__/fixture.mts";
import { eventually } from "../apps/host/__tests__/raw-client.mts";
import { createPort } from "../apps/web/port.mts";

/** The port's; the host behind it is as patient as ever. Short, but longer than a busy machine keeps a client waiting. */
const SCALED = { hostHeadersMs: 4_000, hostRequestMs: 6_000, hostKeepAliveMs: 1_000 };
const PATIENCE_MS = 30_000;
const DAMAGED = 100;

setDefaultTimeout(60_000);
let api: RunningApp;
let port: Server;
let url: string;
const logged: string[] = [];
beforeAll(async () => {
  api = await startFixture();
  port = createPort({
    apiUrl: api.url,
    bodyBytes: LIMITS.webBodyBytes,
    page: (request, response) => void request.on("end", () => response.end("page")).resume(),
    log: (message) => logged.push(message),
    patience: { ...LIMITS, ...SCALED },
  });
  await new Promise<void>((resolve) => port.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(port.address() as AddressInfo).port}`;
});
afterAll(async () => {
  port.close();
  port.closeAllConnections();
  await api.stop();
});

const openConnections = () =>
  new Promise<number>((resolve, reject) =>
    port.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

describe.each([
  ["the API", { path: "/api/ping", sink: "/api/body/count" }],
  ["the pages", { path: "/", sink: "/" }],
])("in front of %s", (_what, places) => {
  it("takes every known oddity at once and lets every connection go", async () => {
    const faults = await Promise.all(storm(places).map((edge) => faultsIn(url, edge, PATIENCE_MS)));
    expect(faults.flat()).toEqual([]);
    await eventually(async () => (await openConnections()) === 0, "every connection was let go");
    expect((await fetch(url + places.path)).status).toBe(200);
  });

  it("takes damaged requests by the hundred", async () => {
    const chance = random();
    const cases = Array.from({ length: DAMAGED }, () => damaged(places, chance));
    const faults = await Promise.all(cases.map((edge) => faultsIn(url, edge, PATIENCE_MS)));
    expect({ seed: chance.seed, faults: faults.flat() }).toEqual({ seed: chance.seed, faults: [] });
    expect((await fetch(url + places.path)).status).toBe(200);
  });
});

it("finds the API in reach all the time, and nothing else to say", () => {
  expect(logged).toEqual([]);
  expect(
    api
      .log()
      .split("\n")
      .filter((line) => /"level":"error"|unhandled|uncaught/.test(line)),
  ).toEqual([]);
});
