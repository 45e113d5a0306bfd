/** The traffic as its owner reads it, against rows of several days. */
import { beforeAll, describe, expect, test } from "bun:test";
import { databaseForFile } from "../../../../tests/support/database-for-file.mts";
import { secretBox } from "../../lib/secret-box";
import { readTraffic } from "../../stores/traffic";
import { callTool } from "../call-tool";
import { trafficTools } from "./traffic";

const opened = databaseForFile();
/** In Shanghai it is the second of March already. */
const NOW = new Date("2026-03-01T20:00:00Z");

beforeAll(async () => {
  const views = [
    ["2026-03-02", "/", "a", "Chrome/Windows", 3],
    ["2026-03-02", "/notes", "a", "Chrome/Windows", 1],
    ["2026-03-02", "/", "b", "Safari/iOS", 1],
    // The same person as a or b, or another: nobody can tell.
    ["2026-03-01", "/", "c", "Safari/iOS", 2],
    ["2026-02-01", "/about", "d", "Bot/Other", 7],
    ["2026-01-31", "/*", "e", "Bot/Other", 100],
    // A clock that went wrong.
    ["2026-03-03", "/", "f", "Bot/Other", 9],
  ];
  for (const [day, path, visitor, ua, hits] of views) {
    await opened.admin.query("INSERT INTO visits (day, path, visitor, ua, hits) VALUES ($1, $2, md5($3), $4, $5)", [
      day,
      path,
      visitor,
      ua,
      hits,
    ]);
  }
});

async function call(name: string, args: object = {}) {
  const result = await callTool(trafficTools.find((tool) => tool.name === name)!, args, {
    db: opened.db,
    box: secretBox(""),
    log: { info: () => {}, error: () => {} },
    principal: { name: "owner", readOnly: true },
    now: NOW,
    signal: new AbortController().signal,
    cursorSecret: "secret",
    audit: async () => {},
  });
  return result.structuredContent ?? result.content;
}

describe("the traffic", () => {
  test("of the last 30 days, with the sum of daily visitors", async () => {
    expect(await call("traffic_overview")).toEqual({
      from: "2026-02-01",
      to: "2026-03-02",
      views: 14,
      visitorDays: 4,
      days: [
        { day: "2026-02-01", views: 7, visitors: 1 },
        { day: "2026-03-01", views: 2, visitors: 1 },
        { day: "2026-03-02", views: 5, visitors: 2 },
      ],
    });
  });

  test("of one day is today's, of a year is all", async () => {
    expect(await call("traffic_overview", { days: 1 })).toMatchObject({ from: "2026-03-02", views: 5, visitorDays: 2 });
    expect(await call("traffic_overview", { days: 365 })).toMatchObject({ from: "2025-03-03", views: 114 });
  });

  test("of a site that nobody has read is nothing, not absent", async () => {
    expect(await readTraffic(opened.db, { from: "1999-01-01", to: "1999-01-02" })).toEqual({
      views: 0,
      visitorDays: 0,
      days: [],
    });
  });

  test("by page, the most opened first, cut at the limit, with how many there are", async () => {
    const period = { from: "2026-02-01", to: "2026-03-02" };
    expect(await call("traffic_paths", { limit: 2 })).toEqual({
      ...period,
      paths: [
        { path: "/about", views: 7, visitorDays: 1 },
        { path: "/", views: 6, visitorDays: 3 },
      ],
      total: 3,
    });
  });

  test("by browser family", async () => {
    expect(await call("traffic_agents", { days: 2 })).toEqual({
      from: "2026-03-01",
      to: "2026-03-02",
      agents: [
        { agent: "Chrome/Windows", views: 4, visitorDays: 1 },
        { agent: "Safari/iOS", views: 3, visitorDays: 2 },
      ],
    });
  });

  test.each([0, 366, 1.5, "30x"])("of %p days is refused", async (days) => {
    expect(JSON.stringify(await call("traffic_overview", { days }))).toContain("days");
    expect(Array.isArray(await call("traffic_overview", { days }))).toBe(true);
  });
});
