/** The rule of the rate limit, with time passed in: bursts, refills, floods, and clocks that jump. */
import { afterEach, describe, expect, it, setSystemTime } from "bun:test";
import { RateLimit, type Share } from "./rate-limit";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

function limiter(rateLimitKeys = 100) {
  const time = { ms: 5 };
  const rates = new RateLimit({ rateLimitKeys, rateLimitSweepMs: 1_000 }, () => time.ms);
  return { rates, time };
}
const turn = (who: string, perHour = 3): Share => ({ kind: "turn", who, perHour });
/** How many of `tries` are let in. */
const letIn = (rates: RateLimit, tries: number, ...shares: Share[]) =>
  Array.from({ length: tries }, () => rates.take(shares)).filter((waitMs) => waitMs === 0).length;

describe("a rate limit", () => {
  it.each([1, 3, 7, 60, 120, 400, 1_500, 999_983])(
    "lets exactly %p in at once, and says when the next may come",
    (perHour) => {
      const { rates, time } = limiter();
      const burst = Math.min(perHour, 2_000);
      expect(letIn(rates, burst, turn("a", perHour))).toBe(burst);
      if (burst < perHour) return;
      const waitMs = rates.take([turn("a", perHour)]);
      expect(waitMs).toBeCloseTo(HOUR_MS / perHour, 3);
      time.ms += waitMs - 2;
      expect(rates.take([turn("a", perHour)])).toBeGreaterThan(0);
      time.ms += 2;
      expect(letIn(rates, 2, turn("a", perHour))).toBe(1);
    },
  );

  it("never lets more than twice the limit into any hour, however the calls are spread", () => {
    for (let gapMs = 1; gapMs <= HOUR_MS; gapMs = gapMs * 3 + 1) {
      const { rates, time } = limiter();
      const at: number[] = [];
      for (let call = 0; call < 300; call++, time.ms += gapMs) if (rates.take([turn("a", 10)]) === 0) at.push(time.ms);
      const most = Math.max(...at.map((from) => at.filter((ms) => ms >= from && ms < from + HOUR_MS).length));
      expect([gapMs, most < 20]).toEqual([gapMs, true]);
    }
  });

  it("counts each name and each kind by itself, and does not count what it refuses", () => {
    const { rates } = limiter();
    expect(letIn(rates, 9, turn("a"))).toBe(3);
    expect(letIn(rates, 9, turn("b"))).toBe(3);
    expect(letIn(rates, 9, { ...turn("a"), kind: "session" })).toBe(3);
    // One share that is used up refuses all, and the other is not charged.
    expect(letIn(rates, 9, turn("a"), turn("c"))).toBe(0);
    expect(letIn(rates, 9, turn("c"))).toBe(3);
  });

  it("with 0 is none", () => {
    const { rates } = limiter();
    expect(letIn(rates, 5_000, turn("a", 0))).toBe(5_000);
    expect(rates.size).toBe(0);
  });

  it("that is changed holds at once: the used part of an hour stays used", () => {
    const { rates } = limiter();
    expect(letIn(rates, 5, turn("a", 10))).toBe(5);
    // Half the hour is spoken for; of two an hour one is left.
    expect(letIn(rates, 5, turn("a", 2))).toBe(1);
    expect(letIn(rates, 5, turn("a", 1))).toBe(0);
  });

  it("takes back what did not take place", () => {
    const { rates } = limiter();
    for (let round = 0; round < 50; round++) {
      expect(rates.take([turn("a"), turn("n", 10)])).toBe(0);
      rates.giveBack([turn("a"), turn("n", 10)]);
    }
    expect(letIn(rates, 9, turn("a"))).toBe(3);
  });

  it("forgets a name as soon as it has nothing to tell", () => {
    const { rates, time } = limiter();
    rates.take([turn("a", 60)]);
    time.ms += MINUTE_MS + 1_000;
    rates.take([turn("b", 60)]);
    expect(rates.size).toBe(1);
  });
});

describe("a flood of names", () => {
  it("fills no memory: strangers share one allowance, and whoever was there keeps their own", () => {
    const { rates } = limiter(50);
    expect(rates.take([turn("early")])).toBe(0);
    const strangers = Array.from({ length: 5_000 }, (_, n) => rates.take([turn(`stranger ${n}`)]) === 0);
    // 49 found a place of their own, three the common one.
    expect(strangers.filter(Boolean)).toHaveLength(49 + 3);
    expect(rates.size).toBe(51);
    expect(letIn(rates, 9, turn("early"))).toBe(2);
  });

  it("is over when its names have had their time", () => {
    const { rates, time } = limiter(50);
    for (let n = 0; n < 500; n++) rates.take([turn(`stranger ${n}`, 60)]);
    time.ms += HOUR_MS + MINUTE_MS;
    expect(letIn(rates, 99, turn("late", 60))).toBe(60);
    expect(rates.size).toBe(1);
  });

  it("walks the map once a second and not at every call", () => {
    const { rates, time } = limiter(50);
    for (let n = 0; n < 50; n++) rates.take([turn(`stranger ${n}`, 1_000_000)]);
    time.ms += 900;
    rates.take([turn("one more", 1_000_000)]);
    expect(rates.size).toBe(51);
    time.ms += 200;
    rates.take([turn("one more", 1_000_000)]);
    expect(rates.size).toBe(1);
  });
});

describe("the process's clock", () => {
  afterEach(() => {
    setSystemTime();
  });

  it.each(["2001-01-01T00:00:00Z", "2099-01-01T00:00:00Z"])("set to %s neither locks out nor lets in", (moment) => {
    const rates = new RateLimit({ rateLimitKeys: 100, rateLimitSweepMs: 1_000 });
    expect(letIn(rates, 2, turn("a"))).toBe(2);
    setSystemTime(new Date(moment));
    expect(Date.now()).toBe(Date.parse(moment));
    expect(letIn(rates, 5, turn("a"))).toBe(1);
  });
});
