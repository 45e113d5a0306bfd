/** What a turn costs the database: counted on the wire between the application and Postgres. */
import { afterAll, beforeAll, expect, it } from "bun:test";
import { say } from "../../../tests/support/openai-server.mts";
import { type PostgresMeter, startPostgresMeter } from "../../../tests/support/postgres-meter.mts";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";

let site: Site;
let meter: PostgresMeter;
beforeAll(async () => {
  // The meter learns the server's address from the first database made on it.
  let started: Promise<PostgresMeter> | undefined;
  site = await startSite({
    databaseUrl: async (appUrl) => {
      started ??= startPostgresMeter(appUrl);
      meter = await started;
      return meter.urlOf(appUrl);
    },
  });
}, START_MS);
afterAll(async () => {
  await site.stop();
  await meter.close();
});

async function statementsOfTurn(tokens: number): Promise<number> {
  const visitor = site.visitor();
  const before = meter.statements();
  site.model.next(say(...Array.from({ length: tokens }, (_, index) => `word${index} `)));
  const frames = await (await visitor.ask("Talk")).rest();
  expect(frames.filter(({ event }) => event === "delta")).toHaveLength(tokens);
  // Deleting waits until every trace row is stored.
  await visitor.request(`/agent/sessions/${frames[0]!.data.sessionId}`, { method: "DELETE" });
  return meter.statements() - before;
}

it("an answer of 1,000 tokens makes no statement per token", async () => {
  const short = await statementsOfTurn(10);
  const long = await statementsOfTurn(1_000);
  // The meter works: a turn reads its configuration and stores a message, a reply and a trace.
  expect(short).toBeGreaterThan(10);
  // A longer answer takes more time, and the trace is flushed a few times more in it: tens of statements, not hundreds.
  expect(long - short).toBeLessThan(100);
});
