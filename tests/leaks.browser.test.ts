/**
 * The leak matrix (§30): the whole product with made-up values, one conversation that uses every tool and fails in
 * every way, the raw bytes of every channel, and a search for each value in each. A value that is never seen where it
 * belongs would prove nothing, so each is first found there.
 */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inputJson } from "../apps/api/mcp/advertised";
import { TOOLS } from "../apps/api/mcp/tools/index";
import { TOOL_METAS } from "../apps/api/tools/catalogue";
import { openDatabase } from "../apps/api/database/pool";
import { logPath } from "../cli/launch.mts";
import { pathsOf } from "../cli/paths.mts";
import { type ProcessRecord, stopProcess } from "../cli/processes.mts";
import { findPython, isPython } from "../cli/python.mts";
import { startRunner } from "../cli/runner.mts";
import { seed } from "../cli/seed.mts";
import { openSkills, seedSkills } from "../cli/seed-skills.mts";
import { buildWeb } from "../cli/web-build.mts";
import { CONTRACTS } from "../shared/contracts/index";
import { newVisitor, openBrowser } from "./support/browser.mts";
import { findValue } from "./support/find-value.mts";
import { imagesAnswer, json, responsesEnding, searchingAndDrawing, streaming } from "./support/outbound-gateways.mts";
import { type Answer, type RudeServer, rudeServer } from "./support/rude-server.mts";
import { type McpSite, startMcpSite } from "./support/mcp.mts";
import { callTool, type CompletionScript, say } from "./support/openai-server.mts";
import { publish, shaOf } from "./support/source.mts";
import { sampleArguments } from "./support/tool-arguments.mts";
import { Visitor } from "./support/visitor.mts";
import type { WatchedProcess } from "./support/watched-process.mts";
import { START_MS, startWeb } from "./support/web-site.mts";

const REPOSITORY = join(import.meta.dirname, "..");
const python = await findPython();
const canRun = isPython(python) && python.landlock >= 2;
if (!canRun && process.env.CI === "true") throw new Error("scripts cannot be walled in here (./xray doctor)");

const CHANNELS = [
  "ask",
  "trace",
  "replay",
  "rows",
  "history",
  "catalogue",
  "public",
  "pages",
  "drawn",
  "file",
  "bundle",
  "mcp",
  "log",
] as const;
type Channel = (typeof CHANNELS)[number];
const EVERYWHERE = new Set<Channel>(CHANNELS);
/** Where the owner looks. */
const OWNERS = new Set<Channel>(["mcp", "log"]);
/** What the owner may see and nobody else. */
const NOT_OUT = new Set(CHANNELS.filter((channel) => !OWNERS.has(channel)));

const word = (name: string) => `${name}${randomBytes(8).toString("hex")}`;
const CONFIG = {
  provider: "zz9gw-row",
  model: "qq-17x",
  contextWindow: "543217789",
  maxOutput: "43219876",
  price: "918273645",
  dailyTokens: "987654321987",
  dailyCents: "765432198",
  maxTurns: "543129876",
  searchProvider: "zz8search-row",
  searchModel: "qq-18s",
  imageProvider: "zz7image-row",
  imageModel: "qq-19i",
  totalTimeout: "171717",
  idleTimeout: "71717",
  dailySearches: "653219871",
  dailyImages: "653219872",
  dailyRuns: "653219873",
  runTimeout: "29317",
};
/** What the day has used before the conversation: tokens, cost, searches, pictures, runs. */
const USED = ["765123498000", "675123498000", "365123498", "365123497", "365123496"];
/** And after it. */
let used: string[];
const KEYS = { search: `5ea4c4${randomBytes(16).toString("hex")}`, image: `14a6e0${randomBytes(16).toString("hex")}` };
const UPSTREAM_TEXT = word("upstream");
const UPSTREAM_HOST = "zz9gw.example";
const LONG_TAIL = word("tail");
const ANOTHERS_WORDS = word("another");
const VISITORS_WORDS = word("visitor");
const ADDRESS = "203.0.113.77";
const AGENT = "MarkUA/1";
const HEADERS = { "x-forwarded-for": ADDRESS, "user-agent": AGENT };

const home = mkdtempSync(join(tmpdir(), "xray-leaks-"));
const paths = pathsOf({ XRAY_HOME: home });
let runner: ProcessRecord | undefined;
let site: McpSite;
let gateway: RudeServer;
let web: WatchedProcess;
let visitor: Visitor;
/** Raw bytes by channel. */
const channels = Object.fromEntries(CHANNELS.map((channel) => [channel, ""])) as Record<Channel, string>;
/** Names of the tools that were seen to end well, and to fail. */
const ended = { well: new Set<string>(), badly: new Set<string>() };

beforeAll(async () => {
  await buildWeb(pathsOf(), AbortSignal.timeout(START_MS), () => {});
  site = await startMarkedSite();
  web = startWeb(site.app.url);
  visitor = new Visitor(`${await web.url()}/api`);
  const another = new Visitor(`${await web.url()}/api`);
  await (await another.ask(ANOTHERS_WORDS)).rest();

  const { body } = await visitor.post("/agent/sessions", {}, HEADERS);
  const id = body.session.id;
  const live = await visitor.trace(id);
  const watching = live.rest();
  for (const scripts of conversation()) {
    for (const script of scripts) site.model.next(script);
    const stream = await visitor.open("/agent/ask", {
      method: "POST",
      headers: { "content-type": "application/json", ...HEADERS },
      body: JSON.stringify({ prompt: VISITORS_WORDS, sessionId: id }),
    });
    noteEnds(await stream.rest());
    channels.ask += headersOf(stream.response) + stream.raw;
  }
  const [day] = await site.sql("SELECT tokens, cost_micros, searches, images, skill_runs FROM daily_quota");
  used = Object.values(day).map(String);
  channels.history = await read(`/api/agent/sessions/${id}`);
  channels.catalogue = await read("/api/agent/tools");
  await everyRoute();
  await everyPage();
  await everyDrawnPage(id);
  await everyAdminTool();
  channels.bundle = textOfFolder(join(REPOSITORY, "apps/web/.next/static"));
  // Ends the session in memory, so that its last rows are stored and streamed.
  await site.app.stop();
  await watching;
  channels.trace = headersOf(live.response) + live.raw;
  channels.log = site.app.log() + web.log() + (runner ? readFileSync(logPath(paths, "runner"), "utf8") : "");
  await site.restart();
  const again = site.visitor();
  again.cookie = visitor.cookie;
  const replay = await again.trace(id);
  await replay.until("ready");
  channels.replay = replay.raw;
  replay.leave();
  const config = /^(llm_config|websearch_config|imagegen_config|sandbox_config|daily_quota|mcp_audit) /;
  const rows = (await site.dump()).filter((line) => !config.test(line) && !line.includes(ANOTHERS_WORDS));
  channels.rows = rows.join("\n");
}, START_MS);
afterAll(async () => {
  await web?.stop();
  if (runner) await stopProcess(runner, "SIGTERM", 5_000);
  await site?.stop();
  await gateway?.close();
  for (const path of [home, paths.cluster]) rmSync(path, { recursive: true, force: true });
});

async function startMarkedSite(): Promise<McpSite> {
  gateway = await rudeServer(wellAndBadly);
  const env: Record<string, string> = {
    XRAY_UNLOCK_DANGEROUS_TOOLS: "1",
    XRAY_WEBSEARCH_EXTRA_HOSTS: new URL(gateway.origin).host,
    XRAY_IMAGEGEN_EXTRA_HOSTS: new URL(gateway.origin).host,
  };
  if (canRun) {
    const started = await startRunner(paths, {
      signal: new AbortController().signal,
      onProcess: (process) => (runner = process),
    });
    if ("absent" in started) throw new Error(started.absent);
    env.XRAY_SKILL_RUNNER_URL = started.url;
  }
  const price = Number(CONFIG.price);
  const marked = await startMcpSite({
    env,
    provider: {
      provider: CONFIG.provider,
      modelId: CONFIG.model,
      models: [
        {
          id: CONFIG.model,
          contextWindow: Number(CONFIG.contextWindow),
          maxOutput: Number(CONFIG.maxOutput),
          price: { input: price, output: price, cacheRead: 0, cacheWrite: 0 },
        },
      ],
      dailyTokenLimit: Number(CONFIG.dailyTokens),
      dailyCostLimitCents: Number(CONFIG.dailyCents),
      maxTurnsPerSession: Number(CONFIG.maxTurns),
    },
  });
  const timers = { totalTimeoutMs: Number(CONFIG.totalTimeout), idleTimeoutMs: Number(CONFIG.idleTimeout) };
  const baseUrl = `${gateway.origin}/${UPSTREAM_HOST}`;
  await marked.mcp.ok("websearch_provider_upsert", {
    ...{
      provider: CONFIG.searchProvider,
      modelId: CONFIG.searchModel,
      apiKey: KEYS.search,
      baseUrl,
      makeDefault: true,
    },
    ...{ ...timers, dailySearchLimit: Number(CONFIG.dailySearches) },
  });
  await marked.mcp.ok("imagegen_provider_upsert", {
    ...{ provider: CONFIG.imageProvider, modelId: CONFIG.imageModel, apiKey: KEYS.image, baseUrl, makeDefault: true },
    ...{ ...timers, dailyImageLimit: Number(CONFIG.dailyImages) },
  });
  await marked.sql("UPDATE sandbox_config SET daily_run_limit = $1, total_timeout_ms = $2", [
    CONFIG.dailyRuns,
    CONFIG.runTimeout,
  ]);
  await marked.sql(
    `INSERT INTO daily_quota (day, tokens, cost_micros, searches, images, skill_runs)
      VALUES ((now() AT TIME ZONE 'Asia/Shanghai')::date, $1, $2, $3, $4, $5)`,
    USED,
  );
  const db = openDatabase(marked.database.appUrl);
  const log = () => {};
  await seed({ db, log });
  await publish(db, shaOf("a"), { "src/a.ts": "export const answer = 42;\n", "README.md": "# Read me\n" });
  await seedSkills({ db, log, root: REPOSITORY, ledger: paths.skills, repo: "owner/repo" });
  await openSkills({ db, log, ledger: paths.skills });
  await db.close();
  await marked.sql("UPDATE tool_config SET enabled = TRUE");
  return marked;
}

/** A service that fails in the way that the question names, and says on that occasion what it should not. */
const wellAndBadly: Answer = (response, request) => {
  // It knows the key that it was sent, and says it.
  const gossip = `${UPSTREAM_TEXT} at https://${UPSTREAM_HOST} with ${request.headers.authorization}`;
  const way = /fail-(\w+)/.exec(request.body)?.[1];
  switch (way) {
    case "status":
      return json({ error: { message: gossip } }, 401)(response, request);
    case "stream":
      return streaming(responsesEnding("response.failed", { error: { message: gossip } }))(response, request);
    case "redirect":
      return response.writeHead(302, { location: `https://${UPSTREAM_HOST}/${UPSTREAM_TEXT}` }).end();
    case "page":
      return json(imagesAnswer(Buffer.from(`<html>${gossip}</html>`)))(response, request);
    case "link":
      return json({ data: [{ url: `https://${UPSTREAM_HOST}/picture.png` }] })(response, request);
    default:
      return searchingAndDrawing(response, request);
  }
};

/** Turns, each a list of model answers: every tool, with success and failure, and every way a provider fails. */
function conversation(): CompletionScript[][] {
  const long = `${"x".repeat(5_000)}${LONG_TAIL}`;
  const run = (script: string, input: unknown) => ({ skill: "text-tools", script, input: JSON.stringify(input) });
  const failing =
    (name: string, field: string) =>
    (way: string): [string, Record<string, unknown>] => [name, { [field]: `fail-${way}` }];
  const tools: [string, Record<string, unknown>][] = [
    ["notes_list_series", {}],
    ["notes_list_series", { category: long }],
    ["notes_get_chapter", { series: "events", chapter: "saying-no" }],
    ["notes_get_chapter", { series: "none", chapter: "none" }],
    ["notes_get_chapter", { series: 1 }],
    ["notes_search", { query: "veto" }],
    ["notes_search", { query: long }],
    ["source_list", {}],
    ["source_list", { prefix: long }],
    ["source_read", { file: "src/a.ts" }],
    ["source_read", { file: "../../etc/passwd" }],
    ["source_search", { query: "answer" }],
    ["source_search", { query: "" }],
    ["skill_load", { name: "text-tools" }],
    ["skill_load", { name: "none" }],
    ["skill_run", run("word_frequency.py", { text: "to be or not to be" })],
    ["skill_run", run("word_cloud.py", {})],
    ["skill_run", run("try_regex.py", { pattern: "(a+)+$", text: `${"a".repeat(60)}!` })],
    ["web_search", { query: "what is new" }],
    ["web_search", { query: "" }],
    ...["status", "stream", "redirect"].map(failing("web_search", "query")),
    ["generate_image", { prompt: "a map" }],
    ["generate_image", { prompt: "" }],
    ...["status", "redirect", "page", "link"].map(failing("generate_image", "prompt")),
    ["session_rename", { title: "A name" }],
    ["session_rename", { title: "Again" }],
    ["bash", { command: "env" }],
  ];
  const upstream = JSON.stringify({
    error: { message: `${UPSTREAM_TEXT} at https://${UPSTREAM_HOST}/v1 for model ${CONFIG.model}` },
  });
  return [
    ...tools.map(([name, args]) => [callTool(name, args), say("Done.")]),
    [(reply) => reply.fail(401, upstream)],
    [(reply) => reply.fail(404, upstream)],
    [(reply) => reply.fail(200, upstream)],
    [(reply) => reply.breakOff()],
    [say("The last word.")],
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: whatever a frame holds.
function noteEnds(frames: readonly { event: string; data: any }[]): void {
  const names = new Map<string, string>();
  for (const { event, data } of frames) {
    if (event === "tool_start") names.set(data.toolCallId, data.name);
    if (event === "tool_end") (data.isError ? ended.badly : ended.well).add(names.get(data.toolCallId)!);
  }
}

/** Without the one header that is there to carry the cookie. */
function headersOf(response: Response): string {
  return [...response.headers]
    .flatMap(([name, value]) => (name === "set-cookie" ? [] : [`${name}: ${value}\n`]))
    .join("");
}

/** Status line, headers and body of what the visitor's browser would get. */
async function read(path: string, init: RequestInit = {}): Promise<string> {
  const headers = { ...HEADERS, cookie: visitor.cookie ?? "" };
  const response = await fetch((await web.url()) + path, { headers, redirect: "manual", ...init });
  return `${response.status}\n${headersOf(response)}\n${await response.text()}\n`;
}

/** Every route of the API, called with the cookie; most refuse, and a refusal is logged like an answer. */
async function everyRoute(): Promise<void> {
  for (const { method, path } of CONTRACTS) {
    channels.public += await read(`/api${path.replaceAll(/:\w+/g, () => randomUUID())}`, { method });
  }
}

async function everyPage(): Promise<void> {
  const pages = ["/", "/notes", "/notes/events", "/notes/events/saying-no", "/skills", "/skills/text-tools", "/source"];
  for (const path of [
    ...pages,
    "/source/src/a.ts",
    "/source?q=answer",
    "/about",
    "/nothing",
    "/robots.txt",
    "/sitemap.xml",
  ]) {
    channels.pages += await read(path);
    channels.pages += await read(path, { headers: { ...HEADERS, cookie: visitor.cookie ?? "", rsc: "1" } });
  }
}

/** The pages of a session, as the visitor's browser has drawn them, and the file that it saves. */
async function everyDrawnPage(sessionId: string): Promise<void> {
  const browser = await openBrowser();
  const url = await web.url();
  const { page } = await newVisitor(browser, { userAgent: AGENT, extraHTTPHeaders: { "x-forwarded-for": ADDRESS } });
  await page.context().addCookies([{ name: "xr_visitor", value: visitor.cookie!.slice("xr_visitor=".length), url }]);
  await page.addInitScript((id) => sessionStorage.setItem("xr_session", id), sessionId);
  for (const path of ["/", "/report"]) {
    await page.goto(url + path);
    await page.getByText("agent_settled").last().waitFor();
    channels.drawn += await page.content();
  }
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the events (JSON)" }).click();
  channels.file = readFileSync(await (await saving).path(), "utf8");
  await browser.close();
}

/** Reading tools only: a writing one would put the samples of the test in the place of the marks. */
async function everyAdminTool(): Promise<void> {
  for (const tool of TOOLS) {
    channels.mcp += (await site.mcp.call(tool.name, {})).wire.text;
    if (tool.effect !== "read") continue;
    channels.mcp += (await site.mcp.call(tool.name, sampleArguments(tool, inputJson(tool)))).wire.text;
  }
  channels.mcp += JSON.stringify(await site.audit());
}

function textOfFolder(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1")).join("\n");
}

describe("the marks are real", () => {
  it("the provider is called with its key and its model, and nothing of the visitor but the words", () => {
    const { headers, body } = site.model.requests[0]!;
    expect(headers.authorization).toBe(`Bearer ${site.apiKey}`);
    expect(body.model).toBe(CONFIG.model);
    const sent = JSON.stringify(site.model.requests);
    expect(sent).toContain(VISITORS_WORDS);
    for (const mark of [visitor.cookie!.slice("xr_visitor=".length), ADDRESS, AGENT]) expect(sent).not.toContain(mark);
  });

  it("the service is called with its keys and models, and fails in each way that it was asked to", () => {
    const keys = new Set(gateway.seen.map(({ headers }) => headers.authorization));
    expect(keys).toEqual(new Set([`Bearer ${KEYS.search}`, `Bearer ${KEYS.image}`]));
    const ways = gateway.seen.flatMap(({ body }) => /fail-\w+/.exec(body) ?? []);
    expect(ways).toEqual(
      ["status", "stream", "redirect", "status", "redirect", "page", "link"].map((way) => `fail-${way}`),
    );
  });

  it("the owner sees what is the owner's", async () => {
    const seen = channels.mcp + (await site.dump()).join("\n");
    for (const [name, mark] of Object.entries(CONFIG)) expect([name, seen.includes(mark)]).toEqual([name, true]);
    for (const number of used) expect(seen).toContain(number);
    expect(used).not.toEqual(USED);
  });

  it("every tool there is was called and failed, and ended well where it could", () => {
    const names = TOOL_METAS.map(({ name }) => name).filter((name) => canRun || !name.startsWith("skill_"));
    expect([...names].filter((name) => !ended.badly.has(name))).toEqual([]);
    expect([...names].filter((name) => !ended.well.has(name))).toEqual([]);
  });

  it("every channel was used", () => {
    for (const name of ["ask", "trace", "replay", "history", "rows", "drawn", "file"] as const) {
      expect(channels[name], name).toContain("session_rename");
      expect(channels[name], name).toContain("The last word.");
    }
    expect(channels.ask.match(/event: error\n/g)).toHaveLength(4);
    expect(channels.log).toContain('"message":"request"');
    expect(channels.public).toContain('"categories"');
    expect(channels.pages).toContain("saying-no");
    expect(channels.catalogue).toContain("notes_search");
    expect(channels.mcp).toContain("websearch_provider_upsert");
    expect(channels.bundle.length).toBeGreaterThan(100_000);
  });
});

/** What must be nowhere, where that is, and what it is looked for by (§30). */
const MATRIX: [name: string, channels: ReadonlySet<Channel>, values: () => string[]][] = [
  ["a provider's key", EVERYWHERE, () => [site.apiKey, KEYS.search, KEYS.image]],
  ["the key of the configuration", EVERYWHERE, () => [site.configKey]],
  ...Object.entries(CONFIG).map(([name, value]): (typeof MATRIX)[number] => [name, NOT_OUT, () => [value]]),
  ["what the day has used", NOT_OUT, () => [...USED, ...used]],
  ["the address of a provider or service", NOT_OUT, () => [site.model.host, new URL(gateway.origin).host]],
  ["a host in an address, or named by upstream", NOT_OUT, () => [UPSTREAM_HOST]],
  ["what upstream said", new Set(CHANNELS.filter((name) => name !== "log")), () => [UPSTREAM_TEXT]],
  ["the end of a long argument", EVERYWHERE, () => [LONG_TAIL]],
  ["the visitor's cookie", EVERYWHERE, () => [visitor.cookie!.slice("xr_visitor=".length)]],
  ["a token of the owner", EVERYWHERE, () => Object.values(site.tokens)],
  ["a visitor's address", EVERYWHERE, () => [ADDRESS]],
  ["a visitor's user agent", EVERYWHERE, () => [AGENT]],
  ["another visitor's words", EVERYWHERE, () => [ANOTHERS_WORDS]],
  ["the visitor's words", new Set(["catalogue", "public", "pages", "bundle", "mcp", "log"]), () => [VISITORS_WORDS]],
  ["a folder of this machine", EVERYWHERE, () => [REPOSITORY, home]],
  ["a place in a program", EVERYWHERE, () => ["Traceback (most recent", "/opt/skills", "/run/work", "site-packages"]],
];

describe("never out", () => {
  it.each(MATRIX)("%s", (_name, where, values) => {
    for (const value of values()) {
      const found = [...where].flatMap((channel) => {
        const context = findValue(channels[channel], value);
        return context === undefined ? [] : [{ channel, context }];
      });
      expect(found).toEqual([]);
    }
  });

  it("cost, as a word or a number", () => {
    for (const name of ["ask", "trace", "replay", "history", "public", "file"] as const) {
      expect(channels[name]).not.toMatch(/cost/i);
    }
  });

  it("which tools are on, as data", () => {
    expect(channels.catalogue).not.toMatch(/enabled|dangerous|available/i);
  });

  it("queries and cursors, in the log", () => {
    expect(channels.log).not.toMatch(/clientId|afterSeq/);
  });
});
