/**
 * A database server that crashes and comes back under a running turn: the real one, with its recovery. (What a cut wire
 * alone does is in `faults.http.test.ts`.)
 */
import { afterAll, beforeAll, expect, it } from "bun:test";
import { Client } from "pg";
import { LIMITS } from "../../../shared/limits";
import { type OwnServer, startOwnServer } from "../../../tests/support/database.mts";
import type { CompletionReply } from "../../../tests/support/openai-server.mts";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";
import type { Frame, Stream, Visitor } from "../../../tests/support/visitor.mts";

let server: OwnServer;
let site: Site;
beforeAll(async () => {
  server = await startOwnServer();
  // As patient as the product is, at a tenth of its pace.
  site = await startSite({ server, limits: { traceFlushMs: 100, traceWriteAttempts: 10 * LIMITS.traceWriteAttempts } });
}, START_MS);
afterAll(() => site?.stop(), START_MS);

async function beginTurn(visitor: Visitor, id: string): Promise<{ stream: Stream; reply: CompletionReply }> {
  const script = Promise.withResolvers<CompletionReply>();
  site.model.next((reply) => {
    reply.text("One ");
    script.resolve(reply);
  });
  const stream = await visitor.ask("Count", id);
  await stream.until("delta");
  return { stream, reply: await script.promise };
}

/** Rows of the trace up to the end of the turn. */
async function seenUntilSettled(trace: Stream, turnSeq: number): Promise<Frame[]> {
  const rows: Frame[] = [];
  for (;;) {
    const { data } = (await trace.next())!;
    rows.push(data);
    if (data.turnSeq === turnSeq && data.eventType === "agent_settled") return rows;
  }
}

/** The rows as the database has them, once it has as many. */
async function storedRows(id: string, count: number): Promise<unknown[]> {
  const client = new Client({ connectionString: site.database.adminUrl });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query(
        `SELECT seq, turn_seq AS "turnSeq", event_type AS "eventType", mode, data
         FROM trace_events WHERE session_id = $1 ORDER BY seq`,
        [id],
      );
      if (rows.length >= count) return rows;
      await Bun.sleep(20);
    }
  } finally {
    await client.end();
  }
}

it(
  "a crash of Postgres in mid-turn costs nothing that was said, or is told; both mend without a restart of the site",
  async () => {
    const visitor = site.visitor();
    const { id } = (await visitor.post("/agent/sessions", {})).body.session;
    const trace = await visitor.trace(id);
    await trace.until("ready");
    const pid = site.app.pid;

    // Back before the end.
    const first = await beginTurn(visitor, id);
    await server.crash();
    first.reply.text("two ");
    await first.stream.until("delta");
    await server.start();
    first.reply.text("three.");
    first.reply.finish();
    expect((await first.stream.rest()).at(-1)).toMatchObject({ event: "done", data: { outcome: "completed" } });

    // Away at the end.
    const second = await beginTurn(visitor, id);
    await server.crash();
    second.reply.text("two.");
    second.reply.finish();
    const told = await second.stream.rest();
    expect(told.map(({ event }) => event)).toEqual(["delta", "error"]);
    expect(told.at(-1)!.data).toMatchObject({ code: "not_stored", outcome: "failed" });
    const refused = await visitor.json(`/agent/sessions/${id}`);
    expect([refused.status, refused.body.code]).toEqual([500, "internal"]);
    await server.start();

    const third = await visitor.ask("And now?", id);
    expect((await third.rest()).at(-1)).toMatchObject({ event: "done", data: { outcome: "completed" } });
    const { body } = await visitor.json(`/agent/sessions/${id}`);
    expect(body.messages.map(({ content }: { content: string }) => content)).toEqual([
      "Count",
      "One two three.",
      "Count",
      "And now?",
      "ok",
    ]);
    // Whoever watched saw each row once and in order, and that is what came to be stored.
    const seen = (await seenUntilSettled(trace, 4)) as unknown as { timestamp: string; seq: number }[];
    trace.leave();
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index));
    expect((await storedRows(id, seen.length)) as unknown).toEqual(seen.map(({ timestamp, ...row }) => row));
    expect(site.app.pid).toBe(pid);
  },
  START_MS,
);
