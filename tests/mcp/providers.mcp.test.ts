/** The providers of all three families over the wire: keys that never come out, hosts, the default, and two writers. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "bun:test";
import { randomBytes } from "node:crypto";
import { PROVIDER_HOSTS } from "../../shared/hosts";
import { type McpSite, startMcpSite } from "../support/mcp.mts";
import { START_MS } from "../support/site.mts";

let site: McpSite;
beforeAll(async () => {
  site = await startMcpSite({
    provider: null,
    env: {
      XRAY_LLM_EXTRA_HOSTS: "models.example:8443",
      XRAY_WEBSEARCH_EXTRA_HOSTS: "search.example",
      XRAY_IMAGEGEN_EXTRA_HOSTS: "pictures.example,*.broken",
    },
  });
}, START_MS);
afterAll(() => site.stop());

const FAMILIES = [
  {
    family: "llm",
    table: "llm_config",
    hosts: [...PROVIDER_HOSTS.llm, "models.example:8443"],
    foreign: "https://search.example",
    fresh: {
      api: "openai-completions",
      models: null,
      dailyTokenLimit: 0,
      dailyCostLimitCents: 0,
      maxTurnsPerSession: 0,
    },
    own: { dailyTokenLimit: 7, models: [{ id: "m", contextWindow: 9 }] },
    wrong: { api: "carrier-pigeon" },
  },
  {
    family: "websearch",
    table: "websearch_config",
    hosts: [...PROVIDER_HOSTS.websearch, "search.example"],
    foreign: "https://api.openai.com",
    fresh: { toolType: "web_search", totalTimeoutMs: 180_000, idleTimeoutMs: 45_000, dailySearchLimit: 0 },
    own: { toolType: "web_search_2025_08_26", totalTimeoutMs: 10_000, idleTimeoutMs: 5_000, dailySearchLimit: 7 },
    wrong: { toolType: "web_search_soon" },
  },
  {
    family: "imagegen",
    table: "imagegen_config",
    hosts: [...PROVIDER_HOSTS.imagegen, "pictures.example"],
    foreign: "https://api.deepseek.com",
    fresh: { apiStyle: "images", imageSize: null, totalTimeoutMs: 180_000, idleTimeoutMs: 30_000, dailyImageLimit: 0 },
    own: { apiStyle: "chat", imageSize: "1024x768", idleTimeoutMs: 120_000, dailyImageLimit: 7 },
    wrong: { imageSize: "huge" },
  },
] as const;

describe.each(FAMILIES)("$family", ({ family, table, hosts, foreign, fresh, own, wrong }) => {
  const key = `sk-${randomBytes(20).toString("hex")}`;
  const hint = `sk-…${key.slice(-4)}`;
  const baseUrl = `https://${hosts[0]}`;
  const row = { provider: "main", apiKey: key, baseUrl, modelId: "m" };
  const call = (tool: string, args: object = {}) => site.mcp.ok(`${family}_${tool}`, args as Record<string, unknown>);
  const refused = (tool: string, args: object) =>
    site.mcp.refused(`${family}_${tool}`, args as Record<string, unknown>);
  const upsert = (args: object = {}) => call("provider_upsert", { ...row, ...args });
  const list = () => call("providers_list");
  const names = async () => (await list()).providers.map((it: { provider: string }) => it.provider);

  beforeEach(() => site.sql(`DELETE FROM ${table}`));

  it("takes a provider, makes the first one the default and shows it with its mask", async () => {
    expect(await list()).toEqual({ providers: [], defaultProvider: null, allowedHosts: hosts, total: 0 });
    const { provider, changed, created } = await upsert();
    expect(provider).toEqual({
      provider: "main",
      baseUrl,
      modelId: "m",
      keyHint: hint,
      ...fresh,
      isDefault: true,
      updatedAt: expect.stringMatching(/Z$/),
      revision: expect.stringMatching(/^[0-9a-f]{16}$/),
      warnings: [],
    });
    expect([changed, created]).toEqual([true, true]);
    expect(await list()).toEqual({ providers: [provider], defaultProvider: "main", allowedHosts: hosts, total: 1 });
  });

  it("gives the key to nobody: no answer, no audit, no log, no row (U4, W3)", async () => {
    const { wire } = await site.mcp.call(`${family}_provider_upsert`, row);
    const texts = [wire.text, (await site.mcp.call(`${family}_providers_list`)).wire.text];
    texts.push(
      (await site.mcp.call(`${family}_provider_upsert`, { ...row, baseUrl: "https://evil.example" })).wire.text,
    );
    texts.push(JSON.stringify(await site.audit()), site.app.log(), (await site.dump()).join("\n"));
    const sealed = await site.sql(`SELECT encode(api_key_enc, 'escape') AS text FROM ${table}`);
    for (const text of [...texts, sealed[0].text]) expect(text.includes(key)).toBe(false);
    expect(texts[1]).toContain(hint);
  });

  it("seals one key to other bytes each time (W2)", async () => {
    const bytes = async () => (await site.sql(`SELECT encode(api_key_enc, 'hex') AS hex FROM ${table}`))[0].hex;
    await upsert();
    const first = await bytes();
    await site.sql(`DELETE FROM ${table}`);
    await upsert();
    expect(await bytes()).not.toBe(first);
  });

  it("keeps what a write leaves out, and says when nothing changed", async () => {
    const { provider } = await upsert(own);
    expect(await call("provider_upsert", { provider: "main", modelId: "m-2" })).toMatchObject({
      provider: { ...fresh, ...own, modelId: "m-2", baseUrl, keyHint: hint },
      changed: true,
      created: false,
    });
    const again = await upsert(own);
    expect([again.changed, again.provider.revision === provider.revision]).toEqual([true, false]);
    expect(await upsert(own)).toEqual({ provider: again.provider, changed: false, created: false });
    expect(await refused("provider_upsert", { provider: "main" })).toMatchObject({
      error: "This write names no field to change.",
    });
  });

  it("refuses a host that is not its own, with those that are and the way to add one (J3)", async () => {
    for (const url of ["https://api.evil.example", foreign, `https://${hosts[0]}.evil.tld`]) {
      const facts = await refused("provider_upsert", { ...row, baseUrl: url });
      expect(facts).toMatchObject({ field: "baseUrl", allowed: hosts });
      expect(facts.retry).toContain(`XRAY_${family.toUpperCase()}_EXTRA_HOSTS`);
    }
    for (const url of [
      `http://${hosts[0]}`,
      `https://u:p@${hosts[0]}`,
      `https://${hosts[0]}?x=1`,
      "file:///etc/passwd",
    ]) {
      expect((await refused("provider_upsert", { ...row, baseUrl: url })).field).toBe("baseUrl");
    }
    expect(await names()).toEqual([]);
  });

  it("refuses a mask for a key, a key for a name, and values that are none of its own; nothing is kept", async () => {
    await upsert();
    const before = await list();
    for (const [args, field] of [
      [{ provider: "main", apiKey: hint }, "apiKey"],
      [{ provider: "main", apiKey: hint.replace("…", "...") }, "apiKey"],
      [{ provider: "main", apiKey: "short" }, "apiKey"],
      [{ provider: "main", apiKey: `${key}\r\nX-Other: 1` }, "apiKey"],
      [{ ...row, provider: key }, "provider"],
      [{ ...row, provider: "Main Row" }, "provider"],
      [{ provider: "main", modelId: "" }, "modelId"],
      [{ provider: "main", ...wrong }, Object.keys(wrong)[0]],
      [{ provider: "other", apiKey: key, baseUrl }, "modelId"],
      [{ provider: "other", modelId: "m", baseUrl }, "apiKey"],
    ] as [object, string][]) {
      expect([args, (await refused("provider_upsert", args)).field]).toEqual([args, field]);
    }
    expect(await list()).toEqual(before);
    expect(JSON.stringify(await site.audit())).not.toContain(key);
  });

  it("passes the default on, and warns when it is deleted", async () => {
    await upsert();
    await upsert({ provider: "second" });
    expect((await list()).defaultProvider).toBe("main");
    expect(await call("set_default", { provider: "second" })).toMatchObject({
      provider: { provider: "second", isDefault: true },
      changed: true,
    });
    expect((await call("set_default", { provider: "second" })).changed).toBe(false);
    expect((await upsert({ makeDefault: true })).provider.isDefault).toBe(true);
    expect((await list()).defaultProvider).toBe("main");
    expect(await refused("set_default", { provider: "nobody" })).toMatchObject({
      field: "provider",
      existing: ["main", "second"],
    });
    expect(await call("provider_delete", { provider: "main" })).toEqual({
      deleted: "main",
      wasDefault: true,
      changed: true,
      warnings: [expect.stringContaining(`${family}_set_default`)],
    });
    expect(await call("provider_delete", { provider: "second" })).toMatchObject({ wasDefault: false, warnings: [] });
    expect(await refused("provider_delete", { provider: "second" })).toMatchObject({ field: "provider" });
  });

  it("tells the second of two writers that the row has changed", async () => {
    const { provider } = await upsert();
    const write = (modelId: string) =>
      site.mcp.call(`${family}_provider_upsert`, { provider: "main", modelId, expectedRevision: provider.revision });
    const outcomes = await Promise.all([write("one"), write("other")]);
    const [lost] = outcomes.filter(({ isError }) => isError);
    const [won] = outcomes.filter(({ isError }) => !isError);
    expect(lost!.result).toMatchObject({ field: "expectedRevision", revision: won!.result.provider.revision });
    expect((await list()).providers).toEqual([won!.result.provider]);
    expect((await refused("provider_delete", { provider: "main", expectedRevision: provider.revision })).field).toBe(
      "expectedRevision",
    );
  });

  it("shows what came in by SQL past the rules, or was damaged, with a warning (W1)", async () => {
    await upsert();
    const warnings = async () => (await list()).providers[0].warnings;
    await site.sql(`UPDATE ${table} SET base_url = 'https://evil.example'`);
    expect(await warnings()).toEqual([expect.stringContaining("host is not allowed")]);
    await site.sql(`UPDATE ${table} SET base_url = $1`, [baseUrl]);
    expect(await warnings()).toEqual([]);
    await site.sql(`UPDATE ${table} SET api_key_enc = set_byte(api_key_enc, 14, get_byte(api_key_enc, 14) # 1)`);
    expect(await warnings()).toEqual([expect.stringContaining("Write the key again")]);
    expect((await upsert()).provider.warnings).toEqual([]);
  });

  it("refuses each value past its bound, and keeps the row", async () => {
    const { provider } = await upsert();
    const numbers = Object.entries(fresh).filter(([, value]) => typeof value === "number");
    for (const [field] of numbers) {
      for (const value of [-1, 1.5, 2 ** 53, "1"]) {
        expect([field, (await refused("provider_upsert", { provider: "main", [field]: value })).field]).toEqual([
          field,
          field,
        ]);
      }
    }
    expect((await list()).providers).toEqual([provider]);
  });

  it("audits no whole name that could be a key", async () => {
    const likeKey = randomBytes(20).toString("hex");
    await refused("set_default", { provider: likeKey });
    await refused("provider_upsert", { provider: likeKey, modelId: "m" });
    await refused("provider_delete", { provider: `AIza${likeKey}` });
    const audit = JSON.stringify(await site.audit());
    expect([audit.includes(likeKey), audit.includes(likeKey.slice(0, 12))]).toEqual([false, true]);
  });

  it("audits each write by name and fields", async () => {
    await upsert();
    await site.sql("TRUNCATE mcp_audit");
    await call("provider_upsert", { provider: "main", apiKey: key, modelId: "m-3" });
    await call("provider_delete", { provider: "main" });
    expect((await site.audit()).map(({ summary }) => summary)).toEqual(["main: apiKey, modelId", "main"]);
  });
});

it("the idle time of a service is at most the total, also when only one of them is written", async () => {
  for (const family of ["websearch", "imagegen"]) {
    const row = {
      provider: "main",
      apiKey: "sk-0123456789",
      baseUrl: `https://${FAMILIES.find((it) => it.family === family)!.hosts[0]}`,
    };
    await site.mcp.ok(`${family}_provider_upsert`, { ...row, modelId: "m" });
    const facts = await site.mcp.refused(`${family}_provider_upsert`, { provider: "main", totalTimeoutMs: 20_000 });
    expect(facts).toMatchObject({ field: "idleTimeoutMs", error: "It is at most totalTimeoutMs." });
    const { provider } = await site.mcp.ok(`${family}_provider_upsert`, {
      provider: "main",
      totalTimeoutMs: 20_000,
      idleTimeoutMs: 20_000,
    });
    expect(provider).toMatchObject({ totalTimeoutMs: 20_000, idleTimeoutMs: 20_000 });
  }
});

it("a picture's size is cleared by null and kept when left out", async () => {
  const write = async (fields: object) =>
    (await site.mcp.ok("imagegen_provider_upsert", { provider: "main", ...fields })).provider.imageSize;
  await site.sql("DELETE FROM imagegen_config");
  const row = { apiKey: "sk-0123456789", baseUrl: "https://api.openai.com", modelId: "m", imageSize: "auto" };
  expect([await write(row), await write({ modelId: "n" }), await write({ imageSize: null })]).toEqual([
    "auto",
    "auto",
    null,
  ]);
});
