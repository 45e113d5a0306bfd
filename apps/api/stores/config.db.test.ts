/** Providers and switches: keys never come out, one row is the default, and an address is checked twice. */
import { beforeEach, describe, expect, test } from "bun:test";
import { secretBox } from "../lib/secret-box";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import { type LlmProviderWrite, llmProviders, loadDefaultProvider } from "./llm-config";
import { LIMITS } from "../../../shared/limits";
import { enabledTools, setTool, writeToolSwitch } from "./tool-config";

const opened = databaseForFile();
const box = secretBox(Buffer.alloc(32, 7).toString("base64"));
const KEY = "sk-0123456789abcdef";
const main: LlmProviderWrite = { provider: "main", apiKey: KEY, baseUrl: "https://api.openai.com/v1", modelId: "m-1" };
const write = (row: LlmProviderWrite, extraHosts: string[] = []) =>
  llmProviders.upsert(opened.db, box, row, extraHosts);
const setDefault = (provider: string) => llmProviders.setDefault(opened.db, box, { provider }, []);
const list = () => llmProviders.list(opened.db);
const load = (extraHosts: string[] = []) => loadDefaultProvider(opened.db, box, extraHosts);
const defaults = async () => (await list()).filter((row) => row.isDefault).map((row) => row.provider);

beforeEach(async () => {
  await opened.admin.query("DELETE FROM llm_config");
});

describe("a provider", () => {
  test("comes back ready for the kernel, with what is known of its model", async () => {
    const price = { input: 100_000, output: 400_000, cacheRead: 10_000, cacheWrite: 0 };
    const models = [{ id: "other" }, { id: "m-1", contextWindow: 128_000, maxOutput: 8_192, price }];
    expect(await write({ ...main, models })).toMatchObject({ created: true, changed: true });
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
    const listed = await list();
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
    expect(await write({ provider: "main", dailyCostLimitCents: 7 })).toMatchObject({ created: false, changed: true });
    expect(await load()).toMatchObject({ apiKey: KEY, contextWindow: 9, modelId: "m-1" });
    expect(((await load()) as { updatedAt: string }).updatedAt > (first as { updatedAt: string }).updatedAt).toBe(true);
    expect(await list()).toMatchObject([{ dailyTokenLimit: 5, dailyCostLimitCents: 7 }]);
    await write({ provider: "main", models: null });
    expect(await list()).toMatchObject([{ models: null }]);
  });

  test("that lacks something, or has an impossible key, address or number, is refused by field and not written", async () => {
    for (const [row, field] of [
      [{ provider: "main", apiKey: KEY, baseUrl: main.baseUrl }, "modelId"],
      [{ provider: "main", apiKey: KEY, modelId: "m" }, "baseUrl"],
      [{ provider: "main", baseUrl: main.baseUrl, modelId: "m" }, "apiKey"],
      [{ ...main, provider: "Not A Name" }, "provider"],
      [{ ...main, apiKey: "short" }, "apiKey"],
      [{ ...main, apiKey: "x".repeat(513) }, "apiKey"],
      [{ ...main, apiKey: "sk-0123456789\r\nX-Injected: 1" }, "apiKey"],
      [{ ...main, apiKey: "sk-…cdef" }, "apiKey"],
      [{ ...main, api: "carrier-pigeon" }, "api"],
      [{ ...main, api: "toString" }, "api"],
      [{ ...main, api: "anthropic-messages", apiKey: "sk-ant-oat01-0123456789" }, "apiKey"],
      [{ ...main, baseUrl: "https://evil.example/v1" }, "baseUrl"],
      [{ ...main, baseUrl: "http://api.openai.com/v1" }, "baseUrl"],
      [{ ...main, baseUrl: `https://api.openai.com/${"x".repeat(512)}` }, "baseUrl"],
      [{ ...main, models: [{ id: "a\0b" }] }, "models"],
      [{ ...main, models: [{ id: "sk-in-the-wrong-place" }] }, "models"],
      [{ ...main, dailyTokenLimit: -1 }, "dailyTokenLimit"],
      [{ ...main, dailyCostLimitCents: 0.5 }, "dailyCostLimitCents"],
      [{ ...main, maxTurnsPerSession: 1e10 }, "maxTurnsPerSession"],
    ] as [LlmProviderWrite, string][]) {
      await expect(write(row)).rejects.toMatchObject({ name: "StoreRefusal", facts: { field } });
    }
    expect(await list()).toEqual([]);
  });

  test("at a host that may not be called is refused with those that may", async () => {
    await expect(write({ ...main, baseUrl: "https://evil.example/v1" }, ["one.example:8443"])).rejects.toMatchObject({
      facts: { allowed: ["api.deepseek.com", "api.openai.com", "api.anthropic.com", "one.example:8443"] },
    });
  });

  test("whose mask comes back as its key keeps its key", async () => {
    await write(main);
    for (const apiKey of ["sk-…cdef", "sk-...cdef"]) {
      await expect(write({ provider: "main", apiKey })).rejects.toMatchObject({ facts: { field: "apiKey" } });
    }
    expect(await load()).toMatchObject({ apiKey: KEY });
  });

  test("that is written as it is changes nothing, and with another key of the same mask changes", async () => {
    const first = await write(main);
    const again = await write({ ...main, makeDefault: true });
    expect(again).toMatchObject({ changed: false, row: first.row });
    const twin = await write({ provider: "main", apiKey: "sk-9999999999abcdef".replace("abcdef", "zzcdef") });
    expect([twin.changed, twin.row.keyHint, twin.row.revision === first.row.revision]).toEqual([
      true,
      "sk-…cdef",
      false,
    ]);
    expect(await load()).toMatchObject({ apiKey: "sk-9999999999zzcdef" });
  });

  test("that somebody else has changed since it was read is not overwritten, made the default or deleted", async () => {
    const { row } = await write(main);
    await write({ provider: "main", modelId: "m-2" });
    const stale = { provider: "main", expectedRevision: row.revision };
    for (const attempt of [
      () => write({ ...stale, modelId: "m-3" }),
      () => llmProviders.setDefault(opened.db, box, stale, []),
      () => llmProviders.remove(opened.db, stale),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "stale_revision" });
    }
    expect(await list()).toMatchObject([{ modelId: "m-2" }]);
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
    expect(await write(local, ["127.0.0.1:11434"])).toMatchObject({ created: true, changed: true });
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
    expect(await setDefault("main")).toMatchObject({ changed: true, row: { isDefault: true } });
    expect(await defaults()).toEqual(["main"]);
    await expect(setDefault("nobody")).rejects.toMatchObject({ code: "not_found" });
    expect(await defaults()).toEqual(["main"]);
  });

  test("stays one when two writers claim it at once", async () => {
    await write(main);
    await write({ ...main, provider: "second" });
    await Promise.all(["main", "second", "main", "second"].map((name) => write({ provider: name, makeDefault: true })));
    expect(await defaults()).toHaveLength(1);
    const claims = Array.from({ length: 40 }, (_, n) => (n % 2 ? "main" : "second"));
    await Promise.all(claims.map((name) => setDefault(name)));
    expect(await defaults()).toHaveLength(1);
  });

  test("may be nobody, with every provider still there to be chosen", async () => {
    await write(main);
    await write({ ...main, provider: "second" });
    await llmProviders.clearDefault(opened.db);
    expect([await defaults(), (await list()).length, await load()]).toEqual([[], 2, null]);
    await setDefault("second");
    expect(await defaults()).toEqual(["second"]);
  });

  test("may be deleted, and the site is then without one", async () => {
    await write(main);
    await write({ ...main, provider: "second" });
    const remove = (provider: string) => llmProviders.remove(opened.db, { provider });
    expect(await remove("main")).toMatchObject({ row: { isDefault: true } });
    expect(await remove("second")).toMatchObject({ row: { isDefault: false } });
    await expect(remove("second")).rejects.toMatchObject({ code: "not_found" });
    expect(await load()).toBeNull();
  });
});

describe("switches", () => {
  test("keep a note as one line, refuse one that is too long, and forget it with null", async () => {
    const write = async (note: string | null) =>
      (await writeToolSwitch(opened.db, { name: "web_search", enabled: false, note })).row.note;
    expect(await write("a\0b\ud800\nc")).toBe("ab c");
    await expect(write("x".repeat(LIMITS.toolNoteChars + 1))).rejects.toMatchObject({ facts: { field: "note" } });
    expect(await write(null)).toBeNull();
  });

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
