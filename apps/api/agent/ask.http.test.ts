/** The ask stream over real HTTP (§4): whole frame lists, what is stored before the end, and who may ask. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { randomUUID } from "node:crypto";
import { callTool, say } from "../../../tests/support/openai-server.mts";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";
import type { Frame } from "../../../tests/support/visitor.mts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
}, START_MS);
afterAll(() => site.stop());

const shape = (frames: Frame[]) => frames.map(({ id, event }) => `${id} ${event}`);

describe("an ask", () => {
  it("streams the session, the text and one closing frame, numbered from 0", async () => {
    site.model.next(say("Hel", "lo."));
    const stream = await site.visitor().ask("Hi");
    const frames = await stream.rest();
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
    expect(stream.response.headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(stream.response.headers.get("x-accel-buffering")).toBe("no");
    expect(stream.raw.startsWith(": hb\n\n")).toBe(true);
    expect(shape(frames)).toEqual(["0.0 session", "0.1 delta", "0.2 delta", "0.3 done"]);
    expect(frames[1]!.data).toEqual({ text: "Hel" });
    expect(frames[3]!.data).toEqual({
      sessionId: frames[0]!.data.sessionId,
      outcome: "completed",
      modelRoundTrips: 1,
      turnMs: expect.any(Number),
      totalTokens: 30,
      ctxPercent: expect.any(Number),
    });
  });

  it("goes on in its session, with the earlier messages in front of the model and the next even number", async () => {
    const visitor = site.visitor();
    site.model.next(say("One."));
    const first = await (await visitor.ask("First")).rest();
    site.model.next(say("Two."));
    const second = await (await visitor.ask("Second", first[0]!.data.sessionId)).rest();
    expect(shape(second)).toEqual(["2.0 session", "2.1 delta", "2.2 done"]);
    expect(second[0]!.data).toEqual(first[0]!.data);
    expect(second.at(-1)!.data.totalTokens).toBe(60);
    const sent = JSON.stringify(site.model.requests.at(-1)!.body.messages);
    expect(["First", "One.", "Second"].every((text) => sent.includes(text))).toBe(true);
  });

  it("shows a tool call as a start and an end, with previews that are the same in the store", async () => {
    site.model.next(callTool("notes_search", { query: "veto" }));
    site.model.next(say("Nothing there."));
    const visitor = site.visitor();
    const frames = await (await visitor.ask("Search the notes")).rest();
    expect(frames.map(({ event }) => event)).toEqual(["session", "tool_start", "tool_end", "delta", "done"]);
    const [session, start, end] = frames;
    const view = (await visitor.json(`/agent/sessions/${session!.data.sessionId}`)).body;
    expect(view.messages[1].turn.toolCalls).toEqual([{ ...start!.data, ...end!.data }]);
    expect(start!.data).toMatchObject({ name: "notes_search", at: 0, inputPreview: '{"query":"veto"}' });
  });

  it("shows a tool that does not exist as a failed call and still ends with done", async () => {
    site.model.next(callTool("bash", { command: "id" }));
    site.model.next(say("I cannot."));
    const frames = await (await site.visitor().ask("Run id")).rest();
    expect(frames.map(({ event }) => event)).toEqual(["session", "tool_start", "tool_end", "delta", "done"]);
    expect(frames[2]!.data.isError).toBe(true);
  });

  it("has stored the reply and the token total when the closing frame arrives", async () => {
    site.model.next(say("Kept."));
    const stream = await site.visitor().ask("Keep this");
    const frames = await stream.until("done");
    const id = frames[0]!.data.sessionId;
    const [row] = await site.sql("SELECT total_tokens::int AS tokens FROM sessions WHERE id = $1", [id]);
    expect(row.tokens).toBe(frames.at(-1)!.data.totalTokens);
    const messages = await site.sql(
      "SELECT seq, role, content, outcome FROM messages WHERE session_id = $1 ORDER BY seq",
      [id],
    );
    expect(messages).toEqual([
      { seq: 0, role: "user", content: "Keep this", outcome: null },
      { seq: 1, role: "assistant", content: "Kept.", outcome: "completed" },
    ]);
  });

  it("closes with one fixed sentence when the model breaks off, and keeps what had arrived", async () => {
    const seen = Promise.withResolvers<void>();
    site.model.next(async (reply) => {
      reply.text("Half");
      await seen.promise;
      reply.breakOff();
    });
    const visitor = site.visitor();
    const stream = await visitor.ask("Fail");
    const frames = await stream.until("delta");
    seen.resolve();
    frames.push(...(await stream.rest()));
    expect(frames.map(({ event }) => event)).toEqual(["session", "delta", "error"]);
    expect(frames.at(-1)!.data).toMatchObject({
      code: "model_failed",
      message: "The model did not answer. What arrived is kept.",
      outcome: "failed",
    });
    const { body } = await visitor.json(`/agent/sessions/${frames[0]!.data.sessionId}`);
    expect(body.messages[1]).toMatchObject({ content: "Half", outcome: "failed" });
  });

  it("says nothing of what the provider answered", async () => {
    site.model.next((reply) => reply.fail(401, '{"error":{"message":"upstream text"}}'));
    const stream = await site.visitor().ask("Fail");
    expect((await stream.rest()).map(({ event }) => event)).toEqual(["session", "error"]);
    expect(stream.raw).not.toContain("upstream");
  });
});

describe("the prompt of a session", () => {
  it("tells when the session began, the same at every turn and after a rebuild (B4), and neither host nor model (B2)", async () => {
    const visitor = site.visitor();
    const { id } = (await visitor.post("/agent/sessions", {})).body.session;
    await site.sql("UPDATE sessions SET created_at = '2026-03-01T16:05:59Z' WHERE id = $1", [id]);
    const prompts: string[] = [];
    for (let turn = 1; turn <= 5; turn++) {
      site.model.next(say("Yes."));
      await (await visitor.ask("Hello", id)).rest();
      prompts.push((site.model.requests.at(-1)!.body.messages as { content: string }[])[0]!.content);
      // Another fingerprint: the next turn builds the session again.
      if (turn === 3) await site.sql("UPDATE llm_config SET updated_at = now() + interval '1 second'");
    }
    expect(prompts[0]).toContain("This session began at 2026-03-02 00:05 (Asia/Shanghai).");
    expect(new Set(prompts).size).toBe(1);
    for (const secret of [site.model.host, "qq-17x", "zz9gw", site.apiKey]) expect(prompts[0]).not.toContain(secret);
  });
});

describe("two asks at once", () => {
  it("to one session: one is answered, the other is refused and leaves nothing behind", async () => {
    const visitor = site.visitor();
    const { body } = await visitor.post("/agent/sessions", {});
    const release = Promise.withResolvers<void>();
    site.model.next(async (reply) => {
      await release.promise;
      reply.text("Mine.");
      reply.finish();
    });
    const ask = (prompt: string) =>
      visitor.request("/agent/ask", {
        method: "POST",
        headers: { "content-type": "application/json" },
        // The id in two spellings: upper case must not open a second turn.
        body: JSON.stringify({ prompt, sessionId: prompt === "b" ? body.session.id.toUpperCase() : body.session.id }),
      });
    const responses = await Promise.all([ask("a"), ask("b")]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = responses.find(({ status }) => status === 409)!;
    expect(await refused.json()).toEqual({
      error: "This session is still answering. Send again when it is done.",
      code: "turn_running",
    });
    release.resolve();
    await responses.find(({ status }) => status === 200)!.text();
    const stored = await site.sql("SELECT role FROM messages WHERE session_id = $1 ORDER BY seq", [body.session.id]);
    expect(stored.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  it("without a session: each gets its own", async () => {
    const visitor = site.visitor();
    await visitor.post("/agent/sessions", {});
    const streams = await Promise.all([visitor.ask("a"), visitor.ask("b")]);
    const frames = await Promise.all(streams.map((stream) => stream.rest()));
    expect(new Set(frames.map(([session]) => session!.data.sessionId)).size).toBe(2);
    expect(frames.map((list) => list.at(-1)!.event)).toEqual(["done", "done"]);
  });
});

describe("somebody else's session", () => {
  it("cannot be told from one that does not exist", async () => {
    const owner = site.visitor();
    const id = (await (await owner.ask("Mine")).rest())[0]!.data.sessionId;
    const other = site.visitor();
    await other.post("/agent/sessions", {});
    const before = await site.dump();
    const ask = async (sessionId: string) => {
      const response = await other.request("/agent/ask", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ prompt: "Let me in", sessionId }),
      });
      return { status: response.status, body: await response.text() };
    };
    const foreign = await ask(id);
    expect(foreign).toEqual({ status: 404, body: '{"error":"There is nothing here.","code":"not_found"}' });
    expect(await ask(randomUUID())).toEqual(foreign);
    const after = await site.dump();
    expect(after.filter((line) => line.includes("Let me in"))).toEqual([]);
    // Events of turns that are over are still being written.
    const withoutTrace = (dump: string[]) => dump.filter((line) => !line.startsWith("trace_events"));
    expect(withoutTrace(after)).toEqual(withoutTrace(before));
  });
});

describe("a site without a model", () => {
  it("refuses with not_configured and writes nothing, not even a visitor", async () => {
    const bare = await startSite({ provider: null });
    try {
      const before = await bare.dump();
      const { status, body, headers } = await bare.visitor().post("/agent/ask", { prompt: "Hello?" });
      expect({ status, body }).toEqual({
        status: 503,
        body: { error: "No model is configured on this site yet.", code: "not_configured" },
      });
      expect(headers.get("set-cookie")).toBeNull();
      expect(await bare.dump()).toEqual(before);
    } finally {
      await bare.stop();
    }
  });

  it("refuses too when the key of its provider does not open, without any outgoing call", async () => {
    await site.sql("UPDATE llm_config SET api_key_enc = set_byte(api_key_enc, 13, get_byte(api_key_enc, 13) # 1)");
    const calls = site.model.requests.length;
    try {
      const { status, body } = await site.visitor().post("/agent/ask", { prompt: "Hello?" });
      expect({ status, code: body.code, calls: site.model.requests.length }).toEqual({
        status: 503,
        code: "not_configured",
        calls,
      });
      expect((await site.visitor().json("/site/status")).body).toEqual({ demo: false, ready: false });
    } finally {
      await site.sql("UPDATE llm_config SET api_key_enc = set_byte(api_key_enc, 13, get_byte(api_key_enc, 13) # 1)");
    }
  });
});

describe("all slots busy", () => {
  it("refuses with slots_full, before a visitor or a session is made", async () => {
    const small = await startSite({ limits: { activeSessions: 1 } });
    const release = Promise.withResolvers<void>();
    try {
      small.model.next(async (reply) => {
        reply.text("…");
        await release.promise;
        reply.finish();
      });
      const running = await small.visitor().ask("Take the seat");
      await running.until("delta");
      const before = await small.dump();
      const { status, body, headers } = await small.visitor().post("/agent/ask", { prompt: "Me too" });
      expect({ status, code: body.code, cookie: headers.get("set-cookie") }).toEqual({
        status: 429,
        code: "slots_full",
        cookie: null,
      });
      expect(headers.get("retry-after")).toBeNull();
      expect((await small.dump()).filter((line) => !line.startsWith("trace_events"))).toEqual(
        before.filter((line) => !line.startsWith("trace_events")),
      );
      release.resolve();
      expect((await running.rest()).at(-1)!.event).toBe("done");
    } finally {
      release.resolve();
      await small.stop();
    }
  });
});
