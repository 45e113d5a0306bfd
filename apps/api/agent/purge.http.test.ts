/** The purge runs by itself in the application, again and again, also after a run that failed (§20). */
import { afterAll, beforeAll, expect, it } from "bun:test";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";

let site: Site;
beforeAll(async () => {
  site = await startSite({ provider: null, limits: { purgeFirstMs: 50, purgeEveryMs: 50 } });
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
