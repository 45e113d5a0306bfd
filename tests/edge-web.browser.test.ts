/** The web server as it is started, in bad weather. What only its patience ends is tried on the port alone. */
import { afterAll, beforeAll, expect, it } from "bun:test";
import { faultsIn } from "./support/edge-case.mts";
import { storm } from "./support/edge-storm.mts";
import { START_MS, startWebSite, type WebSite } from "./support/web-site.mts";

/** Longer than a connection stays open after its answer, on a machine that is busy drawing pages. */
const PATIENCE_MS = 45_000;

let site: WebSite;
beforeAll(async () => {
  // The API's patience is not what is tried: a web server that draws fifty pages may be late with what it forwards.
  site = await startWebSite({ limits: { hostHeadersMs: PATIENCE_MS } });
  // The first page that is drawn holds everything up for a while.
  await Promise.all(["/notes", "/nowhere", "/api/health"].map((path) => fetch(site.url + path)));
}, START_MS);
afterAll(() => site.stop());

it.each([
  ["the API", { path: "/api/health", sink: "/api/agent/sessions" }],
  ["the pages", { path: "/notes", sink: "/api/agent/sessions" }],
])(
  "in front of %s, answers or closes every connection and stands afterwards",
  async (_what, places) => {
    const cases = storm(places).filter(({ slow }) => !slow);
    const faults = await Promise.all(cases.map((edge) => faultsIn(site.url, edge, PATIENCE_MS)));
    expect(faults.flat()).toEqual([]);
    expect((await fetch(site.url + places.path)).status).toBe(200);
    expect(
      site
        .webLog()
        .split("\n")
        .filter((line) => !line.includes('"message":"listening"')),
    ).toEqual([""]);
  },
  120_000,
);
