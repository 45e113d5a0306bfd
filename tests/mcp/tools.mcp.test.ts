/** Every tool there is, over the wire: how it is listed, how it refuses, what it audits and what it never gives away. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { Client } from "pg";
import { inputJson } from "../../apps/api/mcp/advertised";
import { TOOLS } from "../../apps/api/mcp/tools/index";
import { LIMITS } from "../../shared/limits";
import { type Called, type McpSite, startMcpSite } from "../support/mcp.mts";
import { START_MS } from "../support/site.mts";
import { sampleArguments } from "../support/tool-arguments.mts";

let site: McpSite;
beforeAll(async () => {
  site = await startMcpSite();
}, START_MS);
afterAll(() => site.stop());

/** What a client's model can be given with every conversation (the list), and for one tool. */
const LIST_BYTES = 75_000;
const DESCRIPTION_CHARS = 300;

/** §21.3, and the six of the architecture. */
const SPECIFIED = `
  notes_categories_list notes_category_upsert notes_category_delete notes_series_list notes_series_upsert
  notes_series_delete notes_chapters_list notes_chapter_get notes_chapter_upsert notes_chapter_delete notes_assets_list
  notes_asset_put notes_asset_delete about_get about_set traffic_overview traffic_paths traffic_agents
  llm_providers_list llm_provider_upsert llm_set_default llm_provider_delete websearch_providers_list
  websearch_provider_upsert websearch_set_default websearch_provider_delete imagegen_providers_list
  imagegen_provider_upsert imagegen_set_default imagegen_provider_delete tool_config_list tool_config_set site_tabs_list
  site_tab_set skills_categories_list skills_category_upsert skills_category_delete skills_list skills_get
  skills_file_get skills_upsert skills_delete skills_agent_set skills_agent_status sandbox_config_get
  sandbox_config_set source_snapshot_begin source_files_put source_snapshot_commit source_snapshots_list
  source_snapshot_delete
  audit_list sessions_stats site_status backup_status visitor_limits_get visitor_limits_set`
  .trim()
  .split(/\s+/);

interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: string; properties: Record<string, object>; additionalProperties: boolean };
  outputSchema: { type: string; properties: Record<string, object> };
  annotations: Record<string, boolean>;
}
const listed = async () => (await site.mcp.modern("tools/list")).body.result.tools as Listed[];

describe("the list", () => {
  it(
    "is the same bytes for each call, each era and each process, and smaller than its budget",
    async () => {
      const textOf = async (era: "modern" | "legacy") =>
        JSON.stringify((await site.mcp[era]("tools/list")).body.result.tools);
      const first = await textOf("modern");
      expect(await textOf("modern")).toBe(first);
      expect(await textOf("legacy")).toBe(first);
      await site.restart();
      expect(await textOf("modern")).toBe(first);
      expect(Buffer.byteLength((await site.mcp.modern("tools/list")).text)).toBeLessThan(LIST_BYTES);
    },
    START_MS,
  );

  it("is the specification's, none more and none less (U2)", async () => {
    expect((await listed()).map(({ name }) => name)).toEqual([...SPECIFIED].sort());
  });

  it("is sorted, and each tool is named, titled, described and marked in full", async () => {
    const tools = await listed();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    expect(new Set(names).size).toBe(names.length);
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/);
      expect(tool.name.length).toBeLessThanOrEqual(40);
      expect([tool.name, tool.title.length > 0 && tool.title.length <= 60]).toEqual([tool.name, true]);
      expect([tool.name, tool.description.length]).toEqual([
        tool.name,
        Math.min(tool.description.length, DESCRIPTION_CHARS),
      ]);
      expect(Object.keys(tool.annotations).sort()).toEqual([
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
        "readOnlyHint",
      ]);
    }
  });

  it("says of each deletion that it destroys, and of no reading tool", async () => {
    for (const { name, annotations } of await listed()) {
      const { readOnlyHint, destructiveHint } = annotations;
      if (/_delete$/.test(name)) expect([name, destructiveHint]).toEqual([name, true]);
      if (/_(list|get|status|overview)$/.test(name)) expect([name, readOnlyHint]).toEqual([name, true]);
      if (readOnlyHint) expect([name, destructiveHint]).toEqual([name, false]);
    }
  });

  it("has schemas that every client takes: objects, closed, without a choice at the root", async () => {
    for (const { name, inputSchema, outputSchema } of await listed()) {
      for (const schema of [inputSchema, outputSchema]) {
        expect([name, schema.type, Object.keys(schema).filter((key) => /Of$|^\$|^not$|^if$/.test(key))]).toEqual([
          name,
          "object",
          [],
        ]);
      }
      expect([name, inputSchema.additionalProperties]).toEqual([name, false]);
      expect([name, Object.keys(outputSchema.properties).length > 0]).toEqual([name, true]);
    }
  });

  it("bounds what it takes: every text, list and number", async () => {
    const unbounded: string[] = [];
    const walk = (path: string, schema: Record<string, unknown>) => {
      const { type } = schema;
      if (type === "string" && schema.maxLength === undefined && !schema.enum && !schema.pattern && !schema.format)
        unbounded.push(path);
      if (type === "array" && schema.maxItems === undefined) unbounded.push(path);
      if ((type === "integer" || type === "number") && schema.maximum === undefined) unbounded.push(path);
      for (const [key, part] of Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>))
        walk(`${path}.${key}`, part);
      for (const part of (schema.anyOf ?? []) as Record<string, unknown>[]) walk(path, part);
      if (schema.items) walk(`${path}[]`, schema.items as Record<string, unknown>);
    };
    for (const { name, inputSchema } of await listed()) walk(name, inputSchema as unknown as Record<string, unknown>);
    expect(unbounded).toEqual([]);
  });

  it("gives no argument a value of its own: what is left out is kept", async () => {
    expect(JSON.stringify(await listed())).not.toContain('"default":');
  });
});

describe("each tool", () => {
  it("refuses an argument that it does not have, names those that it has, and repeats no value", async () => {
    for (const tool of TOOLS) {
      const { isError, result, wire } = await site.mcp.call(tool.name, { noSuchArgument: "planted-value-0123456789" });
      expect([tool.name, isError]).toEqual([tool.name, true]);
      expect(`${result.field} ${(result.others ?? []).join()}`).toContain("noSuchArgument");
      expect(wire.text).not.toContain("planted-value");
    }
  });

  it("leaves one row of the audit when it writes or refuses to, and none when it reads (U3)", async () => {
    for (const tool of TOOLS) {
      const given = [{}, sampleArguments(tool, inputJson(tool))];
      for (const args of given) {
        await site.sql("TRUNCATE mcp_audit");
        const { isError } = await site.mcp.call(tool.name, args);
        const rows = (await site.audit()).map(({ outcome, tool: name, principal }) => [name, principal, outcome]);
        const expected = tool.effect === "read" ? [] : [[tool.name, "owner", isError ? "error" : "ok"]];
        expect([tool.name, rows]).toEqual([tool.name, expected]);
      }
    }
  });

  it("says no in one form: a sentence, a next step, and nothing of the database", async () => {
    for (const tool of TOOLS) {
      for (const args of [{ noSuchArgument: 1 }, {}, sampleArguments(tool, inputJson(tool))]) {
        const { isError, result } = await site.mcp.call(tool.name, args);
        if (!isError) continue;
        expect([tool.name, result.error, result.retry]).toEqual([
          tool.name,
          expect.stringMatching(/^[A-Z][^\n]*[.)]$/),
          expect.any(String),
        ]);
        expect(result.error).not.toMatch(/internal error|SELECT|INSERT|constraint|violates|at \/|undefined/);
      }
    }
  });
});

describe("a cursor", () => {
  it("continues the list for whom it was made and for nobody else", async () => {
    const { nextCursor: cursor } = await site.mcp.ok("tool_config_list", { limit: 10 });
    expect((await site.mcp.ok("tool_config_list", { cursor })).tools).toHaveLength(1);
    const foreign = await site.mcp.call("tool_config_list", { cursor }, { token: site.tokens.second });
    expect([foreign.isError, foreign.result.field]).toEqual([true, "cursor"]);
    expect((await site.mcp.refused("audit_list", { cursor })).field).toBe("cursor");
  });

  it("of the audit goes down from the newest row, past those that came since", async () => {
    await site.sql("TRUNCATE mcp_audit");
    const set = (enabled: boolean) => site.mcp.ok("tool_config_set", { name: "web_search", enabled });
    for (let i = 0; i < 3; i += 1) await set(i % 2 === 0);
    const first = await site.mcp.ok("audit_list", { limit: 2, outcome: "ok" });
    await set(false);
    const second = await site.mcp.ok("audit_list", { limit: 2, outcome: "ok", cursor: first.nextCursor });
    const summaries = [first, second].map(({ rows }) => rows.map(({ summary }: { summary: string }) => summary));
    expect(summaries).toEqual([["web_search on", "web_search off"], ["web_search on"]]);
    expect([first.total, second.total, second.nextCursor]).toEqual([3, 4, undefined]);
    expect((await site.mcp.ok("audit_list", { outcome: "denied" })).rows).toEqual([]);
  });
});

describe("an answer", () => {
  it("of the audit ends before it is more than a model can take, and the next page goes on from there", async () => {
    await site.sql(`TRUNCATE mcp_audit; INSERT INTO mcp_audit (outcome, method, tool, principal, summary, remote, detail)
      SELECT 'error', 'tools/call', 'about_set', 'owner', n || repeat('s', 450), '203.0.113.1',
        jsonb_build_object('cause', repeat('c', 300)) FROM generate_series(1, 150) n`);
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await site.mcp.ok("audit_list", { limit: 100, ...(cursor && { cursor }) });
      expect(Buffer.byteLength(JSON.stringify(page.rows))).toBeLessThanOrEqual(LIMITS.mcpPageBytes + 1_000);
      seen.push(...page.rows.map(({ summary }: { summary: string }) => Number.parseInt(summary, 10)));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 150 }, (_, n) => 150 - n));
  });

  it("of the busiest days that can be asked for is no more either", async () => {
    await site.sql(`INSERT INTO daily_quota (day, tokens, cost_micros, turns, searches, images, skill_runs)
      SELECT current_date - n, 999999999999, 999999999999, 99999, 99999, 99999, 99999 FROM generate_series(1, 400) n`);
    const { days } = await site.mcp.ok("sessions_stats", { days: LIMITS.statsDays });
    expect(days.length).toBeGreaterThan(LIMITS.statsDays - 3);
    expect(Buffer.byteLength(JSON.stringify(days))).toBeLessThanOrEqual(LIMITS.mcpPageBytes);
    await site.sql("TRUNCATE daily_quota");
  });

  it("that names what exists in the place of an unknown parent names a hundred", async () => {
    await site.sql(`INSERT INTO notes_categories (slug, name, dot)
      SELECT 'many-' || n, 'Many', '#123456' FROM generate_series(1, 300) n`);
    const refused = await site.mcp.refused("notes_series_upsert", { slug: "s", name: "S", categorySlug: "none" });
    expect([refused.field, refused.allowed.length]).toEqual(["categorySlug", 100]);
    await site.sql("DELETE FROM notes_categories");
  });
});

describe("two writers of one row", () => {
  it("do not overwrite each other unseen: the second is told the revision now", async () => {
    const read = async () =>
      (await site.mcp.ok("tool_config_list", { limit: 100 })).tools.find(
        (it: { name: string }) => it.name === "web_search",
      );
    const before = await read();
    const write = (note: string | null, expectedRevision: string) =>
      site.mcp.call("tool_config_set", { name: "web_search", enabled: false, note, expectedRevision });
    const [one, other] = await Promise.all([write("one", before.revision), write("other", before.revision)]);
    const [won, lost] = (one.isError ? [other, one] : [one, other]) as [Called, Called];
    expect([won.isError, lost.isError]).toEqual([false, true]);
    expect(lost.result).toMatchObject({ field: "expectedRevision", revision: won.result.tool.revision });
    expect(await read()).toEqual(won.result.tool);
    expect((await write(null, lost.result.revision)).result).toMatchObject({ tool: { note: null }, changed: true });
  });

  it("of which a write leaves a field out keep it, and clear it with null", async () => {
    const set = async (fields: object) =>
      (await site.mcp.ok("tool_config_set", { name: "web_search", enabled: false, ...fields })).tool;
    expect(await set({ note: "kept", dangerous: true })).toMatchObject({ note: "kept", dangerous: true });
    expect(await set({})).toMatchObject({ note: "kept", dangerous: true });
    expect(await set({ note: null, dangerous: false })).toMatchObject({ note: null, dangerous: false });
  });
});

describe("more calls than can run at once", () => {
  it("are told to come again, and those that run are answered", async () => {
    const locker = new Client({ connectionString: site.database.adminUrl });
    await locker.connect();
    await locker.query("BEGIN; LOCK TABLE tool_config IN ACCESS EXCLUSIVE MODE");
    try {
      const calls = Array.from({ length: LIMITS.mcpCallsAtOnce + 3 }, () => site.mcp.call("tool_config_list"));
      const early = await Promise.race(calls);
      expect([early.isError, early.result]).toEqual([
        true,
        { error: "Too many calls are running.", retry: "The same call may be sent again in a moment." },
      ]);
      await locker.query("ROLLBACK");
      const refused = (await Promise.all(calls)).filter(({ isError }) => isError);
      expect(refused.map(({ result }) => result.error)).toEqual(Array(3).fill("Too many calls are running."));
    } finally {
      await locker.end();
    }
  });
});

describe("the pages' bundle", () => {
  it("knows no tool by name (U7)", async () => {
    const { filesBelow } = await import("../../cli/files.mts");
    const { existsSync, readFileSync } = await import("node:fs");
    const folders = ["apps/web/app", "apps/web/features", "apps/web/lib", "apps/web/ui", "apps/web/.next/static"];
    const files = folders
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => filesBelow(folder, /^node_modules$/));
    expect(files.length).toBeGreaterThan(20);
    const naming = files.filter((file) => {
      const text = readFileSync(file, "utf8");
      return TOOLS.some(({ name }) => text.includes(name)) || text.includes("mcp_audit");
    });
    expect(naming).toEqual([]);
  });
});
