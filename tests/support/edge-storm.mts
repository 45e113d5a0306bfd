/**
 * What a careless, broken or hostile peer may put on the wire, one connection a case. Each case says what it sends and
 * whether it then keeps silent, goes on for ever, or hangs up; `weather` runs one and tells what came of it.
 */
import { connect } from "node:net";

export interface EdgeCase {
  name: string;
  bytes: (string | Buffer)[];
  /** Sent again and again until the server closes: a sender that never comes to its end. */
  drip?: string;
  /** What the client does after its bytes; by default it waits for the server. */
  then?: "hang up" | "half close";
}

export interface Outcome {
  name: string;
  /** Status of every answer in order; a head that is no HTTP answer counts as 0. */
  statuses: number[];
  /** Whether the server closed within the patience. */
  closed: boolean;
  text: string;
}

const DRIP_EVERY_MS = 20;

/**
 * Runs one case and resolves when the server has closed, when the client has hung up, or when the patience is over.
 * Never rejects.
 */
export function weather(url: string, edge: EdgeCase, patienceMs: number): Promise<Outcome> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), hostname);
    let dripping: NodeJS.Timeout | undefined;
    const finish = (closed: boolean) => {
      clearInterval(dripping);
      clearTimeout(timer);
      socket.destroy();
      resolve({ name: edge.name, statuses: statusesOf(text), closed, text });
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
      if (edge.then === "hang up") socket.end(() => socket.destroy());
      if (edge.then === "half close") socket.end();
      const { drip } = edge;
      if (drip !== undefined) dripping = setInterval(() => socket.write(drip), DRIP_EVERY_MS);
    });
  });
}

function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => Number(status));
}

/** `path` answers GET with 200, and `sink` takes a POST. */
export function storm({ path, sink }: { path: string; sink: string }): EdgeCase[] {
  const HEAD = "host: a\r\nconnection: close\r\n";
  const one = (name: string, ...bytes: (string | Buffer)[]): EdgeCase => ({ name, bytes });
  const get = (target: string | Buffer, name: string): EdgeCase => ({
    name,
    bytes: [Buffer.concat([Buffer.from("GET "), Buffer.from(target), Buffer.from(` HTTP/1.1\r\n${HEAD}\r\n`)])],
  });
  const post = (name: string, head: string, ...body: string[]): EdgeCase => ({
    name,
    bytes: [`POST ${sink} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${head}\r\n`, ...body],
  });
  const headers = (name: string, lines: string): EdgeCase =>
    one(name, `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${lines}\r\n`);
  return [
    // Request lines
    one("an empty line, then nothing", "\r\n"),
    one("no version", `GET ${path}\r\n\r\n`),
    one("a version that does not exist", `GET ${path} HTTP/9.9\r\n${HEAD}\r\n`),
    one("a lower-case method", `get ${path} HTTP/1.1\r\n${HEAD}\r\n`),
    one("a method of 10,000 letters", `${"M".repeat(10_000)} ${path} HTTP/1.1\r\n${HEAD}\r\n`),
    one("two spaces", `GET  ${path} HTTP/1.1\r\n${HEAD}\r\n`),
    one("a space in the path", `GET ${path} x HTTP/1.1\r\n${HEAD}\r\n`),
    one("bare line feeds", `GET ${path} HTTP/1.1\nhost: a\nconnection: close\n\n`),
    one("bare carriage returns", `GET ${path} HTTP/1.1\rhost: a\r\r`),
    one("random bytes", Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at * 167 + 89) % 256))),
    one("a TLS hello", Buffer.from("16030100c8010000c403035fd1c5d6a1", "hex")),
    one("an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0"),
    one("HTTP/1.0", `GET ${path} HTTP/1.0\r\n\r\n`),
    one("HTTP/1.0 that wants to stay", `GET ${path} HTTP/1.0\r\nconnection: keep-alive\r\n\r\n`),
    one("HTTP/0.9", `GET ${path}\n`),
    // Paths
    get("*", "an asterisk"),
    get("", "no path at all"),
    get("/a\0b", "NUL"),
    get("/%00", "an encoded NUL"),
    get(`/${"a".repeat(8_192)}`, "a path of 8 KiB"),
    get(`/${"a/".repeat(4_000)}`, "4,000 segments"),
    get(`${path}?${"a=b&".repeat(2_000)}`, "2,000 query fields"),
    get("//", "two slashes"),
    get("//evil.example/", "a path that looks like a host"),
    get("/../../etc/passwd", "dots"),
    get("/%2e%2e/%2e%2e/etc/passwd", "encoded dots"),
    get("/..\\..\\windows", "backslashes"),
    get(`http://evil.example${path}`, "the absolute form"),
    get("http://", "an absolute form without a host"),
    get("evil.example:80", "the authority form"),
    get(Buffer.from([0x2f, 0xff, 0xfe, 0x80]), "bytes that are not UTF-8"),
    get("/%ff%fe", "encoded bytes that are not UTF-8"),
    get("/%", "half an encoding"),
    get(`${path}#fragment`, "a fragment"),
    one("CONNECT", `CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n`),
    one("TRACE", `TRACE ${path} HTTP/1.1\r\n${HEAD}\r\n`),
    // Headers
    headers("one header of 10,000 bytes", `x: ${"a".repeat(10_000)}\r\n`),
    headers("one header of 1 MB", `x: ${"a".repeat(1_000_000)}\r\n`),
    headers("1,000 headers", "x: a\r\n".repeat(1_000)),
    headers("5,000 headers of different names", Array.from({ length: 5_000 }, (_, at) => `x${at}: a\r\n`).join("")),
    headers("a header without a colon", "nothing\r\n"),
    headers("a header without a name", ": a\r\n"),
    headers("a space before the colon", "x : a\r\n"),
    headers("a folded header", "x: a\r\n b\r\n"),
    headers("NUL in a header", "x: a\0b\r\n"),
    headers("a header name that is not ASCII", "x\xe9: a\r\n"),
    headers("a header value that is not UTF-8", "x: \xff\xfe\r\n"),
    headers("two hosts", "host: b\r\n"),
    headers("headers named like properties", "__proto__: a\r\nconstructor: b\r\ntoString: c\r\n"),
    one("no host", `GET ${path} HTTP/1.1\r\nconnection: close\r\n\r\n`),
    one("a header that never ends", `GET ${path} HTTP/1.1\r\nhost: a\r\nx: `),
    { name: "headers that drip", bytes: [`GET ${path} HTTP/1.1\r\nhost: a\r\n`], drip: "x: a\r\n" },
    { name: "a header value that drips", bytes: [`GET ${path} HTTP/1.1\r\nhost: a\r\nx: `], drip: "a" },
    one("nothing at all"),
    // Bodies
    post("a negative length", "content-length: -1\r\n"),
    post("a length that is no number", "content-length: ten\r\n"),
    post("a length with a plus", "content-length: +2\r\n", "{}"),
    post("a length in hex", "content-length: 0x2\r\n", "{}"),
    post("a length past every integer", "content-length: 99999999999999999999\r\n", "{}"),
    post("two lengths that agree", "content-length: 2\r\ncontent-length: 2\r\nconnection: close\r\n", "{}"),
    post(
      "two lengths that differ",
      "content-length: 2\r\ncontent-length: 40\r\n",
      "{}",
      `GET ${path} HTTP/1.1\r\n${HEAD}\r\n`,
    ),
    post(
      "a length and chunks",
      "content-length: 4\r\ntransfer-encoding: chunked\r\n",
      `0\r\n\r\nGET ${path} HTTP/1.1\r\n${HEAD}\r\n`,
    ),
    post("chunked twice", "transfer-encoding: chunked, chunked\r\n", "0\r\n\r\n"),
    post("chunked, but not last", "transfer-encoding: chunked, identity\r\n", "0\r\n\r\n"),
    post("chunked behind a tab", "transfer-encoding:\tchunked\r\nconnection: close\r\n", "0\r\n\r\n"),
    post("an encoding that does not exist", "transfer-encoding: xchunked\r\n", "0\r\n\r\n"),
    post("a chunk size that is no number", "transfer-encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n"),
    post("a negative chunk size", "transfer-encoding: chunked\r\n", "-2\r\n{}\r\n0\r\n\r\n"),
    post("a chunk size past every integer", "transfer-encoding: chunked\r\n", "fffffffffffffffff\r\n{}"),
    post("a chunk longer than its size", "transfer-encoding: chunked\r\n", "1\r\n{}\r\n0\r\n\r\n"),
    post(
      "a chunk extension of 100 KB",
      "transfer-encoding: chunked\r\n",
      `2;x=${"a".repeat(100_000)}\r\n{}\r\n0\r\n\r\n`,
    ),
    post("trailers", "transfer-encoding: chunked\r\nconnection: close\r\n", "2\r\n{}\r\n0\r\nx-late: a\r\n\r\n"),
    post("trailers without end", "transfer-encoding: chunked\r\n", `2\r\n{}\r\n0\r\n${"x: a\r\n".repeat(20_000)}`),
    { ...post("an upload that stops", "content-length: 100\r\n", "{"), then: "hang up" },
    { ...post("an upload that half closes", "content-length: 100\r\n", "{"), then: "half close" },
    { ...post("a chunked upload that stops", "transfer-encoding: chunked\r\n", "5\r\n{"), then: "hang up" },
    post("a body that never comes", "content-length: 100\r\n"),
    { ...post("a body that drips", "content-length: 1000000\r\n"), drip: " " },
    { ...post("chunks that drip", "transfer-encoding: chunked\r\n"), drip: "1\r\n \r\n" },
    // More than one request, and other protocols
    one(
      "three requests at once",
      `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`.repeat(2),
      `GET ${path} HTTP/1.1\r\n${HEAD}\r\n`,
    ),
    one("50 requests at once, then gone", `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`.repeat(50)),
    { name: "a request, then garbage", bytes: [`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`, "\x00\x01garbage\r\n\r\n"] },
    { name: "gone before the answer", bytes: [`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`], then: "hang up" },
    { name: "half closed before the answer", bytes: [`GET ${path} HTTP/1.1\r\n${HEAD}\r\n`], then: "half close" },
    post("100-continue, and then the body", "expect: 100-continue\r\ncontent-length: 2\r\nconnection: close\r\n", "{}"),
    post("100-continue, and then nothing", "expect: 100-continue\r\ncontent-length: 2\r\n"),
    post("another expectation", "expect: miracles\r\ncontent-length: 2\r\nconnection: close\r\n", "{}"),
    headers(
      "an upgrade to WebSocket",
      "upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: YQ==\r\n",
    ),
    one(
      "a real upgrade to WebSocket",
      `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
        "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    ),
    one(
      "an upgrade to h2c",
      `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n\r\n`,
    ),
  ];
}
