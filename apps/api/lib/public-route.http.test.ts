/** publicRoute on a small application of its own: whatever a handler does becomes one answer of the closed table. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { join } from "node:path";
import { type RunningApp, startApp } from "../../../tests/support/app.mts";

const INTERNAL = { error: "Something went wrong on our side.", code: "internal" };

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ root: join(import.meta.dir, "__tests__/route-app") });
}, 60_000);
afterAll(() => app.stop());

const get = (path: string) => fetch(app.url + path);

describe("publicRoute", () => {
  it("lets no field out that the contract does not name", async () => {
    expect(await (await get("/extra")).json()).toEqual({ named: "yes" });
  });

  it("answers internal when the answer itself breaks the contract", async () => {
    const response = await get("/broken");
    expect([response.status, await response.json()]).toEqual([500, INTERNAL]);
  });

  it("turns an unforeseen error into the fixed sentence, with the cookie, and one redacted log line", async () => {
    const response = await get("/throws");
    expect([response.status, response.headers.get("set-cookie"), await response.json()]).toEqual([
      500,
      "a=b",
      INTERNAL,
    ]);
    const lines = (await app.logged('"path":"/throws"')).split("\n").filter((line) => line.includes("inner text"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("An endpoint failed.");
    expect(lines[0]).not.toContain("hunter2");
  });

  it("rounds the time to come back up to a whole minute", async () => {
    const response = await get("/limited");
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "120"]);
  });

  it("ends a stream cleanly when its handler throws after the first byte, and logs it", async () => {
    const response = await get("/torn");
    expect([response.status, response.headers.get("set-cookie")]).toEqual([200, "a=b"]);
    expect(await response.text()).toBe(": hb\n\nevent: first\ndata: {}\n\n");
    expect(await app.logged("torn apart")).toContain("An endpoint failed.");
  });

  it("answers nothing with an empty 204", async () => {
    const response = await get("/empty");
    expect([response.status, await response.text()]).toEqual([204, ""]);
  });
});
