/** What the page may know of the site (architecture §14, Providers): two booleans, and nothing else. */
import { describe, expect, it } from "bun:test";
import { type SiteOptions, START_MS, startSite } from "../../../tests/support/site.mts";
import { postOf } from "../../../tests/support/visitor.mts";

const DEMO = { XRAY_DEMO_MODEL: "1" };

describe("the site's status", () => {
  it.each<[string, SiteOptions, { demo: boolean; ready: boolean }]>([
    ["without a provider and without the demo it is not ready", { provider: null }, { demo: false, ready: false }],
    ["the demo answers when it is switched on", { provider: null, env: DEMO }, { demo: true, ready: true }],
    [
      "only 1 switches the demo on",
      { provider: null, env: { XRAY_DEMO_MODEL: "true" } },
      { demo: false, ready: false },
    ],
    ["a provider turns the demo off", { env: DEMO }, { demo: false, ready: true }],
    [
      "a provider whose host is not allowed any more is not ready",
      { env: { ...DEMO, XRAY_LLM_EXTRA_HOSTS: "" } },
      { demo: false, ready: false },
    ],
  ])(
    "%s",
    async (_case, options, expected) => {
      const site = await startSite(options);
      try {
        const { status, body } = await site.visitor().json("/site/status");
        expect([status, body]).toEqual([200, expected]);
        const asked = await site.visitor().request("/agent/ask", postOf({ prompt: "Hello" }));
        await asked.body!.cancel();
        expect(asked.status).toBe(expected.ready ? 200 : 503);
      } finally {
        await site.stop();
      }
    },
    START_MS,
  );
});
