/**
 * What crosses the wire, proven by a go-between that holds back every answer of the server until a certain text has
 * been sent: if the pool waited for an answer before it sent that text, it would wait for ever.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { createTestDatabase, type TestDatabase } from "../../../tests/support/database.mts";
import { type Database, openDatabase } from "./pool";

let database: TestDatabase;
let server: Server;
let db: Database;
const sockets = new Set<Socket>();
/** While set, answers wait until the client has sent it. */
let awaited: string | undefined;
const held: (() => void)[] = [];
/** Packets the client has sent. */
let packets: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const target = new URL(database.appUrl);
  server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) sockets.add(socket.on("error", () => {}));
    client.on("data", (bytes) => {
      packets.push(bytes.toString("latin1"));
      upstream.write(bytes);
      if (awaited !== undefined && packets.join("").includes(awaited)) release();
    });
    upstream.on("data", (bytes) => {
      if (awaited === undefined) client.write(bytes);
      else held.push(() => client.write(bytes));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = Object.assign(new URL(database.appUrl), { port: String((server.address() as AddressInfo).port) });
  db = openDatabase(url.href, { max: 1 });
  await db.queryAs("content_ro", "SELECT 1");
});
afterAll(async () => {
  await db.close();
  for (const socket of sockets) socket.destroy();
  server.close();
  await database.drop();
});

function holdAnswersUntil(text: string): void {
  packets = [];
  awaited = text;
}
function release(): void {
  awaited = undefined;
  for (const forward of held.splice(0)) forward();
}

test("one statement under a role is one packet out, and needs no answer before its COMMIT is sent", async () => {
  holdAnswersUntil("COMMIT");
  expect(await db.queryAs("content_ro", "SELECT $1::int AS n", [7])).toEqual([{ n: 7 }]);
  expect(packets).toHaveLength(1);
  expect(packets[0]).toMatch(/BEGIN READ ONLY;SET LOCAL ROLE content_ro.*SELECT \$1::int AS n.*COMMIT/s);
});

test("a failed statement costs no more, and the connection is clean behind it", async () => {
  holdAnswersUntil("COMMIT");
  await expect(db.queryAs("content_ro", "SELECT 1 FROM sessions")).rejects.toMatchObject({ code: "permission_denied" });
  expect(packets).toHaveLength(1);
  expect(await db.queryAs("content_ro", "SELECT current_user AS role")).toEqual([{ role: "content_ro" }]);
});

test("a longer transaction does not wait for its opening", async () => {
  holdAnswersUntil("SELECT 'first'");
  const rows = await db.asRole("content_ro", (tx) => tx.query("SELECT 'first' AS word"));
  expect(rows).toEqual([{ word: "first" }]);
});

test("the go-between does hold back: a statement that waits for another's answer never comes", async () => {
  holdAnswersUntil("'second'");
  let sent = false;
  const chain = db.asRole("content_ro", async (tx) => {
    await tx.query("SELECT 'first' AS word");
    sent = true;
    return tx.query("SELECT 'second' AS word");
  });
  while (!packets.join("").includes("'first'")) await Bun.sleep(1);
  await Bun.sleep(20);
  expect(sent).toBe(false);
  release();
  expect(await chain).toEqual([{ word: "second" }]);
});
