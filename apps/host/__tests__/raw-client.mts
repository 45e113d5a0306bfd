/** A client that says exactly what a test wants on the wire, and tells what came back. */
import { connect, type Socket } from "node:net";

const PATIENCE_MS = 10_000;
const POLL_MS = 20;

export interface RawClient {
  socket: Socket;
  send(text: string | Buffer): void;
  /** Everything received once it holds `text`; rejects when the connection closes without it. */
  until(text: string): Promise<string>;
  /** Everything received once the server has closed the connection. */
  closed(): Promise<string>;
  /** Closes without a word. */
  leave(): void;
}

export async function openRaw(url: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  let received = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk) => {
    received += chunk;
  });
  socket.on("error", () => {});
  return {
    socket,
    send: (text) => void socket.write(text),
    until: async (text) => {
      await eventually(() => received.includes(text) || socket.closed, `the server sent ${JSON.stringify(text)}`);
      if (!received.includes(text)) throw new Error(`The connection closed without ${text}: ${received}`);
      return received;
    },
    closed: async () => {
      await eventually(() => socket.closed, "the server closed the connection");
      return received;
    },
    leave: () => void socket.destroy(),
  };
}

/** Resolves once the condition holds; rejects with `claim` when it does not come true. */
export async function eventually(condition: () => boolean | Promise<boolean>, claim: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`It did not come true that ${claim}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Resolves to the value once it is the same in ten looks in a row. */
export async function settled(read: () => number | Promise<number>): Promise<number> {
  let value = Number.NaN;
  let same = 0;
  await eventually(async () => {
    const now = await read();
    same = now === value ? same + 1 : 0;
    value = now;
    return same >= 10;
  }, "the value settled");
  return value;
}
