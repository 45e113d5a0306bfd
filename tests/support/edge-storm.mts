/** What a careless, broken or hostile peer may put on the wire, one connection a case. */
import type { EdgeCase } from "./edge-case.mts";
import type { Random } from "./random.mts";

/** `path` answers GET with 200, and `sink` takes any POST. */
export function storm({ path, sink }: { path: string; sink: string }): EdgeCase[] {
  const line = `GET ${path} HTTP/1.1\r\nhost: a\r\n`;
  const asking = `${line}\r\n`;
  const last = `${line}connection: close\r\n\r\n`;
  const one = (name: string, ...bytes: (string | Buffer)[]): EdgeCase => ({ name, bytes });
  const get = (name: string, target: string | Buffer): EdgeCase =>
    one(
      name,
      Buffer.concat([
        Buffer.from("GET "),
        Buffer.from(target),
        Buffer.from(" HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"),
      ]),
    );
  const headers = (name: string, lines: string | Buffer): EdgeCase =>
    one(name, `${line}connection: close\r\n`, lines, "\r\n");
  const post = (name: string, head: string, ...body: string[]): EdgeCase =>
    one(name, `POST ${sink} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${head}\r\n`, ...body);
  const chunked = (name: string, ...body: string[]): EdgeCase =>
    post(name, "transfer-encoding: chunked\r\nconnection: close\r\n", ...body);
  const upgrade = (protocol: string, more: string) =>
    `${line}connection: upgrade${more.includes("http2") ? ", http2-settings" : ""}\r\nupgrade: ${protocol}\r\n${more}\r\n`;
  const all = (expected: EdgeCase["expected"], cases: EdgeCase[]) => cases.map((edge) => ({ ...edge, expected }));
  const slow = (cases: EdgeCase[]) => cases.map((edge) => ({ ...edge, slow: true as const }));

  return [
    ...all("fine", [
      one("HTTP/1.0", `GET ${path} HTTP/1.0\r\n\r\n`),
      one("HTTP/1.0 that wants to stay", `GET ${path} HTTP/1.0\r\nconnection: keep-alive\r\n\r\n`),
      get("2,000 query fields", `${path}?${"a=b&".repeat(2_000)}`),
      headers("one header of 10,000 bytes", `x: ${"a".repeat(10_000)}\r\n`),
      headers("headers named like properties", "__proto__: a\r\nconstructor: b\r\ntoString: c\r\n"),
      chunked("trailers", "2\r\n{}\r\n0\r\nx-late: a\r\n\r\n"),
      post(
        "100-continue, and then the body",
        "expect: 100-continue\r\ncontent-length: 2\r\nconnection: close\r\n",
        "{}",
      ),
      { ...one("three requests at once", asking, asking, last), requests: 3 },
      { ...one("50 requests at once, then silence", asking.repeat(50)), requests: 50 },
      one(
        "an upgrade to WebSocket",
        upgrade("websocket", "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"),
      ),
      one("an upgrade to h2c", upgrade("h2c", "http2-settings: AAMAAABkAAQAAP__\r\n")),
    ]),
    ...all("refused", [
      one("no version", `GET ${path}\r\n\r\n`),
      one("HTTP/0.9", `GET ${path}\n`),
      one("a version that does not exist", `GET ${path} HTTP/9.9\r\nhost: a\r\n\r\n`),
      one("an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0"),
      one("a TLS hello", Buffer.from("16030100c8010000c403035fd1c5d6a1", "hex")),
      one("every byte there is", Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at * 167 + 89) % 256))),
      one("a lower-case method", `get ${path} HTTP/1.1\r\nhost: a\r\n\r\n`),
      one("a method of 10,000 letters", `${"M".repeat(10_000)} ${path} HTTP/1.1\r\nhost: a\r\n\r\n`),
      one("two spaces in the first line", `GET  ${path} HTTP/1.1\r\nhost: a\r\n\r\n`),
      one("a space in the path", `GET ${path} x HTTP/1.1\r\nhost: a\r\n\r\n`),
      one("bare line feeds", `GET ${path} HTTP/1.1\nhost: a\n\n`),
      one("bare carriage returns", `GET ${path} HTTP/1.1\rhost: a\r\r`),
      one("CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n"),
      get("no path at all", ""),
      get("an asterisk", "*"),
      get("the authority form", "evil.example:80"),
      get("NUL in the path", "/a\0b"),
      get("bytes that are not UTF-8 in the path", Buffer.from([0x2f, 0xff, 0xfe, 0x80])),
      one("no host", `GET ${path} HTTP/1.1\r\nconnection: close\r\n\r\n`),
      headers("one header of 1 MB", `x: ${"a".repeat(1_000_000)}\r\n`),
      headers("5,000 headers", Array.from({ length: 5_000 }, (_, at) => `x${at}: a\r\n`).join("")),
      headers("a header without a colon", "nothing\r\n"),
      headers("a header without a name", ": a\r\n"),
      headers("a space before the colon", "x : a\r\n"),
      headers("a folded header", "x: a\r\n b\r\n"),
      headers("NUL in a header", "x: a\0b\r\n"),
      headers("a header name that is not ASCII", "x\xe9: a\r\n"),
      post("a negative length", "content-length: -1\r\n"),
      post("a length that is no number", "content-length: ten\r\n"),
      post("a length with a plus", "content-length: +2\r\n", "{}"),
      post("a length in hex", "content-length: 0x2\r\n", "{}"),
      post("a length past every integer", "content-length: 99999999999999999999\r\n", "{}"),
      // What two readers of the same bytes would cut into requests at different places.
      post("two lengths that differ", "content-length: 2\r\ncontent-length: 40\r\n", "{}", last),
      post("a length and chunks", "content-length: 4\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\n", last),
      post("chunks, but not as the last encoding", "transfer-encoding: chunked, identity\r\n", "0\r\n\r\n", last),
      post("chunks twice", "transfer-encoding: chunked, chunked\r\n", "0\r\n\r\n", last),
      post("an encoding that does not exist", "transfer-encoding: xchunked\r\n", "0\r\n\r\n", last),
      chunked("a chunk size that is no number", "zz\r\n{}\r\n0\r\n\r\n"),
      chunked("a negative chunk size", "-2\r\n{}\r\n0\r\n\r\n"),
      chunked("a chunk size past every integer", "fffffffffffffffff\r\n{}"),
      chunked("a chunk longer than its size", "1\r\n{}\r\n0\r\n\r\n"),
      chunked("a chunk extension of 100 KB", `2;x=${"a".repeat(100_000)}\r\n{}\r\n0\r\n\r\n`),
      chunked("trailers without end", `2\r\n{}\r\n0\r\n${"x: a\r\n".repeat(20_000)}`),
      post("an expectation that nobody meets", "expect: miracles\r\ncontent-length: 2\r\n", "{}"),
    ]),
    get("an encoded NUL", "/%00"),
    get("a path of 8 KiB", `/${"a".repeat(8_192)}`),
    get("4,000 segments", `/${"a/".repeat(4_000)}`),
    get("two slashes", "//"),
    get("a path that looks like a host", "//evil.example/"),
    get("dots", "/../../etc/passwd"),
    get("encoded dots", "/%2e%2e/%2e%2e/etc/passwd"),
    get("backslashes", "/..\\..\\windows"),
    get("the absolute form", `http://evil.example${path}`),
    get("an absolute form without a host", "http://"),
    get("encoded bytes that are not UTF-8", "/%ff%fe"),
    get("half an encoding", "/%"),
    get("a fragment", `${path}#fragment`),
    one("TRACE", `TRACE ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`),
    headers("1,000 headers of one name", "x: a\r\n".repeat(1_000)),
    headers("a header value that is not UTF-8", Buffer.from("x: \xff\xfe\r\n", "latin1")),
    headers("two hosts", "host: b\r\n"),
    post("two lengths that agree", "content-length: 2\r\ncontent-length: 2\r\nconnection: close\r\n", "{}"),
    post("chunks behind a tab", "transfer-encoding:\tchunked\r\nconnection: close\r\n", "2\r\n{}\r\n0\r\n\r\n"),
    { ...one("a request, then garbage", asking, "\x00\x01garbage\r\n\r\n"), requests: 2 },
    { ...one("gone before the answer", asking), leaves: "hang up" },
    { ...one("half closed before the answer", last), leaves: "half close" },
    { ...post("an upload that stops", "content-length: 100\r\n", "{"), leaves: "hang up" },
    { ...post("an upload that half closes", "content-length: 100\r\n", "{"), leaves: "half close" },
    { ...chunked("a chunked upload that stops", "5\r\n{"), leaves: "hang up" },
    ...slow([
      one("nothing at all"),
      one("an empty line, then nothing", "\r\n"),
      one("a header that never ends", `${line}x: `),
      { ...one("headers that drip", line), drip: "x: a\r\n" },
      { ...one("a header value that drips", `${line}x: `), drip: "a" },
      post("a body that never comes", "content-length: 100\r\n"),
      { ...post("a body that drips", "content-length: 1000000\r\n"), drip: " " },
      { ...post("chunks that drip", "transfer-encoding: chunked\r\n"), drip: "1\r\n \r\n" },
      post("100-continue, and then nothing", "expect: 100-continue\r\ncontent-length: 2\r\n"),
      {
        name: "an unread body that drips",
        bytes: ["POST /nowhere HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n"],
        drip: " ",
      },
    ]),
  ];
}

/** A valid request with bytes lost, repeated, changed or added; nobody says what it should be answered. */
export function damaged({ path, sink }: { path: string; sink: string }, chance: Random): EdgeCase {
  const whole = chance.pick([
    `GET ${path} HTTP/1.1\r\nhost: a\r\naccept: */*\r\ncookie: a=b\r\nconnection: close\r\n\r\n`,
    `POST ${sink} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
    `POST ${sink} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ]);
  let bytes = Buffer.from(whole, "latin1");
  for (let damages = 1 + chance.below(4); damages > 0; damages--) {
    const at = chance.below(bytes.length);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    bytes = chance.pick([
      () => Buffer.concat([before, Buffer.from([chance.below(256)]), after.subarray(1)]),
      () => Buffer.concat([before, after.subarray(1 + chance.below(8))]),
      () => Buffer.concat([before, after.subarray(0, chance.below(40)), after]),
      () =>
        Buffer.concat([
          before,
          Buffer.from(chance.pick(["\r\n", "\n", "\r", "\0", " ", ":", "\t", "\x80", "\r\n\r\n"]), "latin1"),
          after,
        ]),
    ])();
    if (bytes.length === 0) break;
  }
  return { name: JSON.stringify(bytes.toString("latin1")), bytes: [bytes], requests: Number.POSITIVE_INFINITY };
}
