/** Providers and switches: keys never come out, one row is the default, and an address is checked twice. */
import { beforeEach, describe, expect, test } from "bun:test";
import { secretBox } from "../lib/secret-box";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import {
  clearDefaultProvider,
  deleteProvider,
  listProviders,
  loadDefaultProvider,
  type ProviderWrite,
  setDefaultProvider,
  upsertProvider,
} from "./llm-config";
import { enabledTools, setTool } from "./tool-config";

const opened = databaseForFile();
const box = secretBox(Buffer.alloc(32, 7).toString("base64"));
const KEY = "sk-0123456789abcdef";
const main: ProviderWrite = { provider: "main", apiKey: KEY, baseUrl: "https://api.openai.com/v1", modelId: "m-1" };
const write = (row: ProviderWrite, extraHosts: string[] = []) => upsertProvider(opened.db, box, row, extraHosts);
const load = (extraHosts: string[] = []) => loadDefaultProvider(opened.db, box, extraHosts);
const defaults = async () => (await listProviders(opened.db)).filter((row) => row.isDefault).map((row) => row.provider);

beforeEach(async () => {
  await opened.admin.query("DELETE FROM llm_config");
});

describe("a provider", () => {
  test("comes back ready for the kernel, with what is known of its model", async () => {
    const price = { input: 100_000, output: 400_000, cacheRead: 10_000, cacheWrite: 0 };
    const models = [{ id: "other" }, { id: "m-1", contextWindow: 128_000, maxOutput: 8_192, price }];
    expect(await write({ ...main, models })).toEqual({ created: true });
    expect(await load()).toEqual({
      kind: "provider",
      provider: "main",
      api: "openai-completions",
      baseUrl: "https://api.openai.com/v1",
      apiKey: KEY,
      modelId: "m-1",
      contextWindow: 128_000,
      maxOutput: 8_192,
      price,
      updatedAt: expect.stringMatching(/Z$/),
    });
  });

  test("speaks what its host usually does, until it is told otherwise", async () => {
    await write({ ...main, baseUrl: "https://api.anthropic.com" });
    expect(await load()).toMatchObject({ api: "anthropic-messages" });
    await write({ provider: "main", api: "openai-completions" });
    await write({ provider: "main", baseUrl: "https://api.anthropic.com/v1" });
    expect(await load()).toMatchObject({ api: "openai-completions", baseUrl: "https://api.anthropic.com/v1" });
  });

  test("of an unknown model has a cautious window and no price", async () => {
    await write(main);
    expect(await load()).toMatchObject({ contextWindow: 32_768, maxOutput: 4_096, price: { input: 0, output: 0 } });
  });

  test("is listed with its key masked, and the key stands nowhere in the database", async () => {
    await write(main);
    const listed = await listProviders(opened.db);
    expect(listed).toMatchObject([{ provider: "main", keyHint: "sk-…cdef", isDefault: true, dailyTokenLimit: 0 }]);
    expect(JSON.stringify(listed)).not.toContain("0123456789");
    const { rows } = await opened.admin.query("SELECT llm_config::text AS text, api_key_enc FROM llm_config");
    expect(rows[0].text).not.toContain("0123456789");
    expect(rows[0].api_key_enc.includes("0123456789")).toBe(false);
  });

  test("keeps what a later write leaves out, and gets a new time", async () => {
    await write({ ...main, dailyTokenLimit: 5, models: [{ id: "m-1", contextWindow: 9 }] });
    const first = await load();
    await opened.admin.query("UPDATE llm_config SET updated_at = updated_at - interval '1 second'");
    expect(await write({ provider: "main", dailyCostLimitCents: 7 })).toEqual({ created: false });
    expect(await load()).toMatchObject({ apiKey: KEY, contextWindow: 9, modelId: "m-1" });
    expect(((await load()) as { updatedAt: string }).updatedAt > (first as { updatedAt: string }).updatedAt).toBe(true);
    expect(await listProviders(opened.db)).toMatchObject([{ dailyTokenLimit: 5, dailyCostLimitCents: 7 }]);
    await write({ provider: "main", models: null });
    expect(await listProviders(opened.db)).toMatchObject([{ models: null }]);
  });

  test("that lacks something, or has an impossible key or address, is refused and not written", async () => {
    for (const [row, refused] of [
      [{ provider: "main", apiKey: KEY, baseUrl: main.baseUrl }, "incomplete"],
      [{ provider: "main", apiKey: KEY, modelId: "m" }, "incomplete"],
      [{ provider: "main", baseUrl: main.baseUrl, modelId: "m" }, "incomplete"],
      [{ ...main, apiKey: "short" }, "key_length"],
      [{ ...main, apiKey: "x".repeat(513) }, "key_length"],
      [{ ...main, api: "carrier-pigeon" }, "unknown_api"],
      [{ ...main, api: "toString" }, "unknown_api"],
      [{ ...main, api: "anthropic-messages", apiKey: "sk-ant-oat01-0123456789" }, "key_kind"],
      [{ ...main, baseUrl: "https://evil.example/v1" }, "host_not_listed"],
      [{ ...main, baseUrl: "http://api.openai.com/v1" }, "not_https"],
    ] as [ProviderWrite, string][]) {
      expect(await write(row)).toMatchObject({ refused });
    }
    expect(await listProviders(opened.db)).toEqual([]);
    await expect(write({ ...main, provider: "Not A Name" })).rejects.toMatchObject({ code: "check_failed" });
    await expect(write({ ...main, dailyTokenLimit: -1 })).rejects.toMatchObject({ code: "check_failed" });
  });
});

describe("loading the default", () => {
  test("without any provider gives null", async () => {
    expect(await load()).toBeNull();
  });

  test("whose bytes were changed, moved to another row or sealed with another key does not open", async () => {
    await write(main);
    const other = secretBox(Buffer.alloc(32, 8).toString("base64"));
    expect(await loadDefaultProvider(opened.db, other, [])).toBe("undecryptable");
    await opened.admin.query(
      "UPDATE llm_config SET api_key_enc = set_byte(api_key_enc, 14, get_byte(api_key_enc, 14) # 1)",
    );
    expect(await load()).toBe("undecryptable");
    await write(main);
    expect(await load()).toMatchObject({ apiKey: KEY });
    await opened.admin.query("UPDATE llm_config SET provider = 'moved'");
    expect(await load()).toBe("undecryptable");
  });

  test("checks protocol and key again: what no write would have let in is not used", async () => {
    await write({ ...main, apiKey: "sk-ant-oat01-0123456789" });
    expect(await load()).toMatchObject({ api: "openai-completions" });
    await write({ provider: "main", api: "anthropic-messages" });
    expect(await load()).toBe("key_kind");
    await opened.admin.query("UPDATE llm_config SET api = 'carrier-pigeon'");
    expect(await load()).toBe("unknown_api");
  });

  test("checks the address again: one that is no longer listed, or came in by SQL, is not used", async () => {
    const local = { ...main, baseUrl: "http://127.0.0.1:11434/v1" };
    expect(await write(local, ["127.0.0.1:11434"])).toEqual({ created: true });
    expect(await load(["127.0.0.1:11434"])).toMatchObject({ baseUrl: "http://127.0.0.1:11434/v1" });
    expect(await load()).toBe("host_not_allowed");
    await opened.admin.query("UPDATE llm_config SET base_url = 'https://evil.example/v1'");
    expect(await load(["127.0.0.1:11434"])).toBe("host_not_allowed");
  });
});

describe("the default", () => {
  test("is the first provider, until another one is made it", async () => {
    await write(main);
    await write({ ...main, provider: "second" });
    expect(await defaults()).toEqual(["main"]);
    await write({ provider: "second", makeDefault: true });
    expect(await defaults()).toEqual(["second"]);
    expect(await setDefaultProvider(opened.db, "main")).toBe(true);
    expect(await defaults()).toEqual(["main"]);
    expect(await setDefaultProvider(opened.db, "nobody")).toBe(false);
    expect(await defaults()).toEqual(["main"]);
  });

  test("stays one when two writers claim it at once", async () => {
    await write(main);
    await write({ ...main, provider: "second" });
    await Promise.all(["main", "second", "main", "second"].map((name) => write({ provider: name, makeDefault: true })));
    expect(await defaults()).toHaveLength(1);
    const claims = Array.from({ length: 40 }, (_, n) => (n % 2 ? "main" : "second"));
    await Promise.all(claims.map((name) => setDefaultProvider(opened.db, name)));
    expect(await defaults()).toHaveLength(1);
  });

  test("may be nobody, with every provider still there to be chosen", async () => {
    await write(main);
    await write({ ...main, provider: "second" });
    await clearDefaultProvider(opened.db);
    expect([await defaults(), (await listProviders(opened.db)).length, await load()]).toEqual([[], 2, null]);
    await setDefaultProvider(opened.db, "second");
    expect(await defaults()).toEqual(["second"]);
  });

  test("may be deleted, and the site is then without one", async () => {
    await write(main);
    await write({ ...main, provider: "second" });
    expect(await deleteProvider(opened.db, "main")).toEqual({ wasDefault: true });
    expect(await deleteProvider(opened.db, "second")).toEqual({ wasDefault: false });
    expect(await deleteProvider(opened.db, "second")).toBeNull();
    expect(await load()).toBeNull();
  });
});

describe("switches", () => {
  test("begin as the migration says: reading tools on, everything that reaches out off", async () => {
    expect([...(await enabledTools(opened.db)).keys()]).toEqual([
      "notes_get_chapter",
      "notes_list_series",
      "notes_search",
      "session_rename",
      "source_list",
      "source_read",
      "source_search",
    ]);
    const { rows } = await opened.admin.query("SELECT name FROM tool_config WHERE dangerous");
    expect(rows).toEqual([{ name: "skill_run" }]);
  });

  test("turn a tool on and off and keep its mark unless told otherwise", async () => {
    await setTool(opened.db, "skill_run", true);
    expect((await enabledTools(opened.db)).get("skill_run")).toEqual({ dangerous: true });
    await setTool(opened.db, "skill_run", true, false);
    expect((await enabledTools(opened.db)).get("skill_run")).toEqual({ dangerous: false });
    await setTool(opened.db, "skill_run", false, true);
    expect((await enabledTools(opened.db)).has("skill_run")).toBe(false);
    await setTool(opened.db, "brand_new", true);
    expect((await enabledTools(opened.db)).get("brand_new")).toEqual({ dangerous: false });
    await expect(setTool(opened.db, "Not a name", true)).rejects.toMatchObject({ code: "check_failed" });
  });
});
