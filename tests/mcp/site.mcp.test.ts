/** What the owner reads of the site over the wire: its state, counts of sessions, the bounds of scripts, and honest noes. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quotaDay } from "../../apps/api/stores/quota";
import { VISITOR_LIMITS } from "../../apps/api/stores/visitor-limits";
import { LIMITS } from "../../shared/limits";
import { type McpSite, startMcpSite } from "../support/mcp.mts";
import { START_MS } from "../support/site.mts";

const folder = mkdtempSync(join(tmpdir(), "xray-site-status-"));
const socketPath = join(folder, "runner.sock");
/** What the runner of the test says of itself; undefined: something that is no answer of a runner. */
let health: object | undefined = { ok: true, missing: [], slots: 2, active: 1, waiting: 3, user: "root", skills: [] };
let runner: Server;
let site: McpSite;

beforeAll(async () => {
  runner = createServer((request, response) => {
    const body = request.method === "GET" && request.url === "/health" ? health : undefined;
    response.end(body ? JSON.stringify(body) : "<html>");
  }).listen(socketPath);
  await once(runner, "listening");
  site = await startMcpSite({
    env: {
      XRAY_SKILL_RUNNER_URL: `unix:${socketPath}`,
      XRAY_SKILL_RUNNER_EGRESS_URL: `unix:${join(folder, "nobody.sock")}`,
      XRAY_DEMO_MODEL: "1",
    },
  });
}, START_MS);
afterAll(async () => {
  await site.stop();
  runner.close();
  rmSync(folder, { recursive: true, force: true });
});

const status = () => site.mcp.ok("site_status");

describe("site_status", () => {
  it("says what runs, in which version, what is configured, what waits and what is left", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    const [{ server_version }] = await site.sql("SHOW server_version");
    const found = await status();
    expect(found).toEqual({
      version,
      uptimeSeconds: expect.any(Number),
      answering: "provider",
      providers: [
        { family: "llm", configured: 1, defaultProvider: "zz9gw", usable: true },
        { family: "websearch", configured: 0, defaultProvider: null, usable: false },
        { family: "imagegen", configured: 0, defaultProvider: null, usable: false },
      ],
      runners: [
        { tier: "none", state: "ready", missing: [], slots: 2, active: 1, waiting: 3 },
        { tier: "egress", state: "unreachable", missing: [], slots: 0, active: 0, waiting: 0 },
      ],
      turnsRunning: 0,
      sessions: 0,
      database: { version: server_version.split(" ")[0], sizeBytes: expect.any(Number) },
      disk: { freeBytes: expect.any(Number), totalBytes: expect.any(Number) },
      memoryBytes: expect.any(Number),
    });
    expect(found.database.sizeBytes).toBeGreaterThan(1_000_000);
    expect(found.disk.totalBytes).toBeGreaterThanOrEqual(found.disk.freeBytes);
  });

  it("names no path, no address and nothing more of a runner than it should", async () => {
    const { wire } = await site.mcp.call("site_status");
    for (const secret of [folder, "runner.sock", "root", "127.0.0.1", site.model.host]) {
      expect([secret, wire.text.includes(secret)]).toEqual([secret, false]);
    }
  });

  it("tells a runner that refuses, with the reasons, from one that answers as no runner does", async () => {
    health = { ok: false, missing: ["landlock"], slots: 2, active: 0, waiting: 0 };
    expect((await status()).runners[0]).toMatchObject({ state: "refusing", missing: ["landlock"] });
    for (const odd of [undefined, { ok: true }, { ...health, missing: ["/etc/passwd"] }, { ...health, slots: -1 }]) {
      health = odd;
      expect((await status()).runners[0]).toMatchObject({ state: "unreachable", missing: [] });
    }
  });

  it("says who answers: nobody while the default cannot be used, the demo while there is none", async () => {
    await site.sql("UPDATE llm_config SET base_url = 'https://evil.example'");
    expect(await status()).toMatchObject({
      answering: "nobody",
      providers: [{ family: "llm", configured: 1, defaultProvider: "zz9gw", usable: false }, {}, {}],
    });
    await site.sql("UPDATE llm_config SET is_default = FALSE");
    expect(await status()).toMatchObject({
      answering: "demo",
      providers: [{ defaultProvider: null, usable: false }, {}, {}],
    });
    await site.sql("UPDATE llm_config SET base_url = $1, is_default = TRUE", [site.model.baseUrl]);
    expect((await status()).answering).toBe("provider");
  });
});

describe("sessions_stats", () => {
  it("counts by day in Shanghai, newest first, kept sessions and what is long gone", async () => {
    await site.sql("TRUNCATE sessions CASCADE");
    await site.sql("TRUNCATE daily_quota");
    expect((await site.mcp.ok("sessions_stats", { days: LIMITS.statsDays })).days).toEqual([]);

    const today = quotaDay(new Date());
    const daysAgo = (count: number) => new Date(Date.parse(today) - count * 86_400_000).toISOString().slice(0, 10);
    // The last second of yesterday in Shanghai, and the first of today.
    for (const [at, outcomes] of [
      [`${daysAgo(1)}T23:59:59+08`, ["completed", "failed"]],
      [`${today}T00:00:00+08`, ["completed", "stopped", "interrupted", "completed"]],
    ] as const) {
      const [{ id }] = await site.sql(
        "INSERT INTO sessions (title, created_at) VALUES ('planted title', $1) RETURNING id",
        [at],
      );
      for (const [turn, outcome] of outcomes.entries()) {
        const insert =
          "INSERT INTO messages (session_id, seq, role, content, outcome, created_at) VALUES ($1,$2,$3,$4,$5,$6)";
        await site.sql(insert, [id, turn * 2, "user", "planted words", null, at]);
        await site.sql(insert, [id, turn * 2 + 1, "assistant", "planted words", outcome, at]);
      }
    }
    const used =
      "INSERT INTO daily_quota (day, turns, tokens, cost_micros, searches, images, skill_runs) VALUES ($1,$2,$3,$4,$5,$6,$7)";
    await site.sql(used, [today, 4, 500, 60, 1, 2, 3]);
    await site.sql(used, [daysAgo(6), 9, 900, 90, 0, 0, 0]);
    await site.sql(used, [daysAgo(7), 1, 1, 1, 0, 0, 0]);

    const none = { sessions: 0, completed: 0, stopped: 0, failed: 0, interrupted: 0 };
    const unused = { turns: 0, tokens: 0, costMicros: 0, searches: 0, images: 0, skillRuns: 0 };
    const { wire, result } = await site.mcp.call("sessions_stats");
    expect(result).toEqual({
      from: daysAgo(6),
      to: today,
      days: [
        {
          day: today,
          ...{ sessions: 1, completed: 2, stopped: 1, failed: 0, interrupted: 1 },
          ...{ turns: 4, tokens: 500, costMicros: 60, searches: 1, images: 2, skillRuns: 3 },
        },
        { day: daysAgo(1), ...none, sessions: 1, completed: 1, failed: 1, ...unused },
        { day: daysAgo(6), ...none, ...unused, turns: 9, tokens: 900, costMicros: 90 },
      ],
    });
    expect(wire.text).not.toContain("planted");
    expect((await site.mcp.ok("sessions_stats", { days: 8 })).days).toHaveLength(4);
    expect((await site.mcp.ok("sessions_stats", { days: 1 })).days).toHaveLength(1);
    expect((await site.mcp.refused("sessions_stats", { days: LIMITS.statsDays + 1 })).field).toBe("days");
  });

  it("leaves a turn without a reply to site_status", async () => {
    const [{ id }] = await site.sql("INSERT INTO sessions DEFAULT VALUES RETURNING id");
    await site.sql("INSERT INTO messages (session_id, seq, role, content) VALUES ($1, 0, 'user', 'x')", [id]);
    expect(await status()).toMatchObject({ turnsRunning: 1, sessions: 3 });
  });
});

describe("sandbox_config", () => {
  it("changes what is given, keeps the rest, and says when nothing changed", async () => {
    const before = (await site.mcp.ok("sandbox_config_get")).sandbox;
    expect(before).toMatchObject({ dailyRunLimit: 0, totalTimeoutMs: 30_000 });
    const first = await site.mcp.ok("sandbox_config_set", { dailyRunLimit: 5, expectedRevision: before.revision });
    expect(first).toMatchObject({ sandbox: { dailyRunLimit: 5, totalTimeoutMs: 30_000 }, changed: true });
    const second = await site.mcp.ok("sandbox_config_set", { totalTimeoutMs: 9_000 });
    expect(second).toMatchObject({ sandbox: { dailyRunLimit: 5, totalTimeoutMs: 9_000 }, changed: true });
    expect(await site.mcp.ok("sandbox_config_set", { totalTimeoutMs: 9_000 })).toEqual({ ...second, changed: false });
    expect((await site.mcp.ok("sandbox_config_get")).sandbox).toEqual(second.sandbox);
  });

  it("refuses what is past the bounds, nothing at all, and a row that somebody else has changed", async () => {
    const { sandbox } = await site.mcp.ok("sandbox_config_get");
    for (const [args, field] of [
      [{ totalTimeoutMs: 4_999 }, "totalTimeoutMs"],
      [{ totalTimeoutMs: 120_001 }, "totalTimeoutMs"],
      [{ dailyRunLimit: -1 }, "dailyRunLimit"],
      [{ dailyRunLimit: 1.5 }, "dailyRunLimit"],
      [{ dailyRunLimit: null }, "dailyRunLimit"],
      [{ dailyRunLimit: 1, expectedRevision: "0123456789abcdef" }, "expectedRevision"],
    ] as const) {
      expect([args, (await site.mcp.refused("sandbox_config_set", args)).field]).toEqual([args, field]);
    }
    expect((await site.mcp.refused("sandbox_config_set", {})).allowed).toEqual(["dailyRunLimit", "totalTimeoutMs"]);
    expect((await site.mcp.ok("sandbox_config_get")).sandbox).toEqual(sandbox);
  });

  it("of two writers at once tells the slower one", async () => {
    const { sandbox } = await site.mcp.ok("sandbox_config_get");
    const write = (dailyRunLimit: number) =>
      site.mcp.call("sandbox_config_set", { dailyRunLimit, expectedRevision: sandbox.revision });
    const outcomes = await Promise.all([write(11), write(12)]);
    expect(outcomes.map(({ isError }) => isError).sort()).toEqual([false, true]);
    const won = outcomes.find(({ isError }) => !isError)!.result.sandbox;
    expect((await site.mcp.ok("sandbox_config_get")).sandbox).toEqual(won);
  });
});

describe("visitor_limits", () => {
  const DEFAULTS = Object.fromEntries(VISITOR_LIMITS.map((name) => [name, LIMITS[name]]));

  it("are the program's until the owner sets one, and again when the owner takes it back", async () => {
    const before = (await site.mcp.ok("visitor_limits_get")).visitorLimits;
    expect(before).toEqual({ ...DEFAULTS, changedFromDefault: [], revision: expect.any(String) });
    const set = await site.mcp.ok("visitor_limits_set", {
      visitorTurnsPerHour: 7,
      networkTurnsAtOnce: 0,
      expectedRevision: before.revision,
    });
    const expected = {
      ...DEFAULTS,
      visitorTurnsPerHour: 7,
      networkTurnsAtOnce: 0,
      changedFromDefault: ["visitorTurnsPerHour", "networkTurnsAtOnce"],
    };
    expect(set).toEqual({ visitorLimits: { ...expected, revision: expect.any(String) }, changed: true });
    expect(await site.mcp.ok("visitor_limits_set", { visitorTurnsPerHour: 7 })).toEqual({ ...set, changed: false });
    expect((await site.mcp.ok("visitor_limits_get")).visitorLimits).toEqual(set.visitorLimits);
    const back = await site.mcp.ok("visitor_limits_set", { visitorTurnsPerHour: null, networkTurnsAtOnce: null });
    expect(back).toEqual({ visitorLimits: before, changed: true });
    const [audited] = await site.sql(
      "SELECT summary FROM mcp_audit WHERE tool = 'visitor_limits_set' ORDER BY id DESC",
    );
    expect(audited.summary).toBe("visitorTurnsPerHour default, networkTurnsAtOnce default");
  });

  it("refuse what is past the bounds, nothing at all, and a row that somebody else has changed", async () => {
    const { visitorLimits } = await site.mcp.ok("visitor_limits_get");
    for (const [args, field] of [
      [{ visitorTurnsPerHour: -1 }, "visitorTurnsPerHour"],
      [{ networkSessionsPerHour: 1.5 }, "networkSessionsPerHour"],
      [{ networkTurnsPerHour: LIMITS.visitorLimitMost + 1 }, "networkTurnsPerHour"],
      [{ visitorTurnsAtOnce: 1, expectedRevision: "0123456789abcdef" }, "expectedRevision"],
    ] as const) {
      expect([args, (await site.mcp.refused("visitor_limits_set", args)).field]).toEqual([args, field]);
    }
    expect((await site.mcp.refused("visitor_limits_set", {})).allowed).toEqual(VISITOR_LIMITS);
    expect((await site.mcp.ok("visitor_limits_get")).visitorLimits).toEqual(visitorLimits);
  });
});

describe("what is not there yet", () => {
  it("is said without an error, with what to do instead", async () => {
    expect(await site.mcp.ok("backup_status")).toMatchObject({ state: "never_made", lastBackupAt: null });
  });
});
