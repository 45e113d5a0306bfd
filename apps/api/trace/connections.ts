/**
 * Who is watching: the open trace connections of this process, bounded per session, per visitor, per network and in all
 * (§5.1), so that nobody takes every seat. A client that connects again takes the place of its old connection, whichever session that watched; a client is known by its
 * visitor and its id together, so one visitor cannot push another off.
 */
import type { Limits } from "../../../shared/limits";
import type { TraceFrames } from "../../../shared/sse";

export type ByeReason = TraceFrames["bye"]["reason"];

export interface TraceConnection {
  /** Any string that tells visitors apart; it is never sent. */
  visitor: string;
  /** The same for the network that the request came from. */
  network: string;
  sessionId: string;
  clientId: string;
  /** Of `arrive`: whether this request or another of its client came first. */
  arrival: number;
  /** Asks the connection to say good-bye and end. */
  close(reason: ByeReason): void;
}

type Bounds = Pick<
  Limits,
  "traceConnections" | "traceConnectionsPerSession" | "traceConnectionsPerVisitor" | "traceConnectionsPerNetwork"
>;

export class TraceConnections {
  readonly #open = new Set<TraceConnection>();
  #arrivals = 0;

  constructor(private readonly limits: Bounds) {}

  /** The number of a request, to be drawn as it comes in: what is done before it takes its seat may take any time. */
  arrive(): number {
    return ++this.#arrivals;
  }

  /**
   * Takes a seat, closing the client's older connection; a connection that is itself the older one is closed instead.
   * False, and nobody is closed, when the bounds are reached.
   */
  open(connection: TraceConnection): boolean {
    const superseded = [...this.#open].filter(
      (other) => other.visitor === connection.visitor && other.clientId === connection.clientId,
    );
    if (superseded.some(({ arrival }) => arrival > connection.arrival)) {
      connection.close("superseded");
      return true;
    }
    const staying = [...this.#open].filter((other) => !superseded.includes(other));
    const seatsOf = (field: "sessionId" | "visitor" | "network") =>
      staying.filter((other) => other[field] === connection[field]).length;
    if (staying.length >= this.limits.traceConnections) return false;
    if (seatsOf("sessionId") >= this.limits.traceConnectionsPerSession) return false;
    if (seatsOf("visitor") >= this.limits.traceConnectionsPerVisitor) return false;
    if (seatsOf("network") >= this.limits.traceConnectionsPerNetwork) return false;
    for (const other of superseded) {
      this.#open.delete(other);
      other.close("superseded");
    }
    this.#open.add(connection);
    return true;
  }

  /** Gives the seat back. Safe to call for a connection that was superseded or never seated. */
  leave(connection: TraceConnection): void {
    this.#open.delete(connection);
  }

  closeAll(reason: ByeReason): void {
    for (const connection of this.#open) connection.close(reason);
  }
}
