/** The beacon over the wire (§22): how many rows a flood makes, what is kept of a caller, and what is not. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "bun:test";
import { seed } from "../../../cli/seed.mts";
import { random } from "../../../tests/support/random.mts";
import { type Site, START_MS, startSite } from "../../../tests/support/site.mts";
import { openDatabase } from "../database/pool";

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";
let site: Site;
beforeAll(async () => {
  site = await startSite({ provider: null });
  const db = openDatabase(site.database.appUrl);
  await seed({ db, log: () => {} }).finally(() => db.close());
}, START_MS);
afterAll(() => site.stop());
afterEach(() => site.sql("TRUNCATE visits"));

/** As the web port passes it on: the visitor's address, then its own. */
function send(body: string, headers: Record<string, string> = {}, to = site): Promise<Response> {
  return fetch(`${to.app.url}/t`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.7", "user-agent": CHROME, ...headers },
    body,
  });
}
const view = async (path: string, headers?: Record<string, string>) =>
  (await send(JSON.stringify({ path }), headers)).status;
const rows = () => site.sql("SELECT path, visitor, ua, hits FROM visits ORDER BY path, visitor");
const paths = async () => (await rows()).map(({ path, hits }) => [path, hits]);

describe("a view", () => {
  it("is one row for a page, a day and a visitor, with as many hits as there were views", async () => {
    for (const path of ["/", "/", "/notes/events", "/notes/events/one-turn"]) expect(await view(path)).toBe(204);
    expect(await paths()).toEqual([
      ["/", "2"],
      ["/notes/events", "1"],
      ["/notes/events/one-turn", "1"],
    ]);
    const [row] = await rows();
    expect(row).toEqual({
      path: "/",
      visitor: expect.stringMatching(/^[0-9a-f]{32}$/),
      ua: "Chrome/Windows",
      hits: "2",
    });
  });

  it("of a page that the site does not have is counted as such, however its path looks", async () => {
    for (const path of [
      "/notes/nothing",
      "/notes/events/nothing",
      "/skills/nothing",
      "/wp-login.php",
      "",
      "/x".repeat(480),
    ]) {
      expect([path, await view(path)]).toEqual([path, 204]);
    }
    expect(await paths()).toEqual([["/*", "6"]]);
  });

  it.each<[string, string, Record<string, string>, number]>([
    ["no JSON", "path=/", {}, 400],
    ["no path", "{}", {}, 400],
    ["a path that is no text", '{"path":["/"]}', {}, 400],
    ["another type", '{"path":"/"}', { "content-type": "text/plain" }, 400],
    ["another site's page", '{"path":"/"}', { "sec-fetch-site": "cross-site" }, 400],
    ["a body past 1 KiB", JSON.stringify({ path: "/", more: "x".repeat(1_024) }), {}, 413],
  ])("that cannot be read, %s, is refused and leaves nothing", async (_case, body, headers, status) => {
    expect((await send(body, headers)).status).toBe(status);
    expect(await rows()).toEqual([]);
  });
});

describe("a flood from one network", () => {
  it("makes no more rows than there are pages and families", async () => {
    const { below, pick, onceIn } = random();
    const word = () => below(1e9).toString(36);
    const hex = () => below(65_536).toString(16);
    const known = ["/", "/notes", "/about", "/skills", "/source", "/notes/events", "/notes/events/one-turn"];
    const agents = [CHROME, "curl/8", "Mozilla/5.0 (X11; Linux) Firefox/143.0"];
    const post = () =>
      view(onceIn(3) ? pick(known) : pick(["/", "/notes/", "/skills/", "/notes/events/", ""]) + word(), {
        "x-forwarded-for": `2001:db8:77:${hex()}::${hex()}`,
        "user-agent": onceIn(2)
          ? pick(agents)
          : `${word()} ${pick(["Android", "Windows", "Safari/1", "bot"])} ${word()}`,
      });
    for (let sent = 0; sent < 1_000; sent += 20) {
      expect(await Promise.all(Array.from({ length: 20 }, post))).toEqual(Array(20).fill(204));
    }
    const all = await rows();
    expect(all.reduce((sum, { hits }) => sum + Number(hits), 0)).toBe(1_000);
    expect(all.filter(({ path }) => ![...known, "/*"].includes(path))).toEqual([]);
    // Several families on each page, or the bound would not be tried.
    expect(all.length).toBeGreaterThan(known.length + 1);
    expect(all.length).toBeLessThanOrEqual((known.length + 1) * 42);
  });
});

describe("what is kept of a caller", () => {
  const ADDRESS = "198.51.100.213";
  const AGENT = "MarkedAgent/77.13 (Windows NT 10.0) Firefox/1";
  const COOKIE = "xr_visitor=c0ffee77c0ffee77c0ffee77c0ffee77";
  const marks = [ADDRESS, "198.51.100", AGENT, "MarkedAgent", "c0ffee77"];
  const seen = (text: string) =>
    marks.filter((mark) => [mark, Buffer.from(mark).toString("hex")].some((spelling) => text.includes(spelling)));

  it("is neither its address nor its browser's name, in no table and no line of the log", async () => {
    const headers = { "x-forwarded-for": ADDRESS, "user-agent": AGENT, cookie: COOKIE };
    expect(await view("/", headers)).toBe(204);
    expect((await send("{", headers)).status).toBe(400);
    // The audit of the admin endpoint does keep an address: so the search finds what is there.
    await fetch(`${site.app.url}/mcp`, { method: "POST", headers });
    const dump = await site.dump();
    const isAudit = (line: string) => line.startsWith("mcp_audit ");
    expect(seen(dump.filter(isAudit).join("\n"))).toEqual([ADDRESS, "198.51.100"]);
    expect(seen(dump.filter((line) => !isAudit(line)).join("\n"))).toEqual([]);
    expect(dump.filter((line) => line.startsWith("visits "))).toHaveLength(1);
    expect(seen(site.app.log())).toEqual([]);
  });

  it("does not depend on the visitor's cookie, and sets none", async () => {
    const session = site.visitor();
    await session.post("/agent/sessions", {});
    const answer = await send('{"path":"/"}', { cookie: session.cookie! });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([204, null]);
    expect(await view("/")).toBe(204);
    expect((await rows()).map(({ hits }) => hits)).toEqual(["2"]);
  });

  it("is not changed by a forged first address", async () => {
    for (const forged of ["", "192.0.2.99, ", "192.0.2.55, 2001:db8::1, "]) {
      await view("/", { "x-forwarded-for": `${forged}203.0.113.7` });
    }
    expect((await rows()).map(({ hits }) => hits)).toEqual(["3"]);
    await view("/", { "x-forwarded-for": "203.0.113.7, 192.0.2.99" });
    expect(await rows()).toHaveLength(2);
  });
});

it(
  "without a salt nothing is counted: 204, no row, and one line of the log however often it is asked",
  async () => {
    const bare = await startSite({ provider: null, env: { METRICS_IP_SALT: "" } });
    try {
      for (const _ of [1, 2]) expect((await send('{"path":"/"}', {}, bare)).status).toBe(204);
      expect(await bare.sql("SELECT FROM visits")).toEqual([]);
      expect(bare.app.log().match(/METRICS_IP_SALT is missing/g)).toHaveLength(1);
    } finally {
      await bare.stop();
    }
  },
  START_MS,
);
