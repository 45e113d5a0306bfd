/**
 * The leak matrix (§30): a site with made-up values, one conversation that uses every tool and fails in every way, the
 * raw bytes of every channel, and a search for each value in each. A value that is never seen where it must be would
 * prove nothing, so each is first found where it belongs.
 */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { openDatabase } from "../apps/api/database/pool";
import { seed } from "../cli/seed.mts";
import { CONTRACTS } from "../shared/contracts/index";
import { callTool, say } from "./support/openai-server.mts";
import { START_MS, type Site, startSite } from "./support/site.mts";
import type { Visitor } from "./support/visitor.mts";

const MARKS = {
  provider: "zz9gw-row",
  model: "qq-17x",
  upstreamHost: "zz9gw.example",
  upstreamText: "Traceback (most recent call last)",
  contextWindow: "543217789",
  maxOutput: "43219876",
  price: "918273645",
  dailyTokens: "987654321",
  dailyCents: "765432198",
  maxTurns: "543129876",
  address: "203.0.113.77",
  agent: "MarkUA/1",
};
const HEADERS = { "x-forwarded-for": MARKS.address, "user-agent": MARKS.agent };
const UPSTREAM_ERROR = JSON.stringify({
  error: { message: `${MARKS.upstreamText} at https://${MARKS.upstreamHost}/v1 for model ${MARKS.model}` },
});

let site: Site;
let visitor: Visitor;
/** Raw bytes by channel. */
const channels: Record<"ask" | "trace" | "replay" | "history" | "public" | "rows" | "log", string> = {
  ask: "",
  trace: "",
  replay: "",
  history: "",
  public: "",
  rows: "",
  log: "",
};

beforeAll(async () => {
  site = await startSite({
    provider: {
      provider: MARKS.provider,
      modelId: MARKS.model,
      models: [
        {
          id: MARKS.model,
          contextWindow: Number(MARKS.contextWindow),
          maxOutput: Number(MARKS.maxOutput),
          price: { input: Number(MARKS.price), output: Number(MARKS.price), cacheRead: 0, cacheWrite: 0 },
        },
      ],
      dailyTokenLimit: Number(MARKS.dailyTokens),
      dailyCostLimitCents: Number(MARKS.dailyCents),
      maxTurnsPerSession: Number(MARKS.maxTurns),
    },
  });
  const db = openDatabase(site.database.appUrl);
  await seed({ db, log: () => {} }).finally(() => db.close());
  visitor = site.visitor();
  const { body } = await visitor.post("/agent/sessions", {}, HEADERS);
  const id = body.session.id;
  const live = await visitor.trace(id);
  const watching = live.rest();
  for (const scripts of conversation()) {
    for (const script of scripts) site.model.next(script);
    const stream = await visitor.open("/agent/ask", {
      method: "POST",
      headers: { "content-type": "application/json", ...HEADERS },
      body: JSON.stringify({ prompt: "Go on", sessionId: id }),
    });
    await stream.rest();
    channels.ask += stream.raw;
  }
  for (const path of ["/health", "/site/status", "/notes/series", "/agent/sessions"]) {
    channels.public += await (await visitor.request(path, { headers: HEADERS })).text();
  }
  channels.history = await (await visitor.request(`/agent/sessions/${id}`)).text();
  await everyRoute();
  // Ends the session in memory, so that its last rows are stored and streamed.
  await site.app.stop();
  await watching;
  channels.trace = live.raw;
  channels.log = site.app.log();
  await site.restart();
  const again = site.visitor();
  again.cookie = visitor.cookie;
  const replay = await again.trace(id);
  await replay.until("ready");
  channels.replay = replay.raw;
  replay.leave();
  channels.rows = (await site.dump()).filter((line) => !line.startsWith("llm_config ")).join("\n");
}, START_MS);
afterAll(() => site.stop());

/** Turns, each a list of model answers: every tool, with success and failure, and every way a provider fails. */
function conversation() {
  const tools: [string, Record<string, unknown>][] = [
    ["notes_list_series", {}],
    ["notes_list_series", { category: "none" }],
    ["notes_get_chapter", { series: "events", chapter: "saying-no" }],
    ["notes_get_chapter", { series: "none", chapter: "none" }],
    ["notes_get_chapter", { series: 1 }],
    ["notes_search", { query: "veto" }],
    ["notes_search", { query: "" }],
    ["session_rename", { title: "A name" }],
    ["session_rename", { title: "Again" }],
    ["bash", { command: "env" }],
  ];
  return [
    ...tools.map(([name, args]) => [callTool(name, args), say("Done.")]),
    [(reply: Parameters<ReturnType<typeof say>>[0]) => reply.fail(401, UPSTREAM_ERROR)],
    [(reply: Parameters<ReturnType<typeof say>>[0]) => reply.fail(404, UPSTREAM_ERROR)],
    [(reply: Parameters<ReturnType<typeof say>>[0]) => reply.fail(200, UPSTREAM_ERROR)],
    [(reply: Parameters<ReturnType<typeof say>>[0]) => reply.breakOff()],
    [say("The last word.")],
  ];
}

/** Every route of the API, called with the cookie; most refuse, and a refusal is logged like an answer. */
async function everyRoute(): Promise<void> {
  for (const { method, path } of CONTRACTS) {
    const url = path.replaceAll(/:\w+/g, () => randomUUID());
    const response = await visitor.request(url, { method, headers: HEADERS });
    channels.public += await response.text();
  }
}

describe("the marks are real", () => {
  it("the provider is called with its key and its model, and nothing of the visitor", () => {
    const { headers, body } = site.model.requests[0]!;
    expect(headers.authorization).toBe(`Bearer ${site.apiKey}`);
    expect(body.model).toBe(MARKS.model);
    const sent = JSON.stringify(site.model.requests);
    for (const mark of [visitor.cookie!.slice("xr_visitor=".length), MARKS.address, MARKS.agent]) {
      expect(sent).not.toContain(mark);
    }
  });

  it("the configuration holds them", async () => {
    const row = (await site.dump()).find((line) => line.startsWith("llm_config "))!;
    for (const mark of [
      MARKS.provider,
      MARKS.model,
      MARKS.contextWindow,
      MARKS.price,
      MARKS.dailyTokens,
      MARKS.dailyCents,
    ]) {
      expect(row).toContain(mark);
    }
  });

  it("every channel was used: tools succeeded and failed, the provider failed, and all of it was seen", () => {
    for (const name of ["ask", "trace", "replay", "history", "rows"] as const) {
      expect(channels[name], name).toContain("session_rename");
      expect(channels[name], name).toContain("The last word.");
    }
    expect(channels.ask.match(/event: error\n/g)).toHaveLength(4);
    const ends = channels.ask.match(/"isError":(true|false)/g);
    expect(ends?.map((end) => end.slice('"isError":'.length))).toEqual([
      "false",
      "false",
      "false",
      "true",
      "true",
      "false",
      "true",
      "false",
      "true",
      "true",
    ]);
    expect(channels.log).toContain('"message":"request"');
    expect(channels.public).toContain('"categories"');
  });
});

describe("never out", () => {
  const everywhere = ["ask", "trace", "replay", "history", "public", "rows"] as const;

  it.each(Object.entries(MARKS))("%s: %s", (_name, mark) => {
    for (const name of everywhere) expect(channels[name].includes(mark), name).toBe(false);
  });

  it("the provider's key, in no channel and no log", () => {
    for (const [name, text] of Object.entries(channels)) expect(text.includes(site.apiKey), name).toBe(false);
  });

  it("the provider's address", () => {
    for (const name of everywhere) expect(channels[name].includes(site.model.host), name).toBe(false);
  });

  it("cost", () => {
    for (const name of ["ask", "trace", "replay", "history", "public"] as const)
      expect(channels[name]).not.toMatch(/cost/i);
  });

  it("the visitor's cookie, in no channel and no log, though every route received it", () => {
    const token = visitor.cookie!.slice("xr_visitor=".length);
    for (const [name, text] of Object.entries(channels)) expect(text.includes(token), name).toBe(false);
  });

  it("addresses, user agents, queries and what the visitor wrote, in the log", () => {
    for (const mark of [MARKS.address, MARKS.agent, "clientId", "afterSeq", "Go on"]) {
      expect(channels.log.includes(mark), mark).toBe(false);
    }
  });

  it("absolute paths of this machine", () => {
    const root = dirname(import.meta.dir);
    for (const [name, text] of Object.entries(channels)) expect(text.includes(root), name).toBe(false);
  });
});
