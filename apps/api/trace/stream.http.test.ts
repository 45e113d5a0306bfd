/** The trace stream over real HTTP (§5.1), with limits scaled down so that their ends can be reached. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "bun:test";
import { randomUUID } from "node:crypto";
import { type Socket, connect } from "node:net";
import type { TraceRow } from "../../../shared/trace-events";
import type { CompletionReply } from "../../../tests/support/openai-server.mts";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";
import type { Frame, Stream, Visitor } from "../../../tests/support/visitor.mts";

const LIMITS = { traceConnectionsPerSession: 2, traceConnections: 3, heartbeatMs: 50, streamGraceMs: 300 };

const rowsOf = (frames: Frame[]): TraceRow[] => frames.flatMap(({ event, data }) => (event === "trace" ? [data] : []));

async function sessionOf(visitor: Visitor, prompt = "Hello"): Promise<string> {
  return (await (await visitor.ask(prompt)).rest())[0]!.data.sessionId;
}

/** Reads a session's whole trace as a newcomer would. */
async function replayOf(visitor: Visitor, id: string): Promise<TraceRow[]> {
  const stream = await visitor.trace(id, { clientId: "replay" });
  const frames = await stream.until("ready");
  stream.leave();
  return rowsOf(frames);
}

describe.each([
  ["a disconnect is visible", false],
  ["a disconnect is invisible", true],
])("where %s", (_mode, strict) => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite({ strict, limits: { ...LIMITS, traceConnectionMs: 1_500 } });
  }, START_MS);
  afterAll(() => site.stop());

  /** Begins a turn in a session and leaves it in the test's hands. */
  async function beginTurn(visitor: Visitor, id: string): Promise<{ reply: CompletionReply; stream: Stream }> {
    const script = Promise.withResolvers<CompletionReply>();
    site.model.next((reply) => {
      reply.text("One ");
      script.resolve(reply);
    });
    return { stream: await visitor.ask("Count", id), reply: await script.promise };
  }

  it("a session's events come stored first, then ready, then live, and live ones are the same as stored ones", async () => {
    const visitor = site.visitor();
    const id = await sessionOf(visitor);
    const trace = await visitor.trace(id);
    const stored = await trace.until("ready");
    expect(rowsOf(stored).map(({ seq }) => seq)).toEqual(rowsOf(stored).map((_, index) => index));
    expect(stored.at(-1)!.data).toEqual({ lastSeq: rowsOf(stored).length - 1 });
    const { reply, stream } = await beginTurn(visitor, id);
    reply.finish();
    await stream.rest();
    const live = await trace.rest();
    expect(live.at(-1)).toMatchObject({ event: "bye", data: { reason: "max-duration" } });
    expect(rowsOf(live).map(({ eventType }) => eventType)).toContain("agent_settled");
    expect([...rowsOf(stored), ...rowsOf(live)]).toEqual(await replayOf(visitor, id));
    const columns = `seq, turn_seq AS "turnSeq", event_type AS "eventType", mode,
      to_char(ts AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS timestamp, data`;
    expect([...rowsOf(stored), ...rowsOf(live)]).toEqual(
      await site.sql(`SELECT ${columns} FROM trace_events WHERE session_id = $1 ORDER BY seq`, [id]),
    );
  });

  it("a connection ends with bye when its time is up; going on from its last seq loses and repeats nothing", async () => {
    const visitor = site.visitor();
    const id = (await visitor.post("/agent/sessions", {})).body.session.id;
    const seen: TraceRow[] = [];
    /** One life of the panel's connection, from ready to bye. */
    const watch = async (meanwhile: () => Promise<void>) => {
      const stream = await visitor.trace(id, { afterSeq: seen.at(-1)?.seq ?? -1 });
      const frames = await stream.until("ready");
      const rest = stream.rest();
      await meanwhile();
      frames.push(...(await rest));
      seen.push(...rowsOf(frames));
      expect(frames.at(-1)).toEqual({
        event: "bye",
        data: { lastSeq: seen.at(-1)?.seq ?? -1, reason: "max-duration" },
      });
      expect(stream.raw.match(/: hb\n\n/g)!.length).toBeGreaterThan(3);
    };
    const turn = Promise.withResolvers<Awaited<ReturnType<typeof beginTurn>>>();
    await watch(async () => turn.resolve(await beginTurn(visitor, id)));
    const { reply, stream } = await turn.promise;
    await watch(async () => reply.text("two "));
    await watch(async () => {
      reply.text("three.");
      reply.finish();
      await stream.rest();
    });
    expect(seen).toEqual(await replayOf(visitor, id));
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index));
    expect(seen.at(-1)!.eventType).toBe("agent_settled");
  }, 20_000);

  it("a client that connects again ends its older connection, another visitor's with the same id does not", async () => {
    const [visitor, other] = [site.visitor(), site.visitor()];
    const [id, second, foreign] = [await sessionOf(visitor), await sessionOf(visitor), await sessionOf(other)];
    const older = await visitor.trace(id, { clientId: "c" });
    const stranger = await other.trace(foreign, { clientId: "c" });
    await Promise.all([older.until("ready"), stranger.until("ready")]);
    const newer = await visitor.trace(second, { clientId: "c" });
    expect((await older.rest()).at(-1)).toMatchObject({ event: "bye", data: { reason: "superseded" } });
    expect((await newer.until("bye")).at(-1)!.data.reason).toBe("max-duration");
    expect((await stranger.rest()).at(-1)!.data.reason).toBe("max-duration");
  });

  it("seats are bounded per session and in all, and come back", async () => {
    const [visitor, other] = [site.visitor(), site.visitor()];
    const [id, second, foreign] = [await sessionOf(visitor), await sessionOf(visitor), await sessionOf(other)];
    const status = async (who: Visitor, sessionId: string, clientId: string) => {
      const response = await who.request(`/trace/stream?sessionId=${sessionId}&clientId=${clientId}`);
      if (response.status === 200) return response;
      expect(await response.json()).toEqual({
        error: "All seats are taken right now. Try again in a minute.",
        code: "slots_full",
      });
      return response;
    };
    const seats = [await status(visitor, id, "a"), await status(visitor, id, "b")];
    expect((await status(visitor, id, "c")).status).toBe(429);
    seats.push(await status(other, foreign, "d"));
    expect((await status(visitor, second, "e")).status).toBe(429);
    expect(seats.map((seat) => seat.status)).toEqual([200, 200, 200]);
    // Where a disconnect is invisible, a seat comes back when its connection's time is up.
    await Promise.all(seats.map((seat) => seat.text()));
    const again = await visitor.trace(second, { clientId: "e" });
    again.leave();
  });
});

describe("a trace", () => {
  let site: Site;
  let visitor: Visitor;
  let id: string;
  beforeAll(async () => {
    site = await startSite({ limits: { ...LIMITS, traceReplayRows: 5 } });
    visitor = site.visitor();
    id = await sessionOf(visitor);
  }, START_MS);
  afterAll(() => site.stop());

  const query = (fields: Record<string, string>) =>
    new URLSearchParams({ sessionId: id, clientId: "c", ...fields }).toString();

  it.each([
    ["-2"],
    ["-01"],
    ["01"],
    ["+1"],
    ["1e3"],
    ["1.5"],
    [""],
    [" 1"],
    ["0x10"],
    ["9999999999"],
    ["NaN"],
    ["１"],
    ["1,2"],
  ])("is refused for afterSeq=%j", async (afterSeq) => {
    const { status, body } = await visitor.json(`/trace/stream?${query({ afterSeq })}`);
    expect([status, body.code]).toEqual([400, "bad_request"]);
  });

  it.each([
    ["afterSeq twice", "&afterSeq=1&afterSeq=2"],
    ["sessionId twice", `&sessionId=${randomUUID()}`],
    ["clientId twice", "&clientId=d"],
  ])("is refused for %s", async (_case, more) => {
    expect((await visitor.json(`/trace/stream?${query({})}${more}`)).status).toBe(400);
  });

  it.each<[string, Record<string, string>]>([
    ["a client id that is empty", { clientId: "" }],
    ["a client id of 65 characters", { clientId: "c".repeat(65) }],
    ["a client id with a line break", { clientId: "a\nb" }],
    ["a session id that is no UUID", { sessionId: "1" }],
  ])("is refused for %s", async (_case, fields) => {
    expect((await visitor.json(`/trace/stream?${query(fields)}`)).status).toBe(400);
  });

  it("is refused without a client id, and without a session id", async () => {
    expect((await visitor.json(`/trace/stream?sessionId=${id}`)).status).toBe(400);
    expect((await visitor.json("/trace/stream?clientId=c")).status).toBe(400);
  });

  it("of no own session is 404, whether foreign, unknown, without a cookie or with an expired one", async () => {
    const stranger = site.visitor();
    await stranger.post("/agent/sessions", {});
    const expired = site.visitor();
    const old = await sessionOf(expired);
    await site.sql(
      "UPDATE visitors SET expires_at = now() - interval '1 second' WHERE id = (SELECT visitor_id FROM sessions WHERE id = $1)",
      [old],
    );
    const answers = await Promise.all(
      [
        stranger.request(`/trace/stream?${query({})}`),
        stranger.request(`/trace/stream?${query({ sessionId: randomUUID() })}`),
        site.visitor().request(`/trace/stream?${query({})}`),
        expired.request(`/trace/stream?${query({ sessionId: old })}`),
      ].map(async (pending) => {
        const response = await pending;
        return [response.status, await response.text()];
      }),
    );
    const refusal = [404, '{"error":"There is nothing here.","code":"not_found"}'];
    expect(answers).toEqual([refusal, refusal, refusal, refusal]);
  });

  it("neither renews the visitor nor sends a cookie", async () => {
    const expiry = () => site.sql("SELECT expires_at FROM visitors ORDER BY id");
    const before = await expiry();
    const stream = await visitor.trace(id, { clientId: "c" });
    await stream.until("ready");
    expect(stream.response.headers.get("set-cookie")).toBeNull();
    stream.leave();
    expect(await expiry()).toEqual(before);
  });

  it("is served in either spelling of the id", async () => {
    const stream = await visitor.trace(id.toUpperCase(), { clientId: "c" });
    expect(rowsOf(await stream.until("ready")).length).toBeGreaterThan(0);
    stream.leave();
  });

  it("replays the latest rows only when there are more than the limit, and what follows a seq", async () => {
    const [{ last }] = await site.sql("SELECT max(seq) AS last FROM trace_events WHERE session_id = $1", [id]);
    const replay = async (afterSeq: number) => {
      const stream = await visitor.trace(id, { afterSeq, clientId: "c" });
      const frames = await stream.until("ready");
      stream.leave();
      return { seqs: rowsOf(frames).map(({ seq }) => seq), ready: frames.at(-1)!.data };
    };
    expect(await replay(-1)).toEqual({ seqs: [4, 3, 2, 1, 0].map((back) => last - back), ready: { lastSeq: last } });
    expect(await replay(last - 2)).toEqual({ seqs: [last - 1, last], ready: { lastSeq: last } });
    expect(await replay(last)).toEqual({ seqs: [], ready: { lastSeq: last } });
    expect(await replay(last + 7)).toEqual({ seqs: [], ready: { lastSeq: last + 7 } });
  });

  it("gives a seat back when its reader leaves", async () => {
    const streams = await Promise.all([visitor.trace(id, { clientId: "a" }), visitor.trace(id, { clientId: "b" })]);
    expect((await visitor.request(`/trace/stream?${query({})}`)).status).toBe(429);
    for (const stream of streams) stream.leave();
    for (;;) {
      const response = await visitor.request(`/trace/stream?${query({})}`);
      await response.body!.cancel();
      if (response.status === 200) break;
      await Bun.sleep(10);
    }
  });
});

describe("a reader that takes nothing", () => {
  let site: Site;
  let visitor: Visitor;
  let id: string;
  afterEach(() => site.stop());

  /** A session with more stored than any socket buffers, and a site that gives a stalled reader this long. */
  async function arrange(streamGraceMs: number): Promise<void> {
    site = await startSite({ limits: { traceConnectionsPerSession: 1, streamQueueFrames: 10, streamGraceMs } });
    visitor = site.visitor();
    id = (await visitor.post("/agent/sessions", {})).body.session.id;
    await site.sql(
      `INSERT INTO trace_events (session_id, seq, event_type, mode, ts, data)
       SELECT $1, seq, 'context', 'chain', now(), jsonb_build_object('type', repeat('x', 7000))
       FROM generate_series(0, 2999) seq`,
      [id],
    );
  }

  function openWithoutReading(clientId: string): Promise<Socket> {
    const { hostname, port } = new URL(site.app.url);
    const path = `/trace/stream?sessionId=${id}&clientId=${clientId}`;
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${visitor.cookie}\r\nConnection: close\r\n\r\n`);
      });
      socket.once("readable", () => resolve(socket));
      socket.on("error", () => {});
    });
  }

  it(
    "never slows the turn; when it reads again it is told bye, and goes on from its last seq without a loss",
    async () => {
      await arrange(START_MS);
      const socket = await openWithoutReading("slow");
      // A turn makes more rows than the queue of ten holds.
      expect((await (await visitor.ask("Talk", id)).rest()).at(-1)!.event).toBe("done");
      let text = "";
      for await (const chunk of socket) text += chunk.toString("latin1");
      const seqs = [...text.matchAll(/event: trace\ndata: \{"seq":(\d+)/g)].map(([, seq]) => Number(seq));
      const bye = /event: bye\ndata: (\{.*\})/.exec(text);
      expect(JSON.parse(bye![1]!)).toEqual({ lastSeq: seqs.at(-1)!, reason: "slow-reader" });
      expect(text).not.toContain("event: ready");
      const rest = await visitor.trace(id, { afterSeq: seqs.at(-1)!, clientId: "slow" });
      const missed = rowsOf(await rest.until("ready"));
      rest.leave();
      expect([...seqs, ...missed.map(({ seq }) => seq)]).toEqual(
        Array.from({ length: seqs.length + missed.length }, (_, seq) => seq),
      );
      expect(missed.at(-1)!.eventType).toBe("agent_settled");
    },
    START_MS,
  );

  it(
    "and never reads again is cut off, so that its seat comes back",
    async () => {
      await arrange(100);
      const socket = await openWithoutReading("stalled");
      await (await visitor.ask("Talk", id)).rest();
      for (;;) {
        const response = await visitor.request(`/trace/stream?sessionId=${id}&clientId=next&afterSeq=999999`);
        await response.body!.cancel();
        if (response.status === 200) break;
        expect(response.status).toBe(429);
        await Bun.sleep(20);
      }
      socket.destroy();
    },
    START_MS,
  );
});
