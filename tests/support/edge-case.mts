/**
 * One connection in bad weather: a case says what a peer puts on the wire and whether it then keeps silent, goes on for
 * ever or hangs up; `faultsIn` runs it against a server and says what went wrong.
 */
import { connect } from "node:net";

export interface EdgeCase {
  name: string;
  bytes: (string | Buffer)[];
  /** Sent again and again until the server closes: a sender that never comes to its end. */
  drip?: string;
  /** What the client does after its bytes; by default it waits for the server. */
  leaves?: "hang up" | "half close";
  /** `fine` is answered with 200 as often as it asks; `refused` never is. Others may go either way. */
  expected?: "fine" | "refused";
  /** Requests that the bytes hold, 1 unless said. */
  requests?: number;
  /** Ends only when the server loses patience. */
  slow?: true;
}

interface Outcome {
  /** Status of every answer in order, `100 Continue` left out. */
  statuses: number[];
  /** Whether the server closed within the patience. */
  closed: boolean;
}

const DRIP_EVERY_MS = 20;

/**
 * Runs one case and resolves when the server has closed, when the client has hung up, or when the patience is over.
 * Never rejects.
 */
function weather(url: string, edge: EdgeCase, patienceMs: number): Promise<Outcome> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), hostname);
    let dripping: NodeJS.Timeout | undefined;
    const finish = (closed: boolean) => {
      clearInterval(dripping);
      clearTimeout(timer);
      socket.destroy();
      resolve({ statuses: statusesOf(text), closed });
    };
    const timer = setTimeout(() => finish(false), patienceMs);
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => finish(true));
    socket.on("connect", () => {
      for (const bytes of edge.bytes) socket.write(bytes);
      if (edge.leaves === "hang up") socket.end(() => socket.destroy());
      if (edge.leaves === "half close") socket.end();
      const { drip } = edge;
      if (drip !== undefined) dripping = setInterval(() => socket.write(drip), DRIP_EVERY_MS);
    });
  });
}

function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)]
    .map(([, status]) => Number(status))
    .filter((status) => status > 100);
}

/** What is wrong with how a server took a case, in words; empty when nothing is. */
export async function faultsIn(url: string, edge: EdgeCase, patienceMs: number): Promise<string[]> {
  const { statuses, closed } = await weather(url, edge, patienceMs);
  const { requests = 1 } = edge;
  const faults: string[] = [];
  if (!closed) faults.push("is still open");
  if (statuses.some((status) => status >= 500)) faults.push("is the server's fault");
  if (statuses.length > requests) faults.push("got more answers than it asked for");
  if (edge.expected === "refused" && statuses.some((status) => status < 400)) faults.push("was not refused");
  if (edge.expected === "fine" && (statuses.length < requests || statuses.some((status) => status !== 200))) {
    faults.push("was not answered");
  }
  return faults.map((fault) => `${edge.name} ${fault}: ${statuses.join(" ")}`);
}
