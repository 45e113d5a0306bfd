/**
 * What one visitor, one network and one day may use, over real HTTP: who is refused with which code, that a refusal
 * tells no number and changes nothing, and that no failure lets anybody in. Each test speaks from a network of its own.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "bun:test";
import { say } from "../../../tests/support/openai-server.mts";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";
import type { Stream, Visitor } from "../../../tests/support/visitor.mts";
import { VISITOR_LIMITS } from "../stores/visitor-limits";

/** 0: no limit unless a test sets one. */
const NONE = Object.fromEntries(VISITOR_LIMITS.map((name) => [name, 0]));
const LIMITS_OF_SITE = { ...NONE, visitorLimitsAgeMs: 0, networkSessionsPerHour: 4 };

let site: Site;
beforeAll(async () => {
  site = await startSite({ limits: LIMITS_OF_SITE });
}, START_MS);
afterAll(() => site.stop());

const COLUMNS = VISITOR_LIMITS.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
/** The owner's row: what is not given is the program's default. */
const setLimits = (limits: Record<string, number> = {}) =>
  site.sql(`UPDATE visitor_limits SET ${COLUMNS.map((column) => `${column} = ${limits[column] ?? "NULL"}`)}`);
const setDay = (changes: string) => site.sql(`UPDATE llm_config SET ${changes}, updated_at = now()`);

let networks = 0;
/** Another address of this test's network. */
let addressOf: (host: number) => string;
beforeEach(async () => {
  const network = ++networks;
  addressOf = (host) => `198.18.${network}.${host}`;
  await setLimits({ network_sessions_per_hour: 0 });
  await setDay("daily_token_limit = 0, daily_cost_limit_cents = 0, max_turns_per_session = 0");
  await site.sql("TRUNCATE daily_quota");
});

/** Asks and reads the answer to its end; returns the session. */
async function turn(visitor: Visitor, sessionId?: string): Promise<string> {
  site.model.next(say("Yes."));
  const frames = await (await visitor.ask("Hello", sessionId)).rest();
  expect(frames.at(-1)!.event).toBe("done");
  return frames[0]!.data.sessionId;
}

/** Without the trace, which an earlier turn may still be writing. */
const settledDump = async () => (await site.dump()).filter((line) => !line.startsWith("trace_events"));

/** A refusal, and that it tells no number, gives no cookie to a stranger and leaves the database as it was. */
async function refusal(visitor: Visitor, sessionId?: string): Promise<[string, string | null]> {
  const before = await settledDump();
  const stranger = visitor.cookie === undefined;
  const { status, body, headers } = await visitor.post("/agent/ask", { prompt: "Hello", sessionId });
  expect(status).toBe(429);
  expect(JSON.stringify(body)).not.toMatch(/\d/);
  if (stranger) expect(headers.get("set-cookie")).toBeNull();
  expect(await settledDump()).toEqual(before);
  return [body.code, headers.get("retry-after")];
}

async function emptySession(visitor: Visitor): Promise<string> {
  return (await visitor.post("/agent/sessions", {})).body.session.id;
}

describe("a day that is used up", () => {
  it.each([
    ["daily_tokens", "tokens = 150", "daily_token_limit = 100"],
    ["daily_cost", "cost_micros = 987650", "daily_cost_limit_cents = 98"],
  ])(
    "refuses new sessions with %s, also those made before, and lets a conversation go on",
    async (code, used, limit) => {
      const visitor = site.visitor(addressOf(1));
      const going = await turn(visitor);
      const other = site.visitor(addressOf(1));
      const empty = await emptySession(other);
      await setDay(limit);
      await site.sql(`UPDATE daily_quota SET ${used}`);
      expect(await refusal(site.visitor(addressOf(1)))).toEqual([code, null]);
      expect(await refusal(other, empty)).toEqual([code, null]);
      expect(await refusal(visitor)).toEqual([code, null]);
      expect(await turn(visitor, going)).toBe(going);
      // The owner can see why.
      const line = await site.app.logged("a limit of the owner's is reached");
      expect(line).toMatch(/"used":\d+,"limit":\d+/);
    },
  );

  it("tells a stranger nothing of somebody else's session", async () => {
    const id = await turn(site.visitor(addressOf(1)));
    await setDay("daily_token_limit = 1, max_turns_per_session = 1");
    const { status, body } = await site.visitor(addressOf(1)).post("/agent/ask", { prompt: "Hello", sessionId: id });
    expect([status, body.code]).toEqual([404, "not_found"]);
  });

  it("that cannot be counted costs the visitor nothing: the turn ends with done (H7)", async () => {
    await site.sql("REVOKE INSERT, UPDATE ON daily_quota FROM visitor_rw");
    try {
      await turn(site.visitor(addressOf(1)));
      await site.app.logged("the day's usage was not recorded");
    } finally {
      await site.sql("GRANT INSERT, UPDATE ON daily_quota TO visitor_rw");
    }
  });

  it("that cannot be read lets nobody in", async () => {
    await site.sql("REVOKE SELECT ON daily_quota FROM visitor_rw");
    try {
      const { status, body } = await site.visitor(addressOf(1)).post("/agent/ask", { prompt: "Hello" });
      expect([status, body.code]).toEqual([500, "internal"]);
    } finally {
      await site.sql("GRANT SELECT ON daily_quota TO visitor_rw");
    }
  });
});

it("a session's last turn is its last", async () => {
  await setDay("max_turns_per_session = 2");
  const visitor = site.visitor(addressOf(1));
  const id = await turn(visitor);
  await turn(visitor, id);
  expect(await refusal(visitor, id)).toEqual(["turn_limit", null]);
  await turn(visitor);
});

it("adds up the model's round trips of one turn: 1,330 and 1,054 tokens are 2,384 (H6)", async () => {
  const visitor = site.visitor(addressOf(1));
  site.model.next((reply) => {
    reply.toolCall("notes_search", { query: "veto" });
    reply.finish(1_330);
  });
  site.model.next((reply) => {
    reply.text("Done.");
    reply.finish(1_054);
  });
  const frames = await (await visitor.ask("Look it up")).rest();
  expect(frames.at(-1)!.data).toMatchObject({ outcome: "completed", modelRoundTrips: 2, totalTokens: 2_384 });
  expect(await site.sql("SELECT tokens::int, turns::int FROM daily_quota")).toEqual([{ tokens: 2_384, turns: 1 }]);
});

describe("turns in an hour", () => {
  it("of a visitor end with rate_limited and the minutes to wait, over all of the visitor's sessions", async () => {
    await setLimits({ visitor_turns_per_hour: 2, network_sessions_per_hour: 0 });
    const visitor = site.visitor(addressOf(1));
    const id = await turn(visitor);
    await turn(visitor, id);
    await turn(visitor);
    // The first turn was a stranger's: it counts for the network alone.
    expect(await refusal(visitor, id)).toEqual(["rate_limited", "1800"]);
    expect(await refusal(visitor)).toEqual(["rate_limited", "1800"]);
    await turn(site.visitor(addressOf(1)));
    // The owner's change holds for the next message.
    await setLimits({ network_sessions_per_hour: 0 });
    await turn(visitor, id);
  });

  it("of a network end for all of its visitors, and for nobody else", async () => {
    await setLimits({ network_turns_per_hour: 3, network_sessions_per_hour: 0 });
    const first = site.visitor(addressOf(1));
    const id = await turn(first);
    await turn(site.visitor(addressOf(2)));
    await turn(site.visitor(addressOf(3)));
    expect(await refusal(site.visitor(addressOf(4)))).toEqual(["rate_limited", "1200"]);
    expect(await refusal(first, id)).toEqual(["rate_limited", "1200"]);
    // A forged hop further left changes nothing.
    const forging = site.visitor(`192.0.2.1, ${addressOf(5)}`);
    expect(await refusal(forging)).toEqual(["rate_limited", "1200"]);
    networks += 1;
    await turn(site.visitor(`198.18.${networks}.1`));
  });

  it("are not used up by what was refused for another reason", async () => {
    await setLimits({ network_turns_per_hour: 1, network_sessions_per_hour: 0 });
    await setDay("daily_token_limit = 1");
    await site.sql("INSERT INTO daily_quota (day, tokens) VALUES ((now() AT TIME ZONE 'Asia/Shanghai')::date, 5)");
    for (let n = 0; n < 3; n++) expect(await refusal(site.visitor(addressOf(1)))).toEqual(["daily_tokens", null]);
    await setDay("daily_token_limit = 0");
    await turn(site.visitor(addressOf(1)));
    expect((await refusal(site.visitor(addressOf(1))))[0]).toBe("rate_limited");
  });
});

describe("sessions in an hour", () => {
  it("end a loop that keeps no cookie: it makes as many visitors and sessions as the limit says, and no more", async () => {
    await setLimits({ network_sessions_per_hour: 5 });
    const made = async () => (await site.sql("SELECT count(*)::int AS n FROM visitors"))[0].n;
    const before = await made();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => site.visitor(addressOf(n)).post("/agent/sessions", {})),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.map(({ body, headers }) => [body.code, headers.get("retry-after")])).toEqual(
      Array.from({ length: 35 }, () => ["rate_limited", "720"]),
    );
    expect(refused.every(({ headers }) => headers.get("set-cookie") === null)).toBe(true);
    expect((await made()) - before).toBe(5);
    // The other door leads to the same.
    expect(await refusal(site.visitor(addressOf(9)))).toEqual(["rate_limited", "720"]);
  });

  it("of a visitor end, and the sessions there are go on", async () => {
    await setLimits({ visitor_sessions_per_hour: 1, network_sessions_per_hour: 0 });
    const visitor = site.visitor(addressOf(1));
    const id = await turn(visitor);
    await turn(visitor);
    expect(await refusal(visitor)).toEqual(["rate_limited", "3600"]);
    await turn(visitor, id);
  });
});

describe("turns at once", () => {
  async function held(visitor: Visitor, sessionId?: string): Promise<{ stream: Stream; end: () => Promise<void> }> {
    const release = Promise.withResolvers<void>();
    site.model.next(async (reply) => {
      reply.text("…");
      await release.promise;
      reply.finish();
    });
    const stream = await visitor.ask("Hold", sessionId);
    await stream.until("delta");
    const end = async () => {
      release.resolve();
      await stream.rest();
    };
    return { stream, end };
  }

  it("of a visitor and of a network are seats: refused while taken, free when a turn has ended", async () => {
    await setLimits({ visitor_turns_at_once: 1, network_turns_at_once: 2, network_sessions_per_hour: 0 });
    const visitor = site.visitor(addressOf(1));
    await emptySession(visitor);
    const one = await held(visitor);
    expect((await visitor.post("/agent/ask", { prompt: "Hello" })).body.code).toBe("slots_full");
    const two = await held(site.visitor(addressOf(2)));
    const third = await site.visitor(addressOf(3)).post("/agent/ask", { prompt: "Hello" });
    expect([third.status, third.body.code, third.headers.get("set-cookie")]).toEqual([429, "slots_full", null]);
    await one.end();
    await turn(visitor);
    await two.end();
    await turn(site.visitor(addressOf(3)));
  });

  it("are given back by a turn that could not start", async () => {
    await setLimits({ network_turns_at_once: 1, network_sessions_per_hour: 0 });
    await site.sql("REVOKE INSERT ON messages FROM visitor_rw");
    try {
      for (let n = 0; n < 3; n++) {
        expect((await site.visitor(addressOf(1)).post("/agent/ask", { prompt: "Hello" })).body.code).toBe("internal");
      }
    } finally {
      await site.sql("GRANT INSERT ON messages TO visitor_rw");
    }
    await turn(site.visitor(addressOf(1)));
  });
});

describe("limits that cannot be read", () => {
  const closed = async (work: () => Promise<void>) => {
    await site.sql("REVOKE SELECT ON visitor_limits FROM config_ro");
    try {
      await work();
    } finally {
      await site.sql("GRANT SELECT ON visitor_limits TO config_ro");
    }
  };

  it("are the last known ones, and after a start the defaults: never none", async () => {
    await setLimits({ network_turns_per_hour: 1, network_sessions_per_hour: 0 });
    await turn(site.visitor(addressOf(1)));
    await closed(async () => {
      expect((await refusal(site.visitor(addressOf(1))))[0]).toBe("rate_limited");
      await site.app.logged("The limits of visitors could not be read");
      await site.restart();
      for (let n = 0; n < LIMITS_OF_SITE.networkSessionsPerHour; n++) await emptySession(site.visitor(addressOf(1)));
      const { body } = await site.visitor(addressOf(1)).post("/agent/sessions", {});
      expect(body.code).toBe("rate_limited");
    });
  });

  it("are the defaults where the row is lost", async () => {
    await site.sql("DELETE FROM visitor_limits");
    for (let n = 0; n < LIMITS_OF_SITE.networkSessionsPerHour; n++) await emptySession(site.visitor(addressOf(1)));
    expect((await site.visitor(addressOf(1)).post("/agent/sessions", {})).body.code).toBe("rate_limited");
    await site.sql("INSERT INTO visitor_limits DEFAULT VALUES");
  });
});

it("what somebody has used is nowhere in the database, nor is an address", async () => {
  await turn(site.visitor(addressOf(1)));
  expect((await site.dump()).filter((line) => line.includes("198.18."))).toEqual([]);
});
