/**
 * A turn belongs to the server (architecture §6): it survives its readers, can be joined, stopped and interrupted, and
 * is whole in the store whatever happened. Everything also holds where a disconnect is invisible, as on Encore's own
 * runtime.
 */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import type { CompletionReply } from "../../../tests/support/openai-server.mts";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";
import type { Stream, Visitor } from "../../../tests/support/visitor.mts";

const withoutHeartbeats = (raw: string) => raw.replaceAll(": hb\n\n", "");

describe.each([
  ["a disconnect is visible", false],
  ["a disconnect is invisible", true],
])("where %s", (_mode, strict) => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite({ strict });
  }, START_MS);
  afterAll(() => site.stop());

  /** Asks, and stands in the middle of the answer: its first piece has arrived, the rest is in the test's hands. */
  async function midTurn(visitor: Visitor): Promise<{ id: string; stream: Stream; reply: CompletionReply }> {
    const script = Promise.withResolvers<CompletionReply>();
    site.model.next((reply) => {
      reply.text("One ");
      script.resolve(reply);
    });
    const stream = await visitor.ask("Count");
    const [session] = await stream.until("delta");
    return { id: session!.data.sessionId, stream, reply: await script.promise };
  }

  it("a turn goes on when its reader leaves, and is stored whole", async () => {
    const visitor = site.visitor();
    const { id, stream, reply } = await midTurn(visitor);
    stream.leave();
    const second = await visitor.resume(id, "0.1");
    reply.text("two.");
    reply.finish();
    expect((await second.rest()).map(({ id, event }) => `${id} ${event}`)).toEqual(["0.2 delta", "0.3 done"]);
    const { body } = await visitor.json(`/agent/sessions/${id}`);
    expect(body.messages[1]).toMatchObject({ content: "One two.", outcome: "completed" });
  });

  it("whoever joins reads the same bytes as an undisturbed reader", async () => {
    const visitor = site.visitor();
    const { id, stream, reply } = await midTurn(visitor);
    const whole = await visitor.resume(id);
    const rest = await visitor.resume(id, "0.0");
    const otherTurn = await visitor.resume(id, "8.3");
    reply.text("two.");
    reply.finish();
    await Promise.all([stream, whole, rest, otherTurn].map((reader) => reader.rest()));
    const bytes = withoutHeartbeats(stream.raw);
    expect(withoutHeartbeats(whole.raw)).toBe(bytes);
    expect(withoutHeartbeats(otherTurn.raw)).toBe(bytes);
    expect(withoutHeartbeats(rest.raw)).toBe(bytes.slice(bytes.indexOf("id: 0.1")));
  });

  it("a reload in mid-answer shows the question and says which turn runs; afterwards the reply, and none runs", async () => {
    const visitor = site.visitor();
    const { id, stream, reply } = await midTurn(visitor);
    const during = (await visitor.json(`/agent/sessions/${id}`)).body;
    expect(during.running).toEqual({ turnSeq: 0 });
    expect(during.messages.map(({ role, content }: never) => [role, content])).toEqual([["user", "Count"]]);
    reply.finish();
    await stream.rest();
    const after = (await visitor.json(`/agent/sessions/${id}`)).body;
    expect(after).not.toHaveProperty("running");
    expect(after.messages).toHaveLength(2);
    const joined = await visitor.request(`/agent/sessions/${id}/stream`);
    expect([joined.status, await joined.text()]).toEqual([204, ""]);
  });

  it("a cancelled turn keeps what arrived, is marked stopped, and its slot is free when the cancellation answers", async () => {
    const visitor = site.visitor();
    const { id, stream } = await midTurn(visitor);
    const cancelled = await visitor.json(`/agent/sessions/${id}/cancel`, { method: "POST" });
    expect([cancelled.status, cancelled.body]).toEqual([200, { stopped: true }]);
    const next = await visitor.ask("Again", id);
    expect((await next.rest()).at(-1)!.event).toBe("done");
    expect((await stream.rest()).at(-1)).toMatchObject({ event: "done", data: { outcome: "stopped" } });
    const { body } = await visitor.json(`/agent/sessions/${id}`);
    expect(body.messages[1]).toMatchObject({ content: "One ", outcome: "stopped" });
    expect((await visitor.json(`/agent/sessions/${id}/cancel`, { method: "POST" })).body).toEqual({ stopped: false });
  });

  it("a session that is answering is not deleted; afterwards it leaves no row behind", async () => {
    const visitor = site.visitor();
    const { id, stream, reply } = await midTurn(visitor);
    const busy = await visitor.json(`/agent/sessions/${id}`, { method: "DELETE" });
    expect([busy.status, busy.body.code]).toEqual([409, "turn_running"]);
    reply.finish();
    await stream.rest();
    expect((await visitor.json(`/agent/sessions/${id}`, { method: "DELETE" })).status).toBe(204);
    expect((await site.dump()).filter((line) => line.includes(id))).toEqual([]);
    expect((await visitor.json(`/agent/sessions/${id}`)).status).toBe(404);
  });

  it("SIGTERM in mid-turn closes the stream as interrupted, stores the reply and says bye to the trace", async () => {
    const visitor = site.visitor();
    const { id, stream } = await midTurn(visitor);
    const trace = await visitor.trace(id);
    await trace.until("ready");
    const [, frames, events] = await Promise.all([site.restart("SIGTERM"), stream.rest(), trace.rest()]);
    expect(frames.at(-1)).toMatchObject({ event: "error", data: { code: "interrupted", outcome: "interrupted" } });
    expect(events.at(-1)).toMatchObject({ event: "bye", data: { reason: "shutdown" } });
    const stored = await site.sql("SELECT content, outcome FROM messages WHERE session_id = $1 ORDER BY seq", [id]);
    expect(stored[1]).toEqual({ content: "One ", outcome: "interrupted" });
  });

  it("SIGTERM waits for a turn that nobody reads, too, and stores what it said", async () => {
    const visitor = site.visitor();
    const { id, stream } = await midTurn(visitor);
    stream.leave();
    await site.restart("SIGTERM");
    const stored = await site.sql("SELECT content, outcome FROM messages WHERE session_id = $1 ORDER BY seq", [id]);
    expect(stored[1]).toEqual({ content: "One ", outcome: "interrupted" });
  });

  it("a process that is killed in mid-turn leaves a question that gets an interrupted reply at the next start", async () => {
    const visitor = site.visitor();
    const { id } = await midTurn(visitor);
    await site.restart("SIGKILL");
    const again = site.visitor();
    again.cookie = visitor.cookie;
    const { body } = await again.json(`/agent/sessions/${id}`);
    expect(body.messages.map(({ role, outcome }: never) => [role, outcome])).toEqual([
      ["user", undefined],
      ["assistant", "interrupted"],
    ]);
    expect((await (await again.ask("And now?", id)).rest()).at(-1)!.event).toBe("done");
  });
});
