/** A conversation that goes on from protocol to protocol: the row's `api` decides, at the next turn, and nothing leaks. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { SPOKEN, type SpokenProtocol, speaking } from "../../../tests/support/model-protocols.mts";
import { type Answer, type RudeServer, rudeServer } from "../../../tests/support/rude-server.mts";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";

let site: Site;
let server: RudeServer;
let answer: Answer;

beforeAll(async () => {
  server = await rudeServer((response, request) => answer(response, request));
  site = await startSite({ env: { XRAY_LLM_EXTRA_HOSTS: new URL(server.origin).host } });
}, START_MS);
afterAll(async () => {
  await site.stop();
  await server.close();
});

/** As an owner's write would leave the row. */
async function connect(api: string, baseUrl: string): Promise<void> {
  await site.sql("UPDATE llm_config SET api = $1, base_url = $2, updated_at = clock_timestamp()", [api, baseUrl]);
}
const connectTo = (protocol: SpokenProtocol) => connect(protocol.api, protocol.baseUrl(server.origin));
const textOf = (frames: { event: string; data: { text?: string } }[]) =>
  frames.map(({ event, data }) => (event === "delta" ? data.text : "")).join("");

test("one session answers over each protocol in turn, and each gets what was said before", async () => {
  const visitor = site.visitor();
  let sessionId: string | undefined;
  const said: string[] = [];
  for (const protocol of SPOKEN) {
    await connectTo(protocol);
    answer = speaking(protocol, [`spoken ${said.length}`]);
    const frames = await (await visitor.ask(`question ${said.length}`, sessionId)).rest();
    sessionId ??= frames[0]!.data.sessionId;
    expect(textOf(frames)).toBe(`spoken ${said.length}`);
    expect(frames.at(-1)).toMatchObject({ event: "done", data: { outcome: "completed" } });
    const request = server.seen.at(-1)!;
    expect(request.headers[protocol.keyHeader.name]).toBe(`${protocol.keyHeader.prefix}${site.apiKey}`);
    expect(said.filter((earlier) => !request.body.includes(earlier))).toEqual([]);
    said.push(`question ${said.length}`, `spoken ${said.length}`);
  }
  expect(server.seen.length).toBe(SPOKEN.length);
});

test.each(SPOKEN.map((protocol) => [protocol.api, protocol] as const))(
  "%s: a failure is our sentence to the visitor and a cause without the key in the log",
  async (_api, protocol) => {
    await connectTo(protocol);
    answer = (response) => response.writeHead(401).end(`zz9gw ${protocol.api}: no ${site.apiKey} here`);
    const frames = await (await site.visitor().ask("hello")).rest();
    expect(frames.at(-1)).toMatchObject({
      event: "error",
      data: { code: "model_failed", message: "The model did not answer. What arrived is kept." },
    });
    expect(JSON.stringify(frames)).not.toContain("zz9gw");
    expect(await site.app.logged(`zz9gw ${protocol.api}: no [redacted] here`)).not.toContain(site.apiKey);
  },
);

test("a row of a protocol that is not offered is a site without a model", async () => {
  await connect("carrier-pigeon", server.origin);
  expect((await site.visitor().post("/agent/ask", { prompt: "hello" })).body).toMatchObject({ code: "not_configured" });
  expect((await site.visitor().json("/site/status")).body).toEqual({ demo: false, ready: false });
});
