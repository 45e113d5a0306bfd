import { beforeEach, describe, expect, it } from "bun:test";
import type { Limits } from "../../../shared/limits";
import { type TraceConnection, TraceConnections } from "./connections";

let closed: string[];
beforeEach(() => {
  closed = [];
});

let arrivals = 0;
function connection(
  visitor: string,
  sessionId: string,
  clientId: string,
  { arrival = ++arrivals, network = "n" }: Partial<TraceConnection> = {},
): TraceConnection {
  const close = (reason: string) => closed.push(`${visitor}/${sessionId}/${clientId}: ${reason}`);
  return { visitor, network, sessionId, clientId, arrival, close };
}

/** Bounds of which only the given ones are near. */
function connectionsOf(bounds: Partial<Limits>): TraceConnections {
  const far = { traceConnectionsPerSession: 9, traceConnectionsPerVisitor: 9, traceConnectionsPerNetwork: 9 };
  return new TraceConnections({ traceConnections: 9, ...far, ...bounds });
}

describe("trace connections", () => {
  it("let a client's new connection take the place of its old one, across sessions", () => {
    const connections = connectionsOf({ traceConnections: 1, traceConnectionsPerSession: 1 });
    expect(connections.open(connection("v", "s1", "c"))).toBe(true);
    expect(connections.open(connection("v", "s2", "c"))).toBe(true);
    expect(closed).toEqual(["v/s1/c: superseded"]);
  });

  it("close the older of two requests of a client, also when it takes longer to come to its seat", () => {
    const connections = connectionsOf({ traceConnections: 1, traceConnectionsPerSession: 1 });
    const [first, second] = [connections.arrive(), connections.arrive()];
    const late = connection("v", "s1", "c", { arrival: first });
    connections.open(connection("v", "s2", "c", { arrival: second }));
    expect(connections.open(late)).toBe(true);
    expect(closed).toEqual(["v/s1/c: superseded"]);
    // It held no seat that could come free with it.
    connections.leave(late);
    expect(connections.open(connection("v", "s2", "d"))).toBe(false);
  });

  it("do not let one visitor push another off by using its client id", () => {
    const connections = connectionsOf({ traceConnections: 9, traceConnectionsPerSession: 9 });
    connections.open(connection("v", "s1", "c"));
    connections.open(connection("w", "s2", "c"));
    expect(closed).toEqual([]);
  });

  it("are bounded per session and in all", () => {
    const connections = connectionsOf({ traceConnections: 3, traceConnectionsPerSession: 2 });
    const seats = ["a", "b", "c"].map((clientId) => connections.open(connection("v", "s1", clientId)));
    expect(seats).toEqual([true, true, false]);
    expect(connections.open(connection("v", "s2", "d"))).toBe(true);
    expect(connections.open(connection("v", "s3", "e"))).toBe(false);
  });

  it("are bounded for one visitor over all sessions, and others still find a seat", () => {
    const connections = connectionsOf({ traceConnectionsPerVisitor: 2 });
    const seats = ["s1", "s2", "s3"].map((sessionId, at) => connections.open(connection("v", sessionId, `c${at}`)));
    expect(seats).toEqual([true, true, false]);
    expect(connections.open(connection("w", "s4", "c"))).toBe(true);
    // The visitor's own reconnect takes the place of its old connection.
    expect(connections.open(connection("v", "s3", "c0"))).toBe(true);
    expect(closed).toEqual(["v/s1/c0: superseded"]);
  });

  it("are bounded for one network over all visitors, and others still find a seat", () => {
    const connections = connectionsOf({ traceConnectionsPerNetwork: 2 });
    const seats = ["u", "v", "w"].map((visitor) => connections.open(connection(visitor, visitor, "c")));
    expect(seats).toEqual([true, true, false]);
    expect(connections.open(connection("x", "x", "c", { network: "m" }))).toBe(true);
  });

  it("leave the old connection alone when the new one is refused", () => {
    const connections = connectionsOf({ traceConnections: 9, traceConnectionsPerSession: 1 });
    connections.open(connection("v", "s1", "a"));
    connections.open(connection("v", "s2", "b"));
    expect(connections.open(connection("v", "s1", "b"))).toBe(false);
    expect(closed).toEqual([]);
  });

  it("free a seat once, however often it is given back", () => {
    const connections = connectionsOf({ traceConnections: 1, traceConnectionsPerSession: 1 });
    const first = connection("v", "s1", "a");
    const second = connection("v", "s1", "a");
    connections.open(first);
    connections.open(second);
    // The superseded one ends later; that must not free its successor's seat.
    connections.leave(first);
    connections.leave(first);
    expect(connections.open(connection("v", "s1", "b"))).toBe(false);
    connections.leave(second);
    expect(connections.open(connection("v", "s1", "b"))).toBe(true);
  });

  it("all close with the same reason", () => {
    const connections = connectionsOf({ traceConnections: 9, traceConnectionsPerSession: 9 });
    connections.open(connection("v", "s1", "a"));
    connections.open(connection("w", "s2", "b"));
    connections.closeAll("shutdown");
    expect(closed).toEqual(["v/s1/a: shutdown", "w/s2/b: shutdown"]);
  });
});
