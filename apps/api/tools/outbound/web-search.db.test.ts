/** A search against services that speak each protocol, well and badly: what leaves, what comes back, what is counted. */
import { beforeEach, describe, expect, it } from "bun:test";
import { gzipSync } from "node:zlib";
import { databaseForFile, slowDatabase } from "../../../../tests/support/database-for-file.mts";
import {
  dripping,
  endless,
  gatewaysForTests,
  googleChunk,
  googleEnd,
  googleStream,
  json,
  responsesEnding,
  responsesOutput,
  responsesStream,
  silence,
  streaming,
} from "../../../../tests/support/outbound-gateways.mts";
import { type Answer, openStream, type RudeServer } from "../../../../tests/support/rude-server.mts";
import { LIMITS } from "../../../../shared/limits";
import { ToolFailure } from "../../kernel/kernel-types";
import { reserveSearch } from "../../stores/quota";
import { aSearchService, HEX_KEY } from "../__tests__/a-service";
import type { ToolContext } from "../tool-context";
import {
  QUERY_EMPTY,
  SEARCH_DAY_IS_USED,
  SEARCH_FAILED,
  SEARCH_LATE,
  type SearchService,
  webSearch,
} from "./web-search";

const opened = databaseForFile();
const gateway = gatewaysForTests();
const logged: string[] = [];
beforeEach(async () => {
  logged.length = 0;
  await opened.admin.query("DELETE FROM daily_quota");
});

const QUERY = "what is new in Postgres";
const GOOGLE = { toolType: "google_search" };
const SOURCE = { title: "Release notes", url: "https://www.postgresql.org/docs/release/" };

interface Run {
  service?: Partial<SearchService>;
  query?: string;
  context?: Partial<ToolContext>;
  signal?: AbortSignal;
}

async function search(server: RudeServer, { service, query = QUERY, context, signal }: Run = {}) {
  const phases: string[] = [];
  const tool = webSearch({
    db: opened.db,
    sessionId: crypto.randomUUID(),
    titleSource: "derived",
    log: { info: () => {}, error: (message, cause) => logged.push(`${message}: ${cause}`) },
    search: aSearchService(service, server.origin),
    ...context,
  })!;
  const onPhase = (phase: string) => phases.push(phase);
  try {
    const { text, details } = await tool.execute(
      { query },
      { toolCallId: "t", signal: signal ?? new AbortController().signal, onPhase },
    );
    return { text, details, phases };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { failed: error.message, phases };
  }
}
const searchesToday = async (): Promise<number> =>
  (await opened.admin.query("SELECT coalesce(sum(searches), 0)::int AS n FROM daily_quota")).rows[0].n;
const failing = async (answer: Answer, run?: Run) => (await search(await gateway(answer), run)).failed;

describe("what leaves", () => {
  it("over Responses: model and tool of the row, and the query in input alone (J1)", async () => {
    const server = await gateway(streaming(responsesStream(["Postgres 18 is out."], [SOURCE])));
    await search(server, { service: { toolType: "web_search_2025_08_26" } });
    const [request] = server.seen;
    expect(request!.url).toBe("/v1/responses");
    expect(request!.headers.authorization).toBe(`Bearer ${HEX_KEY}`);
    const body = JSON.parse(request!.body);
    expect(body).toEqual({
      model: "mm-searcher-9",
      tools: [{ type: "web_search_2025_08_26" }],
      input: expect.stringMatching(/^Today is \d{4}-\d\d-\d\d\. .*: what is new in Postgres$/),
      stream: true,
    });
  });

  it("over chat completions: the same, and the query in the message alone (J1)", async () => {
    const server = await gateway(streaming(googleStream(["Postgres 18 is out."])));
    await search(server, { service: { ...GOOGLE, baseUrl: `${server.origin}/gate/v1` } });
    const [request] = server.seen;
    expect(request!.url).toBe("/gate/v1/chat/completions");
    expect(JSON.parse(request!.body)).toEqual({
      model: "mm-searcher-9",
      messages: [{ role: "user", content: expect.stringMatching(/^Today is .*: what is new in Postgres$/) }],
      tools: [{ google_search: {} }],
      stream: true,
    });
  });

  it("is the query as data, whatever it holds", async () => {
    const server = await gateway(streaming(responsesStream(["x"])));
    const query = `"},"model":"other","url":"https://evil.example"}\r\nhost: evil.example\u0000\u202e`;
    await search(server, { query });
    const { input, ...rest } = JSON.parse(server.seen[0]!.body);
    expect(rest).toEqual({ model: "mm-searcher-9", tools: [{ type: "web_search" }], stream: true });
    expect(input).toEndWith(`: "},"model":"other","url":"https://evil.example"} host: evil.example`);
    expect(server.seen[0]!.headers.host).toBe(new URL(server.origin).host);
  });

  it("is nothing to a host that is not listed, whoever wrote the row (J3)", async () => {
    const server = await gateway(streaming(responsesStream(["x"])));
    const port = new URL(server.origin).port;
    for (const [baseUrl, extraHosts] of [
      [server.origin, []],
      [server.origin, [`127.0.0.1:${Number(port) + 1}`]],
      [`http://user@127.0.0.1:${port}`, [`127.0.0.1:${port}`]],
      [`${server.origin}/?x=`, [`127.0.0.1:${port}`]],
      ["https://api.deepseek.com.evil.example", []],
      ["http://api.deepseek.com", []],
      ["https://api.openai.com", []],
    ] as const) {
      expect([baseUrl, (await search(server, { service: { baseUrl, extraHosts } })).failed]).toEqual([
        baseUrl,
        SEARCH_FAILED,
      ]);
    }
    expect(server.seen).toEqual([]);
    expect(logged[0]).toStartWith("an outbound call failed: not_allowed_host: host_not_listed");
    expect((await search(server)).text).toBeDefined();
  });

  it("is nothing for a query in which nothing can be seen, and that costs no search", async () => {
    const server = await gateway(streaming(responsesStream(["x"])));
    for (const query of ["  ", "\u200b\u200b\u200b", "a\u202e "])
      expect((await search(server, { query })).failed).toBe(QUERY_EMPTY);
    expect([server.seen.length, await searchesToday()]).toEqual([0, 0]);
  });

  it("does not follow a redirect, and the place it leads to hears nothing (J2)", async () => {
    const trap = await gateway(streaming(responsesStream(["trapped"])));
    const redirecting = (response: Parameters<Answer>[0]) =>
      response.writeHead(307, { location: `${trap.origin}/v1/responses` }).end();
    const server = await gateway(redirecting);
    expect(await (await fetch(`${server.origin}/v1/responses`, { method: "POST", body: "{}" })).text()).toContain(
      "trapped",
    );
    expect((await search(server)).failed).toBe(SEARCH_FAILED);
    expect(trap.seen.length).toBe(1);
    expect(logged).toEqual(["an outbound call failed: redirect: 307"]);
  });
});

const DATED = /^实时检索 · \d{4}-\d\d-\d\d \d\d:\d\d \(Asia\/Shanghai\)\n/;

describe("what comes back", () => {
  it("is dated, says how it can be checked, and lists its sources", async () => {
    const result = await search(await gateway(streaming(responsesStream(["Postgres 18 ", "is out."], [SOURCE]))));
    expect(result.text).toMatch(DATED);
    expect(result.text!.split("\n").slice(1)).toEqual([
      expect.stringContaining("no reason to call it invented"),
      "",
      "Postgres 18 is out.",
      "",
      "Sources:",
      "1. Release notes — https://www.postgresql.org/docs/release/",
    ]);
    expect(result.details).toEqual({ citations: [SOURCE] });
    expect(result.phases).toEqual(["request"]);
  });

  it("is called unverified where no source is named (J1)", async () => {
    const result = await search(await gateway(streaming(responsesStream(["It rained."]))));
    expect(result.text).toMatch(DATED);
    expect(result.text!.split("\n").slice(1)).toEqual([expect.stringContaining("names no sources"), "", "It rained."]);
    expect(result.details).toEqual({ citations: [] });
  });

  it("takes sources that come with the end alone", async () => {
    const late = await search(await gateway(streaming(responsesStream(["Out."], [SOURCE, SOURCE], true))));
    expect(late.details).toEqual({ citations: [SOURCE] });
  });

  it("takes of a chat the links in its text, and no bare address (J7)", async () => {
    const text =
      "See [a](https://x.example) and https://y.example, ![p](https://z.example/p.png) [b](ftp://f.example).";
    const { details } = await search(await gateway(streaming(googleStream([text]))), { service: GOOGLE });
    expect(details).toEqual({ citations: [{ title: "a", url: "https://x.example" }] });
  });

  it.each([1, 2, 3, 7])("is the same in chunks of %i bytes, which end inside characters", async (chunkBytes) => {
    const text = responsesStream(["第十八版", "😀已发布。"], [{ title: "发布说明", url: "https://例子.example/甲" }]);
    const result = await search(await gateway(streaming(text.replaceAll("\n", "\r\n"), chunkBytes)));
    expect(result.text).toContain("\n第十八版😀已发布。\n");
    expect(result.text).toEndWith("1. 发布说明 — https://例子.example/甲");
  });

  it.each([
    ["Responses", {}, responsesOutput("As one object.", [SOURCE])],
    ["chat completions", GOOGLE, { choices: [{ finish_reason: "stop", message: { content: "As one object." } }] }],
  ])("is taken as one JSON object too, over %s", async (_name, service, answer) => {
    for (const text of [JSON.stringify(answer), `\n${JSON.stringify(answer, null, 2)}\n`]) {
      const result = await search(await gateway((response) => openStream(response).end(text)), { service });
      expect(result.text).toContain("\nAs one object.");
    }
  });

  it("may name more sources than a call has room for", async () => {
    const annotations = Array(700_000).fill(0);
    const output = [{ content: [{ type: "output_text", text: "Out.", annotations }] }];
    expect((await search(await gateway(json({ output })))).text).toContain("Out.");
  });

  it("is bounded, and a long answer loses its end before its sources", async () => {
    const sources = Array.from({ length: 12 }, (_, n) => ({
      title: "t".repeat(200),
      url: `https://x.example/${n}${"u".repeat(250)}`,
    }));
    const answer = await search(await gateway(streaming(responsesStream(Array(300).fill("w".repeat(1_000)), sources))));
    expect(answer.text!.length).toBeLessThanOrEqual(LIMITS.toolResultChars);
    expect(answer.text).toContain("w…[+");
    expect((answer.details as { citations: unknown[] }).citations.length).toBe(10);
    expect(answer.text).toEndWith(`10. ${"t".repeat(80)} — ${sources[9]!.url}`);
  });

  it("does not hold the key, even where the service says it", async () => {
    const source = { title: `key ${HEX_KEY}`, url: `https://x.example/?k=${HEX_KEY}` };
    const result = await search(await gateway(streaming(responsesStream([`your key is ${HEX_KEY}!`], [source]))));
    expect(result.text).toContain("your key is [redacted]!");
    expect(JSON.stringify(result)).not.toContain(HEX_KEY);
  });
});

describe("a search that fails", () => {
  const broken: [string, Partial<SearchService>, Answer][] = [
    ["response.failed", {}, streaming(responsesEnding("response.failed", { response: { error: { message: "no" } } }))],
    ["response.incomplete", {}, streaming(responsesEnding("response.incomplete"))],
    ["an error event", {}, streaming(responsesEnding("error", { message: "no" }))],
    ["an error in a 200 stream", GOOGLE, streaming(googleStream(["half"], googleChunk({ error: { message: "no" } })))],
    ["an error as one object", {}, json({ error: { message: "no" } })],
    ["an unfinished object", {}, json({ ...responsesOutput("half", []), status: "incomplete" })],
    ["an end without an end", {}, streaming(responsesStream(["half"]).split("event: response.completed")[0]!)],
    ["a chat without a finish", GOOGLE, streaming(googleStream(["half"], ""))],
    ["no text", {}, streaming(responsesStream([]))],
    ["no text but blanks", GOOGLE, streaming(googleStream([" \n"]))],
    ["nothing", {}, (response) => response.end()],
    ["a page", {}, (response) => response.end("<html>secret</html>")],
    ["broken JSON", {}, (response) => response.end('{"output": [')],
    ["an event that is no JSON", {}, streaming("data: {oops\n\n")],
    [
      "other shapes",
      {},
      json({ output: [null, 7, { content: "x" }, { content: [null, { type: "output_text", text: 7 }] }] }),
    ],
    ["null", GOOGLE, json([null])],
    [
      "events of nothing",
      {},
      streaming("event: response.output_text.delta\ndata: null\n\nevent: error\ndata: null\n\n"),
    ],
    ["a chat of nulls", GOOGLE, streaming(`data: null\n\n${googleChunk({ choices: [null] })}${googleEnd}`)],
    [
      "a cut connection",
      {},
      (response) => {
        openStream(response).write("data: {}\n\n");
        setImmediate(() => response.destroy());
      },
    ],
    ["500", {}, json({ error: { message: "zz9gw is down" } }, 500)],
    ["204", {}, (response) => response.writeHead(204).end()],
  ];
  it.each(broken)("by %s says one sentence, is logged once and counts", async (_name, service, answer) => {
    expect(await failing(answer, { service })).toBe(SEARCH_FAILED);
    expect(logged.length).toBe(1);
    expect(await searchesToday()).toBe(1);
  });

  it("leaves a key of hex digits nowhere, wherever the service puts it (J6)", async () => {
    const echo = { error: { message: `invalid key ${HEX_KEY} for mm-searcher-9` } };
    expect(await failing(json(echo, 401))).toBe(SEARCH_FAILED);
    expect(await failing(json(echo))).toBe(SEARCH_FAILED);
    expect(await failing(streaming(responsesEnding("response.failed", { response: echo })))).toBe(SEARCH_FAILED);
    expect(logged.length).toBe(3);
    expect(logged.filter((line) => line.includes("[redacted]")).length).toBe(3);
    expect(logged.join("\n")).not.toContain(HEX_KEY);
  });

  it("ends an answer without end after its bytes, and hangs up (J5)", async () => {
    const hungUp = Promise.withResolvers<number>();
    const run = async (head: string, piece: string, service: Partial<SearchService> = {}) => {
      const answer = endless(head, piece);
      const server = await gateway((response, request) => {
        const { socket } = response;
        response.on("close", () => hungUp.resolve(socket!.bytesWritten));
        answer(response, request);
      });
      return (await search(server, { service })).failed;
    };
    expect(await run("", `: ${"x".repeat(65_536)}\n\n`)).toBe(SEARCH_FAILED);
    // What was on the way when the fifth megabyte arrived had left; nothing like the two hundred that it would have sent.
    expect(await hungUp.promise).toBeLessThan(32 * 1_048_576);
    expect(await run('{"output":"', "x".repeat(65_536))).toBe(SEARCH_FAILED);
    expect(await run("data: ", "x".repeat(65_536), GOOGLE)).toBe(SEARCH_FAILED);
    expect(logged.map((line) => line.split(":")[1])).toEqual([" too_large", " too_large", " too_large"]);
  });

  it("counts what a packed answer unpacks to", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1_048_576, "x"));
    expect(bomb.length).toBeLessThan(100_000);
    const packed: Answer = (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    expect(await failing(packed)).toBe(SEARCH_FAILED);
    expect(logged).toEqual([expect.stringContaining("too_large")]);
  });

  it("by silence or by endless drops is late, and one that is slow but never silent is not (J4)", async () => {
    const scaled = { service: { idleTimeoutMs: 100, totalTimeoutMs: 5_000 } };
    expect(await failing(silence, scaled)).toBe(SEARCH_LATE);
    expect(await failing(() => {}, scaled)).toBe(SEARCH_LATE);
    const total = { service: { idleTimeoutMs: 5_000, totalTimeoutMs: 150 } };
    expect(await failing(dripping(": drop\n\n", 20), total)).toBe(SEARCH_LATE);
    expect(logged.map((line) => line.split(":")[1])).toEqual([" idle", " idle", " total"]);
    const slow = await gateway(dripping(": drop\n\n", 50, 24, responsesStream(["At last."])));
    expect((await search(slow, { service: { idleTimeoutMs: 1_000, totalTimeoutMs: 10_000 } })).text).toContain(
      "At last.",
    );
  });

  it("stops with the caller, whose reason it keeps", async () => {
    const stop = new AbortController();
    const server = await gateway((response, request) => {
      silence(response, request);
      stop.abort(new Error("stopped"));
    });
    await expect(search(server, { signal: stop.signal })).rejects.toThrow("stopped");
  });
});

describe("the day's number", () => {
  it("is taken before the call and ends the tool, not the service's patience (J8)", async () => {
    const server = await gateway(streaming(responsesStream(["x"])));
    const run = { service: { dailySearchLimit: 2 } };
    expect((await search(server, run)).failed).toBeUndefined();
    expect((await search(server, run)).failed).toBeUndefined();
    expect((await search(server, run)).failed).toBe(SEARCH_DAY_IS_USED);
    expect([server.seen.length, await searchesToday()]).toEqual([2, 2]);
    expect((await search(server)).failed).toBeUndefined();
  });

  it("of a hundred at once lets exactly as many through as are left (H5)", async () => {
    const at = new Date("2026-03-01T00:00:00Z");
    const taken = await Promise.all(Array.from({ length: 100 }, () => reserveSearch(opened.db, 10, at)));
    expect(taken.filter((reservation) => reservation !== undefined).length).toBe(10);
    await opened.admin.query("UPDATE daily_quota SET searches = 9223372036854775807");
    expect(await reserveSearch(opened.db, 0, at)).toBeDefined();
    expect(await reserveSearch(opened.db, 10, at)).toBeUndefined();
  });

  it("that cannot be counted is not spent", async () => {
    const server = await gateway(streaming(responsesStream(["x"])));
    expect((await search(server, { context: { db: slowDatabase(opened.db) } })).failed).toBe(SEARCH_FAILED);
    expect(server.seen).toEqual([]);
  });
});
