/**
 * The outbound tools through the whole site: a model that calls them, the reply, the picture and who may see it, and what
 * becomes of both when the owner changes a row or the visitor deletes the session.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { agentImagePath } from "../../../shared/agent-image";
import { imagesAnswer, json, responsesStream, streaming } from "../../../tests/support/outbound-gateways.mts";
import { callTool, say } from "../../../tests/support/openai-server.mts";
import { PICTURES } from "../../../tests/support/pictures.mts";
import { type Answer, type RudeServer, rudeServer } from "../../../tests/support/rude-server.mts";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";
import type { Frame, Visitor } from "../../../tests/support/visitor.mts";
import { openDatabase } from "../database/pool";
import { secretBox } from "../lib/secret-box";
import { imagegenProviders } from "../stores/imagegen-config";
import { websearchProviders } from "../stores/websearch-config";

const KEY = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";
let gateway: RudeServer;
let answer: Answer;
let site: Site;

beforeAll(async () => {
  gateway = await rudeServer((response, request) => answer(response, request));
  const host = new URL(gateway.origin).host;
  site = await startSite({ env: { XRAY_WEBSEARCH_EXTRA_HOSTS: host, XRAY_IMAGEGEN_EXTRA_HOSTS: host } });
  const db = openDatabase(site.database.appUrl);
  const box = secretBox(site.configKey);
  const row = { provider: "qq4gw", baseUrl: gateway.origin, apiKey: KEY, modelId: "qq-draws" };
  await imagegenProviders.upsert(db, box, row, [host]);
  await websearchProviders.upsert(db, box, { ...row, modelId: "qq-looks" }, [host]);
  await db.close();
  await site.sql("UPDATE tool_config SET enabled = TRUE WHERE name IN ('web_search', 'generate_image')");
}, START_MS);
afterAll(async () => {
  await site.stop();
  await gateway.close();
});

/** A turn in which the model calls one tool and then says what came back, as it came. */
async function turn(visitor: Visitor, name: string, args: Record<string, unknown>, sessionId?: string) {
  site.model.next(callTool(name, args));
  site.model.next((reply, { body }) => say(String(body.messages.at(-1).content))(reply, { headers: {}, body }));
  const stream = await visitor.ask("go on", sessionId);
  const frames = await stream.rest();
  const reply = frames.map(({ event, data }) => (event === "delta" ? data.text : "")).join("");
  return { frames, reply, raw: stream.raw, sessionId: frames[0]!.data.sessionId as string };
}
const endOf = (frames: Frame[]) => frames.find(({ event }) => event === "tool_end")?.data;
const toolsSent = () =>
  (site.model.requests.at(-1)!.body.tools ?? []).map((tool: { function: { name: string } }) => tool.function.name);
/** Where the API serves what the page asks for. */
const pathOf = (reply: string) => /\((\/api\/agent\/images\/[^)]+)\)/.exec(reply)![1]!.replace(/^\/api/, "");

test("a picture stands in the reply, is its visitor's alone, and goes with the session (K6, K7)", async () => {
  answer = json(imagesAnswer(PICTURES.png));
  const [visitor, other] = [site.visitor(), site.visitor()];
  const { reply, frames, sessionId } = await turn(visitor, "generate_image", { prompt: "a map" });
  expect(frames.at(-1)).toMatchObject({ event: "done", data: { outcome: "completed" } });
  expect(/^!\[a map\]\((.*)\)$/.exec(reply)?.[1]).toMatch(agentImagePath);
  const path = pathOf(reply);

  const own = await visitor.request(path);
  const etag = `"${createHash("sha256").update(PICTURES.png).digest("hex")}"`;
  expect(Buffer.from(await own.arrayBuffer()).equals(PICTURES.png)).toBe(true);
  expect([
    own.status,
    ...["content-type", "cache-control", "etag", "x-content-type-options"].map((name) => own.headers.get(name)),
  ]).toEqual([200, "image/png", "private, no-cache", etag, "nosniff"]);
  const head = await visitor.request(path, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
    200,
    String(PICTURES.png.length),
    "",
  ]);
  const known = { headers: { "if-none-match": etag } };
  expect((await visitor.request(path, known)).status).toBe(304);

  await other.ask("hello").then((stream) => stream.rest());
  for (const stranger of [other, site.visitor()]) {
    for (const init of [{}, known, { method: "HEAD" }]) expect((await stranger.request(path, init)).status).toBe(404);
  }
  for (const wrong of [".jpg", ".gif", ".svg", ".html"]) {
    expect((await visitor.request(path.replace(".png", wrong))).status).toBe(404);
  }
  for (const malformed of ["x.png", `${path.split("/").at(-1)}.png`, "..%2f..%2fask"]) {
    expect((await visitor.request(`/agent/images/${malformed}`)).status).toBe(400);
  }

  expect((await visitor.request(`/agent/sessions/${sessionId}`, { method: "DELETE" })).status).toBe(204);
  expect((await visitor.request(path, known)).status).toBe(404);
  expect(await site.sql("SELECT count(*)::int AS n FROM generated_images")).toEqual([{ n: 0 }]);
});

test("a picture is 404 for the browser that changed hands, though it knows the ETag (K6)", async () => {
  answer = json(imagesAnswer(PICTURES.gif));
  const visitor = site.visitor();
  const path = pathOf((await turn(visitor, "generate_image", { prompt: "a map" })).reply);
  const etag = (await visitor.request(path)).headers.get("etag")!;
  const next = site.visitor();
  await next.ask("hello").then((stream) => stream.rest());
  visitor.cookie = next.cookie;
  expect((await visitor.request(path, { headers: { "if-none-match": etag } })).status).toBe(404);
});

test("neither a picture's bytes nor anything of the service is in the streams or the rows", async () => {
  answer = json(imagesAnswer(PICTURES.webp));
  const visitor = site.visitor();
  const drawn = await turn(visitor, "generate_image", { prompt: "a map" });
  answer = json({ error: { message: `qq4gw: qq-draws refuses ${KEY}` } }, 403);
  const refused = await turn(visitor, "generate_image", { prompt: "a map" }, drawn.sessionId);
  expect(endOf(refused.frames)).toMatchObject({ isError: true, resultPreview: "The picture could not be made." });
  const trace = await visitor.trace(drawn.sessionId);
  const rows = await site.sql(
    "SELECT data::text AS line FROM trace_events UNION ALL SELECT payload::text FROM messages",
  );
  await trace.next();
  trace.leave();
  const seen = drawn.raw + refused.raw + trace.raw + rows.map(({ line }) => line).join("\n");
  for (const mark of [KEY, "qq4gw", "qq-draws", new URL(gateway.origin).host, PICTURES.webp.toString("base64")]) {
    expect([mark, seen.includes(mark)]).toEqual([mark, false]);
  }
  expect(rows.some(({ line }) => line?.includes('"request"'))).toBe(true);
  // The model itself reads a line of text.
  expect(JSON.stringify(site.model.requests.at(-1)!.body)).not.toContain(PICTURES.webp.toString("base64").slice(0, 24));
  expect(await site.app.logged("qq-draws refuses [redacted]")).not.toContain(KEY);
});

test("over the day's number the call fails and the turn goes on (J8)", async () => {
  answer = streaming(responsesStream(["Found."]));
  await site.sql("UPDATE websearch_config SET daily_search_limit = 1");
  const visitor = site.visitor();
  const first = await turn(visitor, "web_search", { query: "what is new" });
  expect(first.reply).toContain("Found.");
  const second = await turn(visitor, "web_search", { query: "what is new" }, first.sessionId);
  expect(endOf(second.frames)).toMatchObject({ isError: true });
  expect(second.reply).toBe("The searches that may be made in one day have been made. Tomorrow there are new ones.");
  expect(second.frames.at(-1)).toMatchObject({ event: "done", data: { outcome: "completed" } });
  await site.sql("UPDATE websearch_config SET daily_search_limit = 0");
});

test("an edited row counts at the session's next turn (J9)", async () => {
  answer = streaming(responsesStream(["Found."]));
  const visitor = site.visitor();
  const { sessionId } = await turn(visitor, "web_search", { query: "what is new" });
  expect(JSON.parse(gateway.seen.at(-1)!.body).model).toBe("qq-looks");
  const db = openDatabase(site.database.appUrl);
  const host = new URL(gateway.origin).host;
  await websearchProviders.upsert(db, secretBox(site.configKey), { provider: "qq4gw", modelId: "qq-sees" }, [host]);
  await db.close();
  await turn(visitor, "web_search", { query: "what is new" }, sessionId);
  expect(JSON.parse(gateway.seen.at(-1)!.body).model).toBe("qq-sees");
});

test("a row that came in by SQL with another host, or whose key does not open, takes the tool away (J3)", async () => {
  const visitor = site.visitor();
  const asked = gateway.seen.length;
  const turnWithout = async () => {
    const { frames } = await turn(visitor, "web_search", { query: "what is new" });
    expect(toolsSent()).toContain("generate_image");
    expect(toolsSent()).not.toContain("web_search");
    expect(endOf(frames)).toMatchObject({ isError: true });
  };
  for (const address of [
    "https://api.deepseek.com.evil.example",
    "https://127.0.0.1",
    "http://api.deepseek.com",
    "file:///etc/passwd",
  ]) {
    await site.sql("UPDATE websearch_config SET base_url = $1", [address]);
    await turnWithout();
  }
  await site.sql("UPDATE websearch_config SET base_url = $1, api_key_enc = decode(repeat('00', 40), 'hex')", [
    gateway.origin,
  ]);
  await turnWithout();
  expect(gateway.seen.length).toBe(asked);
  expect(await site.app.logged("undecryptable")).toContain("host_not_allowed");
  await site.sql("DELETE FROM websearch_config");
  await turnWithout();
});
