/** Search and picture providers: what a tool gets at use, and what it does not. Model providers: `config.db.test.ts`. */
import { beforeEach, describe, expect, test } from "bun:test";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import { secretBox } from "../lib/secret-box";
import { imagegenProviders } from "./imagegen-config";
import { websearchProviders } from "./websearch-config";

const opened = databaseForFile();
const box = secretBox(Buffer.alloc(32, 7).toString("base64"));
const KEY = "sk-0123456789abcdef";
const row = { provider: "main", apiKey: KEY, modelId: "m-1" };

const FAMILIES = [
  { table: "websearch_config", store: websearchProviders, host: "api.deepseek.com", others: "api.openai.com" },
  { table: "imagegen_config", store: imagegenProviders, host: "api.openai.com", others: "api.deepseek.com" },
] as const;

beforeEach(async () => {
  await opened.admin.query("DELETE FROM websearch_config; DELETE FROM imagegen_config");
});

describe.each(FAMILIES)("$table", ({ table, store, host, others }) => {
  const write = (fields: object = {}, extraHosts: string[] = []) =>
    store.upsert(opened.db, box, { ...row, baseUrl: `https://${host}`, ...fields }, extraHosts);
  const load = (extraHosts: string[] = []) => store.loadDefault(opened.db, box, extraHosts);

  test("gives the default with its key and its timers, and null when there is none", async () => {
    expect(await load()).toBeNull();
    await write();
    expect(await load()).toMatchObject({
      ...row,
      baseUrl: `https://${host}`,
      isDefault: true,
      totalTimeoutMs: 180_000,
    });
  });

  test("refuses a key in a field that is shown, also one that has no known form", async () => {
    const opaque = "0123456789abcdefABCDEF";
    for (const [field, fields] of [
      ["modelId", { modelId: KEY }],
      ["modelId", { apiKey: opaque, modelId: `m-${opaque}` }],
      ["baseUrl", { baseUrl: `https://${host}/${KEY}` }],
    ] as const) {
      await expect(write(fields)).rejects.toMatchObject({ code: "invalid", facts: { field } });
    }
    expect(await load()).toBeNull();
    expect((await write({ apiKey: opaque, modelId: "sky-1" })).row.modelId).toBe("sky-1");
  });

  test("takes a key along to another path, and never to another host", async () => {
    await write();
    expect((await write({ apiKey: undefined, baseUrl: `https://${host}/v1` })).changed).toBe(true);
    const moved = { apiKey: undefined, baseUrl: "https://new.example" };
    await expect(write(moved, ["new.example"])).rejects.toMatchObject({ code: "required", facts: { field: "apiKey" } });
    expect(await load()).toMatchObject({ apiKey: KEY, baseUrl: `https://${host}/v1` });
    expect((await write({ ...moved, apiKey: "sk-of-the-new-host" }, ["new.example"])).changed).toBe(true);
  });

  test("gives the next call what was written last (J9)", async () => {
    await write();
    await write({ apiKey: "sk-another-key-0000", modelId: "m-2" });
    expect(await load()).toMatchObject({ apiKey: "sk-another-key-0000", modelId: "m-2" });
  });

  test("refuses at use what came in by SQL: a host of another family, a lookalike, one no longer listed (J3)", async () => {
    await write({ baseUrl: "https://new.example" }, ["new.example"]);
    expect(await load(["new.example"])).toMatchObject({ baseUrl: "https://new.example" });
    expect(await load()).toBe("host_not_allowed");
    for (const url of [`https://${others}`, `https://${host}.evil.tld`, `http://${host}`, `https://${host}@evil.tld`]) {
      await opened.admin.query(`UPDATE ${table} SET base_url = $1`, [url]);
      expect([url, await load()]).toEqual([url, "host_not_allowed"]);
    }
  });

  test("opens no key whose bytes were changed, moved to another row or table, or sealed for another site (W1)", async () => {
    await write();
    const other = secretBox(Buffer.alloc(32, 8).toString("base64"));
    expect(await store.loadDefault(opened.db, other, [])).toBe("undecryptable");
    await opened.admin.query(`UPDATE ${table} SET provider = 'moved'`);
    expect(await load()).toBe("undecryptable");
    await opened.admin.query(`UPDATE ${table} SET provider = 'main'`);
    expect(await load()).toMatchObject({ apiKey: KEY });
    await opened.admin.query(
      `UPDATE ${table} SET api_key_enc = set_byte(api_key_enc, 14, get_byte(api_key_enc, 14) # 1)`,
    );
    expect(await load()).toBe("undecryptable");
    const foreign = box.seal(KEY, "llm_config:main");
    await opened.admin.query(`UPDATE ${table} SET api_key_enc = $1`, [foreign]);
    expect(await load()).toBe("undecryptable");
    expect(box.open(foreign, "llm_config:main")).toBe(KEY);
  });

  test("has one default however many claim it at once", async () => {
    await Promise.all(["a", "b", "c", "d"].map((provider) => write({ provider, makeDefault: true })));
    const defaults = (await store.list(opened.db)).filter((it) => it.isDefault);
    expect(defaults).toHaveLength(1);
  });

  test("gives a row of SQL the same values as a row of ours", async () => {
    const { row: ours } = await write();
    await opened.admin.query(`DELETE FROM ${table}`);
    await opened.admin.query(
      `INSERT INTO ${table} (provider, base_url, api_key_enc, api_key_hint, model_id, is_default)
       VALUES ('main', $1, $2, $3, 'm-1', TRUE)`,
      [ours.baseUrl, box.seal(KEY, `${table}:main`), ours.keyHint],
    );
    const [theirs] = await store.list(opened.db);
    const { revision: _, ...expected } = { ...ours, updatedAt: theirs!.updatedAt };
    expect(theirs as object).toEqual(expected);
  });
});

test("a key cannot be kept without a configuration key, and the refusal says so", async () => {
  const write = websearchProviders.upsert(
    opened.db,
    secretBox(""),
    { ...row, baseUrl: "https://api.deepseek.com" },
    [],
  );
  await expect(write).rejects.toMatchObject({
    name: "StoreRefusal",
    facts: { field: "apiKey", reason: expect.stringContaining("CONFIG_ENCRYPTION_KEY") },
  });
  expect(await websearchProviders.list(opened.db)).toEqual([]);
});
