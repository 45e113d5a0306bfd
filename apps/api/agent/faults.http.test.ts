/**
 * What a visitor meets when something breaks under a running turn: the database, the network, the process itself, or
 * time. Each ends with an honest word and mends without a restart of the application.
 */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import type { TraceRow } from "../../../shared/trace-events";
import { readAskFrames } from "../../web/features/chat/ask-frames";
import { EMPTY_CHAT, type ChatState, isRunning, resumeAfter } from "../../web/features/chat/chat-model";
import { reduceChat } from "../../web/features/chat/reduce";
import { heldBy, PROBED } from "../../../tests/support/held.mts";
import type { CompletionReply } from "../../../tests/support/openai-server.mts";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";
import { type TcpProxy, startTcpProxy } from "../../../tests/support/tcp-proxy.mts";
import { type Frame, postOf, type Stream, Visitor } from "../../../tests/support/visitor.mts";

const HEARTBEAT_MS = 50;
const MODEL_IDLE_MS = 400;

let site: Site;
let database: TcpProxy;
let network: TcpProxy;
beforeAll(async () => {
  site = await startSite({
    env: PROBED,
    limits: { heartbeatMs: HEARTBEAT_MS, modelIdleMs: MODEL_IDLE_MS, traceFlushMs: 100 },
    databaseUrl: async (appUrl) => {
      database = await startTcpProxy(() => appUrl);
      return database.urlOf(appUrl);
    },
  });
  network = await startTcpProxy(() => site.app.url);
}, START_MS);
afterAll(async () => {
  await network?.close();
  await site?.stop();
  await database?.close();
});

async function beginTurn(
  visitor: Visitor,
  id?: string,
): Promise<{ id: string; stream: Stream; reply: CompletionReply }> {
  const script = Promise.withResolvers<CompletionReply>();
  site.model.next((reply) => {
    reply.text("One ");
    script.resolve(reply);
  });
  const stream = await visitor.ask("Count", id);
  const [session] = await stream.until("delta");
  const reply = await script.promise;
  return { id: session!.data.sessionId, stream, reply };
}

const textOf = (frames: Frame[]) => frames.map(({ event, data }) => (event === "delta" ? data.text : "")).join("");

/** Rows of the question's turn, as a replay gives them. */
const storedRows = (id: string, turnSeq: number): Promise<{ seq: number; eventType: string }[]> =>
  site.sql(
    `SELECT seq, event_type AS "eventType" FROM trace_events WHERE session_id = $1 AND turn_seq = $2 ORDER BY seq`,
    [id, turnSeq],
  );

async function settledRows(id: string, turnSeq: number) {
  for (;;) {
    const rows = await storedRows(id, turnSeq);
    if (rows.at(-1)?.eventType === "agent_settled") return rows;
    await Bun.sleep(20);
  }
}

describe("a database that restarts in mid-turn", () => {
  it("and is back before the end costs nothing", async () => {
    const visitor = site.visitor();
    const { id, stream, reply } = await beginTurn(visitor);
    database.cut();
    reply.text("two.");
    reply.finish();
    expect((await stream.rest()).at(-1)).toMatchObject({ event: "done", data: { outcome: "completed" } });
    expect((await visitor.json(`/agent/sessions/${id}`)).body.messages[1]).toMatchObject({ content: "One two." });
    await settledRows(id, 0);
  });

  it(
    "and stays away is told with the answer kept, refuses the next question, and mends by itself",
    async () => {
      const visitor = site.visitor();
      const { id, stream, reply } = await beginTurn(visitor);
      const pid = site.app.pid;
      database.refuse();
      reply.text("two.");
      reply.finish();
      const frames = await stream.rest();
      expect(textOf(frames)).toBe("two.");
      expect(frames.at(-1)).toMatchObject({ event: "error", data: { code: "not_stored", outcome: "failed" } });
      const refused = await visitor.json("/agent/ask", postOf({ prompt: "And now?", sessionId: id }));
      expect([refused.status, refused.body.code]).toEqual([500, "internal"]);
      database.allow();
      expect((await (await visitor.ask("And now?", id)).rest()).at(-1)).toMatchObject({ event: "done" });
      const { body } = await visitor.json(`/agent/sessions/${id}`);
      expect(body.messages.map(({ role, content }: never) => [role, content])).toEqual([
        ["user", "Count"],
        ["user", "And now?"],
        ["assistant", "ok"],
      ]);
      // What the trace could not store waited, and came in order.
      const rows = [...(await settledRows(id, 0)), ...(await settledRows(id, 2))];
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => rows[0]!.seq + index));
      expect(site.app.pid).toBe(pid);
    },
    START_MS,
  );
});

it("a total that cannot be written is told all the same, and the slot is free (I3)", async () => {
  const visitor = site.visitor();
  const first = await (await visitor.ask("Hello")).rest();
  const { sessionId: id, totalTokens: before } = first.at(-1)!.data;
  expect(before).toBeGreaterThan(0);
  await site.sql("REVOKE UPDATE (total_tokens) ON sessions FROM visitor_rw");
  try {
    const frames = await (await visitor.ask("And now?", id)).rest();
    expect(frames.at(-1)).toMatchObject({ event: "error", data: { code: "not_stored", totalTokens: 2 * before } });
  } finally {
    await site.sql("GRANT UPDATE (total_tokens) ON sessions TO visitor_rw");
  }
  const [row] = await site.sql("SELECT total_tokens::int AS tokens FROM sessions WHERE id = $1", [id]);
  expect(row.tokens).toBe(before);
  expect((await (await visitor.ask("And now?", id)).rest()).at(-1)!.event).toBe("done");
});

describe("a process that is killed in mid-turn", () => {
  it.each([
    ["before what was stored", (stored: number, _seen: number) => stored - 3],
    ["beyond what was stored", (_stored: number, seen: number) => seen],
  ])(
    "leaves a tab whose cursor is %s to go on without missing a row",
    async (_case, cursorOf) => {
      const visitor = site.visitor();
      const { id, stream, reply } = await beginTurn(visitor);
      reply.finish();
      await stream.rest();
      const stored = (await settledRows(id, 0)).at(-1)!.seq;
      const trace = await visitor.trace(id);
      await trace.until("ready");
      // Rows of the second turn are seen, and never stored.
      const second = await beginTurn(visitor, id);
      database.refuse();
      second.reply.text("seen ");
      let seen = stored;
      for (let frame = await trace.next(); ; frame = await trace.next()) {
        seen = frame!.data.seq;
        if (JSON.stringify(frame!.data.data).includes("seen ")) break;
      }
      await site.app.stop("SIGKILL");
      database.allow();
      await site.restart();
      const again = new Visitor(site.app.url);
      again.cookie = visitor.cookie;
      const cursor = cursorOf(stored, seen);
      const tab = await again.trace(id, { afterSeq: cursor });
      const replayed = (await tab.until("ready")).filter(({ event }) => event === "trace");
      expect(replayed.map(({ data }) => data.seq)).toEqual(
        (
          await site.sql("SELECT seq FROM trace_events WHERE session_id = $1 AND seq > $2 ORDER BY seq", [id, cursor])
        ).map(({ seq }) => seq),
      );
      await (await again.ask("Third", id)).rest();
      const rows = await settledRows(id, 4);
      const live: TraceRow[] = [];
      while (live.at(-1)?.seq !== rows.at(-1)!.seq) live.push((await tab.next())!.data);
      expect(live.filter(({ turnSeq }) => turnSeq === 4).map(({ seq }) => seq)).toEqual(rows.map(({ seq }) => seq));
      // No seq that was only seen is given out again, so no old cursor hides a new row.
      expect(live[0]!.seq).toBeGreaterThan(seen);
      tab.leave();
      const { body } = await again.json(`/agent/sessions/${id}`);
      expect(body.messages.map(({ outcome }: never) => outcome ?? null)).toEqual([
        null,
        "completed",
        null,
        "interrupted",
        null,
        "completed",
      ]);
    },
    START_MS,
  );
});

it("three cuts of the network in one answer leave the page with what an undisturbed reader has", async () => {
  const visitor = site.visitor();
  const { id, stream, reply } = await beginTurn(visitor);
  const phone = new Visitor(network.urlOf(site.app.url).replace(/\/$/, ""));
  phone.cookie = visitor.cookie;
  const view = (await visitor.json(`/agent/sessions/${id}`)).body;
  const leave = new AbortController().signal;
  /** The page's own reducer over its own reader, joining again where it was until the turn is over. */
  const readPage = async (from: Visitor, onFrame: (frames: number) => void): Promise<[ChatState, number]> => {
    let state = reduceChat(EMPTY_CHAT, { type: "opened", view, nowMs: 0 });
    let frames = 0;
    let connections = 0;
    while (isRunning(state)) {
      if (connections > 20) throw new Error("The turn ended unseen.");
      const after = resumeAfter(state);
      try {
        const query = after === undefined ? "" : `?after=${after}`;
        const { body } = await from.request(`/agent/sessions/${id}/stream${query}`);
        connections += 1;
        for await (const frame of readAskFrames(body!, { silenceMs: 10_000, leave, joinable: true })) {
          state = reduceChat(state, { type: "frame", frame });
          onFrame(++frames);
        }
      } catch {
        state = reduceChat(state, { type: "cut" });
      }
    }
    return [{ ...state, link: "idle" }, connections];
  };
  // Joined before the first piece: on a busy machine the whole answer may be over sooner than a request is taken.
  const joined = Promise.withResolvers<void>();
  const undisturbed = readPage(visitor, () => joined.resolve());
  await joined.promise;
  let pieces = 0;
  const disturbed = readPage(phone, (frames) => {
    // Each frame seen lets the model say the next; the wire is cut after the third, the fifth and the seventh.
    if (frames > 1 && pieces < 10) reply.text(`piece ${pieces++} 说不; `);
    if (pieces === 10) reply.finish();
    if (frames === 3 || frames === 5 || frames === 7) network.cut();
  });
  const [[whole], [mended, connections]] = await Promise.all([undisturbed, disturbed]);
  await stream.rest();
  expect(connections).toBe(4);
  expect(mended).toEqual(whole);
  expect(whole.turns[0]!.answer.text).toEndWith("piece 9 说不; ");
});

it(
  "a process that stands still for many heartbeats goes on: the model's stream, its readers', and no timer twice",
  async () => {
    const visitor = site.visitor();
    const id = (await visitor.post("/agent/sessions", {})).body.session.id;
    const trace = await visitor.trace(id);
    await trace.until("ready");
    const before = await heldBy(site.app);
    const { stream, reply } = await beginTurn(visitor, id);
    process.kill(site.app.pid, "SIGSTOP");
    // The model is not silent meanwhile, as a watchdog would have it that looks at the clock first.
    for (let spoken = 0; spoken < 24; spoken++) {
      reply.text("more ");
      await Bun.sleep(MODEL_IDLE_MS / 8);
    }
    process.kill(site.app.pid, "SIGCONT");
    await stream.until("delta");
    reply.text("end.");
    reply.finish();
    expect((await stream.rest()).at(-1)).toMatchObject({ event: "done", data: { outcome: "completed" } });
    expect((await visitor.json(`/agent/sessions/${id}`)).body.messages[1].content).toBe(
      `One ${"more ".repeat(24)}end.`,
    );
    while ((await heldBy(site.app)).timers > before.timers) await Bun.sleep(HEARTBEAT_MS);
    const read = trace.raw.length;
    const reading = trace.rest();
    while (trace.raw.slice(read).split(": hb").length < 4) await Bun.sleep(HEARTBEAT_MS);
    trace.leave();
    await reading.catch(() => {});
  },
  START_MS,
);
