/**
 * GET /trace/stream: the kernel events of one's own session, stored ones first, then `ready`, then live ones, until
 * `bye`. Reads only: it neither renews a visitor nor writes anything. Nothing is lost or repeated across a reconnect
 * that sends the last seq it has.
 */
import { api } from "encore.dev/api";
import { traceStreamContract } from "../../../shared/contracts/trace";
import type { TraceRow } from "../../../shared/trace-events";
import { BoundedQueue } from "../lib/bounded-queue";
import { networkKey } from "../lib/caller-key";
import { publicRoute } from "../lib/public-route";
import { Refusal } from "../lib/refusal";
import type { SseStream } from "../lib/sse";
import { traceFeed } from "../lib/trace-feed";
import { hashVisitorToken, readVisitorToken } from "../lib/visitor-cookie";
import { readTraceRows } from "../stores/trace-events";
import { type ByeReason, TraceConnections } from "./connections";
import { db, limits } from "./db";
import { encodedRow } from "./encoded-row";
import { mergeBySeq } from "./merge-rows";

const connections = new TraceConnections(limits);
process.once("SIGTERM", () => connections.closeAll("shutdown"));
process.once("SIGINT", () => connections.closeAll("shutdown"));

export const stream = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/trace/stream" },
  publicRoute(traceStreamContract, async (call) => {
    const { sessionId, afterSeq, clientId } = call.query;
    const arrival = connections.arrive();
    const token = readVisitorToken(call.headers);
    if (token === undefined) throw new Refusal("not_found");
    const visitor = hashVisitorToken(token);
    const feed = await traceFeed();
    const live = new BoundedQueue<TraceRow>(limits.streamQueueFrames, limits.streamBatchFrames);
    let sse: SseStream | undefined;
    let bye: ByeReason | undefined;
    const close = (reason: ByeReason) => {
      bye ??= reason;
      live.close();
      sse?.cutOffIn(limits.streamGraceMs);
    };
    const connection = { visitor, network: networkKey(call.headers), sessionId, clientId, arrival, close };

    // In one go, and before the store is read: a row is then in memory, or was stored before, or comes to the queue.
    const unsubscribe = feed.subscribe(sessionId, (row) => {
      if (!live.push(row)) close("slow-reader");
    });
    const recent = feed.recent(sessionId);
    const lifetime = setTimeout(() => close("max-duration"), limits.traceConnectionMs);
    try {
      const stored = await readTraceRows(db, visitor, sessionId, afterSeq, limits.traceReplayRows);
      if (stored === null) throw new Refusal("not_found");
      if (!connections.open(connection)) throw new Refusal("slots_full");
      sse = call.openSse(limits.heartbeatMs);
      sse.gone.addEventListener("abort", () => live.close());
      if (sse.gone.aborted) live.close();

      let lastSeq = afterSeq;
      const show = async (rows: readonly TraceRow[]) => {
        const fresh = rows.filter((row) => row.seq > lastSeq);
        if (fresh.length === 0) return;
        lastSeq = fresh.at(-1)!.seq;
        await sse!.sendEncoded(Buffer.concat(fresh.map(encodedRow)));
      };
      const replay = mergeBySeq(stored, recent, limits.traceReplayRows);
      while (replay.length > 0 && bye === undefined && !sse.gone.aborted) {
        await show(replay.splice(0, limits.streamBatchFrames));
      }
      if (bye === undefined) await sse.send({ event: "ready", data: { lastSeq } });
      for await (const rows of live) await show(rows);
      if (bye !== undefined) await sse.send({ event: "bye", data: { lastSeq, reason: bye } });
    } finally {
      clearTimeout(lifetime);
      unsubscribe();
      connections.leave(connection);
    }
  }),
);
