/**
 * Stands between the application and Postgres and counts what goes over the wire: simple queries and executions of
 * prepared ones, and the rows that come back. It reads only the frame of each message (a type byte and a length), never
 * what it says.
 */
import { type AddressInfo, type Socket, connect, createServer } from "node:net";

export interface PostgresMeter {
  /** The database's address through the meter. */
  urlOf(databaseUrl: string): string;
  /** Statements so far, openings and closings of transactions included. */
  statements(): number;
  /** Rows that the server has sent so far. */
  rows(): number;
  close(): Promise<void>;
}

const QUERY = 0x51;
const EXECUTE = 0x45;
const DATA_ROW = 0x44;

export async function startPostgresMeter(serverUrl: string): Promise<PostgresMeter> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let statements = 0;
  let rows = 0;
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    const asked = messageTypes({ startsUntyped: true }, (type) => {
      if (type === QUERY || type === EXECUTE) statements++;
    });
    const answered = messageTypes({ startsUntyped: false }, (type) => {
      if (type === DATA_ROW) rows++;
    });
    client.on("data", asked);
    database.on("data", answered);
    client.pipe(database).pipe(client);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    urlOf: (databaseUrl) => {
      const url = new URL(databaseUrl);
      url.hostname = "127.0.0.1";
      url.port = String((server.address() as AddressInfo).port);
      return url.href;
    },
    statements: () => statements,
    rows: () => rows,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Reports the type of each message. A client's first one, the start-up message, has a length but no type. */
function messageTypes(side: { startsUntyped: boolean }, onType: (type: number) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let started = !side.startsUntyped;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const typeBytes = started ? 1 : 0;
      if (rest.length < typeBytes + 4) return;
      const size = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < size) return;
      if (started) onType(rest[0]!);
      started = true;
      rest = rest.subarray(size);
    }
  };
}
