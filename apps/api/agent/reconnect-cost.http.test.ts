/**
 * Coming back costs the same however long the session is: statements and rows are counted on the wire between the
 * application and Postgres, for both streams.
 */
import { afterAll, beforeAll, expect, it } from "bun:test";
import type { CompletionReply } from "../../../tests/support/openai-server.mts";
import { type PostgresMeter, startPostgresMeter } from "../../../tests/support/postgres-meter.mts";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";
import type { Visitor } from "../../../tests/support/visitor.mts";

const LONG_ROWS = 4_000;
const LONG_MESSAGES = 400;

let site: Site;
let meter: PostgresMeter;
let visitor: Visitor;
beforeAll(async () => {
  site = await startSite({
    databaseUrl: async (appUrl) => {
      meter = await startPostgresMeter(appUrl);
      return meter.urlOf(appUrl);
    },
  });
  visitor = site.visitor();
  await visitor.post("/agent/sessions", {});
}, START_MS);
afterAll(async () => {
  await site.stop();
  await meter.close();
});

/** A session with so much behind it, in the middle of a turn. */
async function midTurn(rows: number, messages: number): Promise<{ id: string; reply: CompletionReply }> {
  const id = (await visitor.post("/agent/sessions", {})).body.session.id;
  await site.sql(
    `INSERT INTO trace_events (session_id, seq, turn_seq, event_type, mode, ts, data)
     SELECT $1, n, 0, CASE WHEN n = $2::int - 1 THEN 'session_shutdown' ELSE 'context' END, 'notify', now(), '{}'
     FROM generate_series(0, $2::int - 1) n`,
    [id, rows],
  );
  await site.sql(
    `INSERT INTO messages (session_id, seq, role, content, outcome)
     SELECT $1, n, CASE n % 2 WHEN 0 THEN 'user' ELSE 'assistant' END, 'text', CASE n % 2 WHEN 1 THEN 'completed' END
     FROM generate_series(0, $2::int - 1) n`,
    [id, messages],
  );
  const script = Promise.withResolvers<CompletionReply>();
  site.model.next((reply) => {
    reply.text("One ");
    script.resolve(reply);
  });
  const stream = await visitor.ask("Count", id);
  await stream.until("delta");
  stream.leave();
  return { id, reply: await script.promise };
}

/** The least of three times: the pool may open a connection meanwhile, which is no cost of the request. */
async function cost(work: () => Promise<void>): Promise<{ statements: number; rows: number }> {
  const statements: number[] = [];
  const rows: number[] = [];
  for (let time = 0; time < 3; time++) {
    const before = [meter.statements(), meter.rows()] as const;
    await work();
    statements.push(meter.statements() - before[0]);
    rows.push(meter.rows() - before[1]);
  }
  return { statements: Math.min(...statements), rows: Math.min(...rows) };
}

/** What one reconnect of each stream costs, in the middle of a turn and with everything but the newest known. */
async function costsOf({ id, reply }: { id: string; reply: CompletionReply }) {
  // What the turn has recorded so far is stored by now, so that no flush falls into the count.
  const stored = () => site.sql("SELECT max(seq) AS last FROM trace_events WHERE session_id = $1", [id]);
  const whole = await visitor.trace(id);
  const { lastSeq } = (await whole.until("ready")).at(-1)!.data;
  whole.leave();
  while ((await stored())[0].last < lastSeq) await Bun.sleep(20);
  const trace = await cost(async () => {
    const stream = await visitor.trace(id, { afterSeq: lastSeq });
    await stream.until("ready");
    stream.leave();
  });
  const { body } = await visitor.json(`/agent/sessions/${id}`);
  const ask = await cost(async () => {
    const stream = await visitor.resume(id, `${body.running.turnSeq}.0`);
    expect((await stream.next())!.id).toBe(`${body.running.turnSeq}.1`);
    stream.leave();
  });
  // The meter counts rows: a newcomer's replay has them all.
  const newcomer = await cost(async () => {
    const stream = await visitor.trace(id, { clientId: "new" });
    await stream.until("ready");
    stream.leave();
  });
  reply.finish();
  return { trace, ask, newcomer };
}

it(
  "a reconnect of either stream sends as few statements and rows in a long session as in a new one",
  async () => {
    const short = await costsOf(await midTurn(10, 2));
    const long = await costsOf(await midTurn(LONG_ROWS, LONG_MESSAGES));
    expect([long.trace, long.ask]).toEqual([short.trace, short.ask]);
    expect(long.trace.rows).toBeLessThanOrEqual(2);
    expect(long.newcomer.rows - short.newcomer.rows).toBeGreaterThan(LONG_ROWS / 2);
  },
  START_MS,
);
