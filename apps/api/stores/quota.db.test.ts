/** What a day may use (§8), against a real Postgres: who is refused, what is counted, and what happens at the ends. */
import { beforeEach, describe, expect, it } from "bun:test";
import { randomBytes, randomUUID } from "node:crypto";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import { secretBox } from "../lib/secret-box";
import { llmProviders } from "./llm-config";
import { appendVisitorMessage, storeTurn } from "./messages";
import { addTurnUsage, quotaRefusal, reserveImage, reserveSearch, reserveSkillRun } from "./quota";
import { createSession, findSession, listSessions } from "./sessions";
import { countByDay } from "./site-counts";
import { createVisitor } from "./visitors";

const opened = databaseForFile();
const at = new Date("2026-03-01T12:00:00Z");
const TODAY = "2026-03-01";
const BIGINT_MOST = "9223372036854775807";

interface Limits {
  dailyTokenLimit?: number;
  dailyCostLimitCents?: number;
  maxTurnsPerSession?: number;
}

async function limitTo(limits: Limits): Promise<void> {
  const row = {
    provider: "zz9gw",
    baseUrl: "https://api.openai.com/v1",
    apiKey: "mark0key0mark0key0",
    modelId: "qq-17x",
    dailyTokenLimit: 0,
    dailyCostLimitCents: 0,
    maxTurnsPerSession: 0,
  };
  await llmProviders.upsert(opened.db, secretBox(randomBytes(32).toString("base64")), { ...row, ...limits }, []);
}

const use = (columns: string, ...values: (number | string)[]) =>
  opened.admin.query(
    `INSERT INTO daily_quota (day, ${columns}) VALUES ('${TODAY}', ${values.map((_, n) => `$${n + 1}`)})`,
    values,
  );

async function sessionWith(turns: number) {
  const visitor = await createVisitor(opened.db, randomUUID().replaceAll("-", "").repeat(2));
  const session = await createSession(opened.db, visitor, { id: randomUUID() });
  if (session === "rate_limited") throw new Error("refused");
  for (let turn = 0; turn < turns; turn++) {
    const { turnSeq } = (await appendVisitorMessage(opened.db, visitor, session.id, "hello"))!;
    await storeTurn(opened.db, session.id, turnOf(turnSeq, 0, 0), new Date("2020-01-01T00:00:00Z"));
  }
  return { visitor, id: session.id };
}

function turnOf(turnSeq: number, totalTokens: number, costMicros: number) {
  const usage = { totalTokens, costMicros };
  return { turnSeq, content: "", outcome: "completed" as const, modelRoundTrips: 1, turnMs: 1, toolCalls: [], usage };
}

const codeFor = async (sessionId?: string, now = at) => (await quotaRefusal(opened.db, sessionId, now))?.code;

beforeEach(async () => {
  await opened.admin.query("TRUNCATE daily_quota, llm_config");
});

describe("a used-up day", () => {
  it("refuses a new session and a created one that has no turn yet, and lets a session with a turn go on (H1)", async () => {
    await limitTo({ dailyTokenLimit: 100 });
    await use("tokens", 150);
    expect(await codeFor()).toBe("daily_tokens");
    expect(await codeFor((await sessionWith(0)).id)).toBe("daily_tokens");
    expect(await codeFor((await sessionWith(1)).id)).toBeUndefined();
  });

  it("is used up at its limit, not before, for tokens and for cost in micro-USD", async () => {
    await limitTo({ dailyTokenLimit: 100, dailyCostLimitCents: 2 });
    await use("tokens, cost_micros", 99, 19_999);
    expect(await codeFor()).toBeUndefined();
    await opened.admin.query("UPDATE daily_quota SET cost_micros = 20000");
    expect(await quotaRefusal(opened.db, undefined, at)).toEqual({ code: "daily_cost", used: 20_000, limit: 20_000 });
    await opened.admin.query("UPDATE daily_quota SET tokens = 100");
    expect(await codeFor()).toBe("daily_tokens");
  });

  it("is over at midnight in Shanghai, and a clock that is set back finds the day as it was", async () => {
    await limitTo({ dailyTokenLimit: 100 });
    await use("tokens", 150);
    expect(await codeFor(undefined, new Date("2026-03-01T15:59:59.999Z"))).toBe("daily_tokens");
    expect(await codeFor(undefined, new Date("2026-03-01T16:00:00.000Z"))).toBeUndefined();
    await addTurnUsage(opened.db, { totalTokens: 200, costMicros: 0 }, new Date("2031-01-01T00:00:00Z"));
    expect(await codeFor(undefined, new Date("2031-01-01T00:00:00Z"))).toBe("daily_tokens");
    expect(await codeFor(undefined, new Date("2001-01-01T00:00:00Z"))).toBeUndefined();
    expect(await codeFor()).toBe("daily_tokens");
  });

  it("refuses nobody with limits of 0, and nobody where no provider is the default", async () => {
    await use("tokens, cost_micros, turns", BIGINT_MOST, BIGINT_MOST, BIGINT_MOST);
    await limitTo({});
    expect(await codeFor()).toBeUndefined();
    await limitTo({ dailyTokenLimit: 1 });
    expect(await codeFor()).toBe("daily_tokens");
    await llmProviders.clearDefault(opened.db);
    expect(await codeFor()).toBeUndefined();
  });
});

describe("a session's turns", () => {
  it("end at their limit, on whatever day", async () => {
    await limitTo({ maxTurnsPerSession: 2 });
    expect(await codeFor((await sessionWith(0)).id)).toBeUndefined();
    expect(await codeFor((await sessionWith(1)).id)).toBeUndefined();
    const full = await sessionWith(2);
    expect(await codeFor(full.id)).toBe("turn_limit");
    expect(await codeFor(full.id, new Date("2031-01-01T00:00:00Z"))).toBe("turn_limit");
  });
});

describe("what is counted", () => {
  const today = async () => (await countByDay(opened.db, { from: TODAY, to: TODAY }))[0]!;

  it("adds up exactly: 1,000 turns at 0.00001 USD are 10,000 micro-USD (H4)", async () => {
    for (let turn = 0; turn < 1_000; turn += 50) {
      const some = Array.from({ length: 50 }, () => addTurnUsage(opened.db, { totalTokens: 3, costMicros: 10 }, at));
      await Promise.all(some);
    }
    expect(await today()).toMatchObject({ turns: 1_000, tokens: 3_000, costMicros: 10_000 });
  });

  it("takes no number that is none", async () => {
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -5]) {
      await addTurnUsage(opened.db, { totalTokens: odd, costMicros: odd }, at);
    }
    expect(await today()).toMatchObject({ turns: 4, tokens: 0, costMicros: 0 });
  });

  it("stops at its maximum without failing or starting over, and is still over every limit", async () => {
    await use("tokens, cost_micros, turns, skill_runs", BIGINT_MOST, BIGINT_MOST, BIGINT_MOST, BIGINT_MOST);
    await limitTo({ dailyTokenLimit: 1_000_000_000_000 });
    expect(await codeFor()).toBe("daily_tokens");
    expect((await today()).tokens).toBe(Number.MAX_SAFE_INTEGER);
    await addTurnUsage(opened.db, { totalTokens: 1_000, costMicros: 1_000 }, at);
    expect(await reserveSkillRun(opened.db, 0, at)).toEqual({ day: TODAY });
    expect(await reserveSkillRun(opened.db, 1_000_000_000, at)).toBeUndefined();
    const most = Number.MAX_SAFE_INTEGER;
    expect(await today()).toMatchObject({ tokens: most, costMicros: most, turns: most, skillRuns: most });
    expect(await codeFor()).toBe("daily_tokens");
  });

  it("of a session stops there too, and its turn is stored", async () => {
    const { visitor, id } = await sessionWith(0);
    await opened.admin.query("UPDATE sessions SET total_tokens = $1 WHERE id = $2", [BIGINT_MOST, id]);
    expect((await listSessions(opened.db, visitor, 5))[0]!.totalTokens).toBe(Number.MAX_SAFE_INTEGER);
    const { turnSeq } = (await appendVisitorMessage(opened.db, visitor, id, "hello"))!;
    for (const _ of [1, 2]) {
      const stored = await storeTurn(opened.db, id, turnOf(turnSeq, 30, 0), at);
      expect(stored).toEqual({ totalTokens: Number.MAX_SAFE_INTEGER });
    }
    expect((await findSession(opened.db, visitor, id))!.totalTokens).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each([
    ["skillRuns", reserveSkillRun],
    ["searches", reserveSearch],
    ["images", reserveImage],
  ] as const)(
    "as %s is reserved at once or not at all: of 100 at the same time 10 get one of 10 (H5)",
    async (count, reserve) => {
      const all = await Promise.all(Array.from({ length: 100 }, () => reserve(opened.db, 10, at)));
      expect(all.filter(Boolean)).toHaveLength(10);
      const none = { skillRuns: 0, searches: 0, images: 0 };
      expect(await today()).toMatchObject({ ...none, [count]: 10 });
    },
  );
});

it("no cost stands beside a session or a message (I1)", async () => {
  const { rows } = await opened.admin.query(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name ~ 'cost' ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(["daily_quota", "llm_config"]);
});
