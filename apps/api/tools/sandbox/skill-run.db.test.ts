/** What a run costs the day, what the runner is sent, and every word that comes back of it. */
import { beforeEach, describe, expect, it } from "bun:test";
import { databaseForFile, slowDatabase } from "../../../../tests/support/database-for-file.mts";
import { ToolFailure } from "../../kernel/kernel-types";
import { quotaDay, reserveSkillRun, returnSkillRun } from "../../stores/quota";
import { aFetchingSkill, aReply, aSkill, runnerThat, sandboxWith } from "../__tests__/a-sandbox";
import type { ToolContext } from "../tool-context";
import { DAY_IS_USED, NOT_TAKEN, SANDBOX_BUSY, SANDBOX_DOWN, SANDBOX_FAILED } from "./run-texts";
import { RunnerFailure, type RunReply } from "./runner-client";
import { skillRun } from "./skill-run";

const opened = databaseForFile();
const logged: { message: string; facts?: unknown }[] = [];
const GOOD = { skill: "counting", script: "count.py", input: '{"text":"a b c"}' };

beforeEach(async () => {
  logged.length = 0;
  await opened.admin.query("DELETE FROM daily_quota");
});
const runsToday = async (): Promise<number> =>
  (await opened.admin.query("SELECT coalesce(sum(skill_runs), 0)::int AS runs FROM daily_quota")).rows[0].runs;

async function run(sandbox: ToolContext["sandbox"], params: object = GOOD, changes: Partial<ToolContext> = {}) {
  const phases: string[] = [];
  const tool = skillRun({
    db: opened.db,
    sessionId: crypto.randomUUID(),
    titleSource: "derived",
    log: { info: () => {}, error: (message, _cause, facts) => logged.push({ message, facts }) },
    sandbox,
    ...changes,
  })!;
  const signal = new AbortController().signal;
  const call = { toolCallId: "t", signal, onPhase: (phase: string) => phases.push(phase) };
  try {
    return { ...(await tool.execute({ ...params }, call)), phases };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { failed: error.message, phases };
  }
}
const replying = (changes: Partial<RunReply>) =>
  sandboxWith({ runners: { none: runnerThat(async () => aReply(changes)) } });

describe("a run that works", () => {
  it("sends names, hash, checked input and time, and gives status, time and output", async () => {
    const runner = runnerThat(async () => aReply());
    const sandbox = sandboxWith({ runners: { none: runner }, totalTimeoutMs: 12_345 });
    expect(await run(sandbox, { ...GOOD, input: '{"top":2,"text":"a b c"}' })).toEqual({
      text: "exit=0 · 7 ms\n3 words",
      details: { exitCode: 0, durationMs: 7.4, stdoutBytes: 8, stderrBytes: 0 },
      phases: ["validated", "submitted", "finished"],
    });
    expect(runner.sent).toEqual([
      {
        skill: "counting",
        script: "count.py",
        sha256: "b".repeat(64),
        input: { text: "a b c", top: 2 },
        timeoutMs: 12_345,
      },
    ]);
    expect(await runsToday()).toBe(1);
  });

  it("may take as long as the owner allows, whatever the limit of other tools", () => {
    const context = { db: opened.db, sessionId: "s", titleSource: "derived", log: { info() {}, error() {} } } as const;
    const tool = skillRun({ ...context, sandbox: sandboxWith({ totalTimeoutMs: 120_000 }) })!;
    expect(tool.timeoutMs).toBe(124_000);
  });

  it("hands an address on as the URL standard spells it, to the runner of its tier alone (N1)", async () => {
    const [none, egress] = [runnerThat(async () => aReply()), runnerThat(async () => aReply())];
    const sandbox = sandboxWith({ skills: [aSkill(), aFetchingSkill()], runners: { none, egress } });
    await run(sandbox, { skill: "fetching", script: "fetch.py", input: '{"url":"HTTPS://Exämple.com:443/a/../b"}' });
    expect([none.sent, egress.sent.map(({ input }) => input)]).toEqual([[], [{ url: "https://xn--exmple-cua.com/b" }]]);
    await run(sandbox);
    expect([none.sent.length, egress.sent.length]).toEqual([1, 1]);
  });

  it("shows the end of its warnings, without the places where files lie", async () => {
    const stderr = "/opt/skills/counting/scripts/count.py:3: DeprecationWarning: see https://docs.python.org/3/x\n";
    expect(await run(replying({ stderr, stderrBytes: 90 }))).toMatchObject({
      text: "exit=0 · 7 ms\n3 words\nstderr: …:3: DeprecationWarning: see https://docs.python.org/3/x",
    });
    const long = await run(replying({ stderr: `first${"w".repeat(5_000)}last` }));
    expect("text" in long && long.text).toBe(`exit=0 · 7 ms\n3 words\nstderr: ${"w".repeat(996)}last`);
    expect(await run(replying({ stdout: "" }))).toMatchObject({ text: "exit=0 · 7 ms\n" });
  });
});

describe("a run that fails", () => {
  it("says which wall it met and shows nothing that it printed (M7)", async () => {
    const secret = 'Traceback (most recent call last):\n  File "/opt/skills/counting/scripts/count.py", line 1';
    const printed = { exitCode: null, stdout: secret, stderr: secret };
    const words: Record<string, string> = {};
    for (const outcome of [
      "script_error",
      "timeout",
      "cpu_limit",
      "memory_limit",
      "output_limit",
      "disk_limit",
      "crashed",
      "sandbox_violation",
    ] as const) {
      const ended = await run(replying({ ...printed, outcome }));
      words[outcome] = ended.failed ?? `no failure: ${ended.text}`;
      expect(ended.phases).toEqual(["validated", "submitted", "finished"]);
    }
    expect(words).toEqual({
      script_error: "The script failed.",
      timeout: "The script took too long.",
      cpu_limit: "The script used up its processor time.",
      memory_limit: "The script used up its memory.",
      output_limit: "The script printed more than it may.",
      disk_limit: "The script wrote more than it may.",
      crashed: "The script crashed.",
      sandbox_violation: "The script tried what the sandbox forbids, and was ended.",
    });
    expect(await runsToday()).toBe(8);
  });

  it("may name its reason by exactly one short code, and by nothing that only looks like one", async () => {
    const said = async (stdout: string, outcome: RunReply["outcome"] = "script_error") => {
      const ended = await run(replying({ outcome, exitCode: 2, stdout }));
      return ended.failed ?? `no failure: ${ended.text}`;
    };
    expect(await said("E_BAD_URL\n")).toBe("The script failed. E_BAD_URL");
    expect(await said(`E_A${"B".repeat(30)}`)).toBe(`The script failed. E_A${"B".repeat(30)}`);
    for (const other of [
      "",
      "E_",
      "E_A",
      "e_bad_url",
      "E_BAD_URL E_TIMEOUT",
      "E_BAD_URL\n\n",
      "E_BAD_URL\nmore",
      "x E_BAD_URL",
      "E_BAD-URL",
      "E_1A",
      `E_A${"B".repeat(31)}`,
    ]) {
      expect([other, await said(other)]).toEqual([other, "The script failed."]);
    }
    expect(await said("E_BAD_URL", "timeout")).toBe("The script took too long.");
  });

  it("that a runner refused says so in fixed words, is logged by its code, and does not count", async () => {
    const failing = (error: unknown) =>
      sandboxWith({
        runners: {
          none: runnerThat(async () => {
            throw error;
          }),
        },
      });
    const words: [string, string, number][] = [];
    for (const code of [
      "unreachable",
      "sandbox_unavailable",
      "queue_full",
      "sandbox_setup",
      "hash_mismatch",
      "unknown_script",
      "bad_request",
      "lost",
      "late",
      "garbage",
      "zygote_died",
      "internal",
    ] as const) {
      const ended = await run(failing(new RunnerFailure(code)));
      words.push([code, ended.failed ?? `no failure: ${ended.text}`, await runsToday()]);
    }
    expect(words).toEqual([
      ["unreachable", SANDBOX_DOWN, 0],
      ["sandbox_unavailable", SANDBOX_DOWN, 0],
      ["queue_full", SANDBOX_BUSY, 0],
      ["sandbox_setup", SANDBOX_BUSY, 0],
      ["hash_mismatch", NOT_TAKEN, 0],
      ["unknown_script", NOT_TAKEN, 0],
      ["bad_request", SANDBOX_FAILED, 0],
      // From here on a script may have run.
      ["lost", SANDBOX_FAILED, 1],
      ["late", "The script took too long.", 2],
      ["garbage", SANDBOX_FAILED, 3],
      ["zygote_died", SANDBOX_BUSY, 4],
      ["internal", SANDBOX_FAILED, 5],
    ]);
    expect(logged[0]).toEqual({ message: "a run got no reply", facts: { skill: "counting", code: "unreachable" } });
  });

  it("before it began is not counted and not sent: what is not listed, and what does not fit its schema", async () => {
    const runner = runnerThat(async () => aReply());
    const sandbox = sandboxWith({ runners: { none: runner }, skills: [aSkill(), aFetchingSkill()] });
    const failures: unknown[] = [];
    for (const params of [
      { ...GOOD, skill: "../counting" },
      { ...GOOD, skill: "constructor" },
      { ...GOOD, script: "../count.py" },
      // Its tier has no runner here.
      { skill: "fetching", script: "fetch.py", input: '{"url":"https://example.com/"}' },
      { ...GOOD, input: `{"text":"${"说".repeat(1_365)}"}` },
      { ...GOOD, input: '{"text":"a","argv":["x"]}' },
    ]) {
      failures.push(await run(sandbox, params));
    }
    const nothing = { phases: [] };
    expect(failures).toEqual([
      ...Array(5).fill({ failed: NOT_TAKEN, ...nothing }),
      { failed: "The input takes only: text, top.", ...nothing },
    ]);
    expect([runner.sent, await runsToday()]).toEqual([[], 0]);
  });

  it("for want of the database sends nothing", async () => {
    const runner = runnerThat(async () => aReply());
    const ended = await run(sandboxWith({ runners: { none: runner } }), GOOD, { db: slowDatabase(opened.db) });
    expect([ended, runner.sent]).toEqual([{ failed: SANDBOX_FAILED, phases: ["validated"] }, []]);
  });
});

describe("the day's number", () => {
  it("is kept by a hundred at once: exactly as many run as it says", async () => {
    const runner = runnerThat(async () => aReply());
    const sandbox = sandboxWith({ runners: { none: runner }, dailyRunLimit: 7 });
    const all = await Promise.all(Array.from({ length: 100 }, () => run(sandbox)));
    const refused = all.filter((ended) => "failed" in ended && ended.failed === DAY_IS_USED);
    expect([refused.length, runner.sent.length, await runsToday()]).toEqual([93, 7, 7]);
  });

  it("of 0 is no limit, and a number that was lowered holds at once", async () => {
    const db = opened.db;
    const at = new Date("2026-03-01T15:59:59Z");
    for (const _ of [1, 2, 3]) expect(await reserveSkillRun(db, 0, at)).toEqual({ day: "2026-03-01" });
    expect(await reserveSkillRun(db, 3, at)).toBeUndefined();
    expect(await reserveSkillRun(db, 4, at)).toEqual({ day: "2026-03-01" });
    expect(await reserveSkillRun(db, 2, at)).toBeUndefined();
    // Another day in China begins a second later.
    expect(await reserveSkillRun(db, 1, new Date("2026-03-01T16:00:00Z"))).toEqual({ day: "2026-03-02" });
  });

  it("gets a run back on the day it was taken from, and never becomes less than nothing", async () => {
    const yesterday = { day: quotaDay(new Date("2026-03-01T00:00:00Z")) };
    await reserveSkillRun(opened.db, 0, new Date("2026-03-01T00:00:00Z"));
    await reserveSkillRun(opened.db, 0, new Date("2026-03-02T00:00:00Z"));
    await returnSkillRun(opened.db, yesterday);
    await returnSkillRun(opened.db, yesterday);
    const { rows } = await opened.admin.query(
      "SELECT day::text, skill_runs::int AS runs FROM daily_quota ORDER BY day",
    );
    expect(rows).toEqual([
      { day: "2026-03-01", runs: 0 },
      { day: "2026-03-02", runs: 1 },
    ]);
  });

  it("keeps the other numbers of the day as they are", async () => {
    await opened.admin.query("INSERT INTO daily_quota (day, tokens, turns) VALUES ('2026-03-01', 5, 2)");
    await reserveSkillRun(opened.db, 1, new Date("2026-03-01T00:00:00Z"));
    const { rows } = await opened.admin.query("SELECT tokens::int, turns::int, skill_runs::int FROM daily_quota");
    expect(rows).toEqual([{ tokens: 5, turns: 2, skill_runs: 1 }]);
  });
});
