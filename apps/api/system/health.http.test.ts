/** A process without its database: healthy, honest about what it cannot do, and silent about why. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { type RunningApp, startApp } from "../../../tests/support/app.mts";
import { Visitor } from "../../../tests/support/visitor.mts";

const PASSWORD = "pass0word0mark";
let app: RunningApp;
beforeAll(async () => {
  // Port 9 is the discard service, which nobody runs: every connection is refused.
  app = await startApp({ databaseUrl: `postgres://xray_app:${PASSWORD}@127.0.0.1:9/xray` });
}, 60_000);
afterAll(() => app.stop());

describe("without a database", () => {
  it("the process is healthy", async () => {
    const { status, body } = await new Visitor(app.url).json("/health");
    expect([status, body]).toEqual([200, { ok: true }]);
  });

  it("a visitor without a cookie has no sessions, which needs no database to know", async () => {
    expect((await new Visitor(app.url).json("/agent/sessions")).body).toEqual({ sessions: [] });
  });

  it("everything else is refused with one fixed sentence, and the log holds the cause without the password", async () => {
    const visitor = new Visitor(app.url);
    for (const answer of [
      await visitor.json("/site/status"),
      await visitor.json("/notes/series"),
      await visitor.post("/agent/sessions", {}),
      await visitor.post("/agent/ask", { prompt: "Hello" }),
    ]) {
      expect([answer.status, answer.body]).toEqual([
        500,
        { error: "Something went wrong on our side.", code: "internal" },
      ]);
    }
    expect(await app.logged("An endpoint failed.")).not.toContain(PASSWORD);
  });

  it("a page of another site may not even ask: its preflight gets no grant, with or without credentials", async () => {
    for (const method of ["OPTIONS", "GET"]) {
      const answer = await fetch(`${app.url}/agent/sessions`, {
        method,
        headers: { origin: "https://other.example", "access-control-request-method": "POST" },
      });
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("limits scaled for a test are refused at the start for a database that is not a test's", async () => {
    const start = startApp({ databaseUrl: "postgres://a:b@127.0.0.1:9/xray", limits: { heartbeatMs: 10 } });
    await expect(start).rejects.toThrow("does not begin with xray_test");
  });
});
