/**
 * What readers cost (architecture §6): one that is slow, one that never reads and many that vanish hold up nobody, and
 * when they are gone nothing of them is left in the process: no socket, no timer, no listener, no database connection.
 */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { type Socket, connect } from "node:net";
import { type Held, heldBy, PROBED } from "../../../tests/support/held.mts";
import type { CompletionReply } from "../../../tests/support/openai-server.mts";
import { type Random, random } from "../../../tests/support/random.mts";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";
import type { Stream, Visitor } from "../../../tests/support/visitor.mts";

const CONNECTIONS = 200;
const AT_ONCE = 20;
const MIB = 1_048_576;
/** Long enough that a busy machine never makes an honest reader miss two. */
const HEARTBEAT_MS = 1_000;
const LOOK_EVERY_MS = 100;

let site: Site;
beforeAll(async () => {
  site = await startSite({
    env: PROBED,
    limits: {
      heartbeatMs: HEARTBEAT_MS,
      traceFlushMs: LOOK_EVERY_MS,
      streamGraceMs: 200,
      activeSessions: 40,
      traceConnections: 400,
      traceConnectionsPerSession: 400,
      turnTextChars: 32 * MIB,
      modelResponseBytes: 64 * MIB,
    },
  });
}, START_MS);
afterAll(() => site.stop());

/** Asks, with the model's answer in the test's hands. */
async function beginTurn(
  visitor: Visitor,
  prompt = "Count",
): Promise<{ id: string; stream: Stream; reply: CompletionReply }> {
  const script = Promise.withResolvers<CompletionReply>();
  site.model.next((reply) => {
    reply.text("One ");
    script.resolve(reply);
  });
  const stream = await visitor.ask(prompt);
  const [session] = await stream.until("delta");
  return { id: session!.data.sessionId, stream, reply: await script.promise };
}

function send(request: string): Socket {
  const { hostname, port } = new URL(site.app.url);
  const socket = connect(Number(port), hostname, () => socket.write(request));
  return socket.on("error", () => {});
}

const over = (socket: Socket) => new Promise<void>((resolve) => socket.once("close", () => resolve()));
const get = (path: string, cookie: string | undefined) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`;
const post = (path: string, cookie: string | undefined, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nConnection: close\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Every connection of the pool opened, so that later looks find as many. */
async function fillPool(visitor: Visitor): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: 60 }, () => over(send(get("/agent/sessions", visitor.cookie)).resume())));
  }
}

/** What is held once it is the same in a few looks in a row. */
async function settled(): Promise<Held> {
  for (let before = await heldBy(site.app), same = 0; ; ) {
    await Bun.sleep(LOOK_EVERY_MS);
    const held = await heldBy(site.app);
    same = JSON.stringify(held) === JSON.stringify(before) ? same + 1 : 0;
    if (same === 5) return held;
    before = held;
  }
}

const busyClients = () =>
  site.sql(
    `SELECT state FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'agent-x-ray' AND state <> 'idle'`,
  );

describe("an ask reader that never reads", () => {
  it(
    "holds up neither the turn nor another reader, and is cut off after two heartbeats",
    async () => {
      const visitor = site.visitor();
      const { id, stream, reply } = await beginTurn(visitor);
      const deaf = send(get(`/agent/sessions/${id}/stream`, visitor.cookie)).pause();
      await new Promise((resolve) => deaf.once("connect", resolve));
      const piece = "x".repeat(MIB / 4);
      // More than the sockets between the two take, and the other reader gets all of it.
      for (let sent = 0; sent < 64; sent++) reply.text(piece);
      reply.finish();
      const frames = await stream.rest();
      expect(frames.at(-1)).toMatchObject({ event: "done", data: { outcome: "completed" } });
      const text = frames.flatMap(({ event, data }) => (event === "delta" ? [data.text] : [])).join("");
      expect(text.length).toBe(16 * MIB);
      expect((await visitor.request(`/agent/sessions/${id}/stream`)).status).toBe(204);
      // Long after the turn it reads what was on its way when it was cut off; the end is not there.
      let received = "";
      const closed = new Promise((resolve) => deaf.once("close", resolve));
      deaf.setEncoding("latin1").on("data", (chunk: string) => {
        received += chunk;
      });
      await Bun.sleep(3 * HEARTBEAT_MS);
      deaf.resume();
      await closed;
      expect([received.includes("event: session"), received.includes("event: done")]).toEqual([true, false]);
    },
    START_MS,
  );

  it("that is only slow gets every frame in order", async () => {
    const visitor = site.visitor();
    const { id, stream, reply } = await beginTurn(visitor);
    const slow = await visitor.resume(id);
    for (let sent = 0; sent < 32; sent++) reply.text(`${sent}.`.repeat(8_192));
    reply.finish();
    const undisturbed = await stream.rest();
    // Nothing was taken until the turn was over.
    const late = await slow.rest();
    expect(late.slice(-undisturbed.length)).toEqual(undisturbed);
    expect(late.map(({ id }) => id)).toEqual(late.map((_, index) => `0.${index}`));
  });
});

describe(`${CONNECTIONS} connections that are killed at any point`, () => {
  it(
    "leave no socket, no timer, no listener and no busy database connection behind",
    async () => {
      const chance = random();
      const visitor = site.visitor();
      await visitor.post("/agent/sessions", {});
      const turns = await Promise.all([0, 1, 2].map((n) => beginTurn(visitor, `Count ${n}`)));
      for (const { stream } of turns) stream.leave();
      await fillPool(visitor);
      const before = await settled();

      const requests = requestsOf(
        visitor.cookie,
        turns.map(({ id }) => id),
      );
      for (let opened = 0; opened < CONNECTIONS; opened += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, () => killSomewhere(chance, chance.pick(requests))));
      }
      const after = await settled();
      expect([after.listeners, after.timers, await busyClients()]).toEqual([0, before.timers, []]);
      // Kept-alive connections of the test's own requests may have gone meanwhile.
      expect(after.connections).toBeLessThanOrEqual(before.connections);

      // The turns never noticed.
      for (const { reply } of turns) reply.finish();
      for (const { id } of turns) {
        const rejoined = await visitor.request(`/agent/sessions/${id}/stream`);
        await rejoined.text();
        const { body } = await visitor.json(`/agent/sessions/${id}`);
        expect(body.messages[1]).toMatchObject({ content: "One ", outcome: "completed" });
      }
    },
    START_MS,
  );

  it(
    "are seen by the probe while they are open",
    async () => {
      const visitor = site.visitor();
      const { id, reply, stream } = await beginTurn(visitor);
      // Neither the pool nor the answer's first rows set a timer from now on.
      await fillPool(visitor);
      const before = await settled();
      const watching = await Promise.all(["a", "b", "c"].map((clientId) => visitor.trace(id, { clientId })));
      await Promise.all(watching.map((one) => one.until("ready")));
      const during = await settled();
      // Each has a listener, a heartbeat and an end of its time.
      expect([during.listeners - before.listeners, during.timers - before.timers]).toEqual([3, 6]);
      for (const one of watching) one.leave();
      reply.finish();
      await stream.rest();
      expect((await settled()).listeners).toBe(before.listeners);
    },
    START_MS,
  );
});

/** What browsers ask for, over and over. */
function requestsOf(cookie: string | undefined, ids: string[]): string[] {
  const clients = Array.from({ length: 30 }, (_, n) => `c${n}`);
  return [
    ...ids.map((id) => get(`/agent/sessions/${id}/stream`, cookie)),
    ...ids.flatMap((id) =>
      clients.map((clientId) => get(`/trace/stream?sessionId=${id}&clientId=${clientId}`, cookie)),
    ),
    ...Array.from({ length: 30 }, (_, n) => post("/agent/ask", cookie, JSON.stringify({ prompt: `Ask ${n}` }))),
    ...Array.from({ length: 10 }, () => get("/agent/sessions", cookie)),
  ];
}

/** Sends all or a part of the request and goes without a word, at once or after some bytes of the answer. */
function killSomewhere(chance: Random, request: string): Promise<void> {
  const isWhole = !chance.onceIn(5);
  const socket = send(isWhole ? request : request.slice(0, chance.below(request.length)));
  const enough = chance.below(600);
  let received = 0;
  return new Promise((resolve) => {
    socket.on("close", () => resolve());
    socket.on("connect", () => {
      if (!isWhole || enough < 100) setImmediate(() => socket.destroy());
    });
    socket.on("data", (bytes) => {
      received += bytes.length;
      if (received >= enough) socket.destroy();
    });
  });
}
