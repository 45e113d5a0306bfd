/** The purge runs by itself in the application, again and again, also after a run that failed (§20). */
import { afterAll, beforeAll, expect, it } from "bun:test";
import { say } from "../../../tests/support/openai-server.mts";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";

let site: Site;
beforeAll(async () => {
  site = await startSite({ limits: { purgeFirstMs: 50, purgeEveryMs: 50 } });
}, START_MS);
afterAll(() => site.stop());

const addOld = () => site.sql("INSERT INTO sessions (last_active_at) VALUES (now() - interval '4 days')");
/** Polls until the application has deleted it; the test's own time limit ends a wait in vain. */
async function untilPurged(): Promise<void> {
  while ((await site.sql("SELECT FROM sessions")).length > 0) await Bun.sleep(20);
}

it("deletes what is past its time, and what comes to be past its time later", async () => {
  await addOld();
  await untilPurged();
  await addOld();
  await untilPurged();
});

it("that fails is logged, hurts no request and tries again", async () => {
  await site.sql("REVOKE DELETE ON sessions FROM purge");
  await addOld();
  await site.app.logged("The purge failed");
  expect((await site.visitor().request("/health")).status).toBe(200);
  await site.sql("GRANT DELETE ON sessions TO purge");
  await untilPurged();
});

it("a session leaves memory before its rows go, and one that is answering stays until it has answered", async () => {
  const release = Promise.withResolvers<void>();
  const [idle, busy] = [site.visitor(), site.visitor()];
  site.model.next(say("Yes."));
  const id = (await (await idle.ask("Hello")).rest())[0]!.data.sessionId;
  site.model.next(async (reply) => {
    reply.text("…");
    await release.promise;
    reply.finish();
  });
  const answering = await busy.ask("Hold");
  const busyId = (await answering.until("delta"))[0]!.data.sessionId;
  await site.sql("UPDATE sessions SET last_active_at = now() - interval '4 days'");
  while ((await site.sql("SELECT FROM sessions WHERE id = $1", [id])).length > 0) await Bun.sleep(20);
  // Nothing was written for a session that is gone, and the turn that runs is not cut off.
  expect(site.app.log()).not.toContain("a session did not end cleanly");
  expect((await site.sql("SELECT id FROM sessions")).map((row) => row.id)).toEqual([busyId]);
  release.resolve();
  expect((await answering.rest()).at(-1)!.data).toMatchObject({ outcome: "completed" });
  expect((await site.sql("SELECT outcome FROM messages WHERE role = 'assistant'"))[0].outcome).toBe("completed");
});
