/**
 * What must never come out: a provider's key, the server's own secrets, a token, a visitor's words (§21.3, U4). They are
 * planted; then every tool is called with fitting, empty and hostile arguments, and every byte of every answer, of the
 * audit and of the log is searched for them.
 */
import { afterAll, beforeAll, expect, it } from "bun:test";
import { randomBytes } from "node:crypto";
import { inputJson } from "../../apps/api/mcp/advertised";
import { TOOLS } from "../../apps/api/mcp/tools/index";
import { type McpSite, startMcpSite } from "../support/mcp.mts";
import { START_MS } from "../support/site.mts";
import { sampleArguments } from "../support/tool-arguments.mts";

let site: McpSite;
const visitorsWords = `visitor-words-${randomBytes(8).toString("hex")}`;
const sentKey = `sk-sent-${randomBytes(16).toString("hex")}`;
const otherKey = `sk-other-${randomBytes(16).toString("hex")}`;
const answers: string[] = [];

beforeAll(async () => {
  site = await startMcpSite();
  for (const [family, host] of [
    ["websearch", "api.deepseek.com"],
    ["imagegen", "api.openai.com"],
  ]) {
    const row = { provider: "main", apiKey: otherKey, baseUrl: `https://${host}`, modelId: "m" };
    await site.mcp.ok(`${family}_provider_upsert`, row);
  }
  const stream = await site.visitor().ask(`Please repeat: ${visitorsWords}`);
  await stream.rest();
}, START_MS);
afterAll(() => site.stop());

/** Values that no client may see, each with what it is. */
const planted = (): [string, string][] => [
  ["the provider's key", site.apiKey],
  ["the key of search and pictures", otherKey],
  ["the configuration's key", site.configKey],
  ["a visitor's words", visitorsWords],
  ...Object.entries(site.tokens).map(([name, token]): [string, string] => [`the token ${name}`, token]),
];

const hostile = (names: string[]): unknown[] => [
  {},
  { __proto__: null, constructor: sentKey, noSuchArgument: sentKey },
  Object.fromEntries(names.map((name) => [name, sentKey])),
  Object.fromEntries(names.map((name) => [name, null])),
  Object.fromEntries(names.map((name) => [name, -1])),
  Object.fromEntries(names.map((name) => [name, [sentKey, { [sentKey]: sentKey }]])),
  Object.fromEntries(names.map((name) => [name, "'; DROP TABLE sessions; --"])),
  Object.fromEntries(names.map((name) => [name, "../../etc/passwd"])),
  Object.fromEntries(names.map((name) => [name, "x".repeat(20_000)])),
];

it("plants what it searches for: the database holds the visitor's words, and the site uses the key", async () => {
  expect((await site.dump()).some((line) => line.includes(visitorsWords))).toBe(true);
  expect(site.model.requests.length).toBeGreaterThan(0);
});

it("calls every tool with fitting, empty and hostile arguments, and each call is answered", async () => {
  for (const tool of TOOLS) {
    const json = inputJson(tool);
    const names = Object.keys((json.properties ?? {}) as object);
    for (const args of [...hostile(names), sampleArguments(tool, json)]) {
      const { wire, isError, result } = await site.mcp.call(tool.name, args as Record<string, unknown>);
      answers.push(wire.text);
      // Whatever comes, it was foreseen.
      if (isError)
        expect([tool.name, result.error]).toEqual([tool.name, expect.not.stringContaining("internal error")]);
    }
  }
  answers.push((await site.mcp.modern("tools/list")).text, (await site.mcp.modern("server/discover")).text);
  expect(answers.length).toBe(TOOLS.length * 10 + 2);
}, 60_000);

it("finds none of it in any answer", () => {
  for (const [what, value] of planted()) {
    expect([what, answers.filter((text) => text.includes(value)).length]).toEqual([what, 0]);
  }
});

it("finds none of it, and nothing that was sent, in the audit and in the log", async () => {
  const audit = JSON.stringify(await site.audit());
  const log = site.app.log();
  for (const [what, value] of [...planted(), ["a key in a wrong place", sentKey]] as const) {
    expect([what, audit.includes(value), log.includes(value)]).toEqual([what, false, false]);
  }
});
