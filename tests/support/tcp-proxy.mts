/** A wire between two sides that a test can cut: every connection through it ends at once, and new ones may be refused. */
import { type AddressInfo, type Socket, connect, createServer } from "node:net";

export interface TcpProxy {
  /** The same address, led through the proxy. */
  urlOf(url: string): string;
  /** Ends every connection without a word. */
  cut(): void;
  /** Cuts, and takes no connection before `allow`. */
  refuse(): void;
  allow(): void;
  close(): Promise<void>;
}

/** `target` is asked for at each connection, so that it may move. */
export async function startTcpProxy(target: () => string): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let refusing = false;
  const server = createServer((near) => {
    if (refusing) return void near.destroy();
    const { hostname, port } = new URL(target());
    const far = connect(Number(port), hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    urlOf: (url) => {
      const through = new URL(url);
      through.hostname = "127.0.0.1";
      through.port = String((server.address() as AddressInfo).port);
      return through.href;
    },
    cut,
    refuse: () => {
      refusing = true;
      cut();
    },
    allow: () => {
      refusing = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
