import { beforeEach, describe, expect, it } from "bun:test";
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
  arrival: number = ++arrivals,
): TraceConnection {
  const close = (reason: string) => closed.push(`${visitor}/${sessionId}/${clientId}: ${reason}`);
  return { visitor, sessionId, clientId, arrival, close };
}

describe("trace connections", () => {
  it("let a client's new connection take the place of its old one, across sessions", () => {
    const connections = new TraceConnections({ traceConnections: 1, traceConnectionsPerSession: 1 });
    expect(connections.open(connection("v", "s1", "c"))).toBe(true);
    expect(connections.open(connection("v", "s2", "c"))).toBe(true);
    expect(closed).toEqual(["v/s1/c: superseded"]);
  });

  it("close the older of two requests of a client, also when it takes longer to come to its seat", () => {
    const connections = new TraceConnections({ traceConnections: 1, traceConnectionsPerSession: 1 });
    const [first, second] = [connections.arrive(), connections.arrive()];
    const late = connection("v", "s1", "c", first);
    connections.open(connection("v", "s2", "c", second));
    expect(connections.open(late)).toBe(true);
    expect(closed).toEqual(["v/s1/c: superseded"]);
    // It held no seat that could come free with it.
    connections.leave(late);
    expect(connections.open(connection("v", "s2", "d"))).toBe(false);
  });

  it("do not let one visitor push another off by using its client id", () => {
    const connections = new TraceConnections({ traceConnections: 9, traceConnectionsPerSession: 9 });
    connections.open(connection("v", "s1", "c"));
    connections.open(connection("w", "s2", "c"));
    expect(closed).toEqual([]);
  });

  it("are bounded per session and in all", () => {
    const connections = new TraceConnections({ traceConnections: 3, traceConnectionsPerSession: 2 });
    const seats = ["a", "b", "c"].map((clientId) => connections.open(connection("v", "s1", clientId)));
    expect(seats).toEqual([true, true, false]);
    expect(connections.open(connection("v", "s2", "d"))).toBe(true);
    expect(connections.open(connection("v", "s3", "e"))).toBe(false);
  });

  it("leave the old connection alone when the new one is refused", () => {
    const connections = new TraceConnections({ traceConnections: 9, traceConnectionsPerSession: 1 });
    connections.open(connection("v", "s1", "a"));
    connections.open(connection("v", "s2", "b"));
    expect(connections.open(connection("v", "s1", "b"))).toBe(false);
    expect(closed).toEqual([]);
  });

  it("free a seat once, however often it is given back", () => {
    const connections = new TraceConnections({ traceConnections: 1, traceConnectionsPerSession: 1 });
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
    const connections = new TraceConnections({ traceConnections: 9, traceConnectionsPerSession: 9 });
    connections.open(connection("v", "s1", "a"));
    connections.open(connection("w", "s2", "b"));
    connections.closeAll("shutdown");
    expect(closed).toEqual(["v/s1/a: shutdown", "w/s2/b: shutdown"]);
  });
});
