/**
 * A script from a visitor's question to its numbers: the real runner, the real library, the whole site. Then the ways in
 * which it is refused, each as the visitor and the trace see it.
 */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../apps/api/database/pool.ts";
import { setSkillAgentEnabled } from "../apps/api/stores/skills-admin.ts";
import { pathsOf } from "../cli/paths.mts";
import { type ProcessRecord, stopProcess } from "../cli/processes.mts";
import { findPython, isPython } from "../cli/python.mts";
import { startRunner } from "../cli/runner.mts";
import { seed } from "../cli/seed.mts";
import { openSkills, seedSkills } from "../cli/seed-skills.mts";
import { callTool, say } from "./support/openai-server.mts";
import { type Site, START_MS, startSite } from "./support/site.mts";
import type { Frame, Visitor } from "./support/visitor.mts";

const python = await findPython();
const canRun = isPython(python) && python.landlock >= 2;
if (!canRun && process.env.CI === "true") throw new Error("scripts cannot be walled in here (./xray doctor)");

const home = mkdtempSync(join(tmpdir(), "xray-skills-"));
const paths = pathsOf({ XRAY_HOME: home });
let runner: ProcessRecord | undefined;
let site: Site;
let db: ReturnType<typeof openDatabase>;

const runTool = (script: string, input: object, skill = "text-tools") =>
  callTool("skill_run", { skill, script, input: JSON.stringify(input) });
const provider = (isDefault: boolean) => site.sql("UPDATE llm_config SET is_default = $1", [isDefault]);
const runsToday = async () =>
  Number((await site.sql("SELECT coalesce(sum(skill_runs), 0) AS n FROM daily_quota"))[0].n);

beforeAll(async () => {
  if (!canRun) return;
  const started = await startRunner(paths, {
    signal: new AbortController().signal,
    onProcess: (process) => (runner = process),
  });
  if ("absent" in started) throw new Error(started.absent);
  site = await startSite({
    env: { XRAY_SKILL_RUNNER_URL: started.url, XRAY_UNLOCK_DANGEROUS_TOOLS: "1", XRAY_DEMO_MODEL: "1" },
  });
  db = openDatabase(site.database.appUrl);
  const log = () => {};
  await seed({ db, log });
  await seedSkills({ db, log, root: paths.root, ledger: paths.skills, repo: "owner/repo" });
  await openSkills({ db, log, ledger: paths.skills });
}, START_MS);
afterAll(async () => {
  if (runner) await stopProcess(runner, "SIGTERM", 5_000);
  await db?.close();
  await site?.stop();
  for (const folder of [home, paths.cluster]) rmSync(folder, { recursive: true, force: true });
});

/** A whole turn, and the rows of its trace by the names of events. */
async function turn(prompt: string, before?: { visitor: Visitor; sessionId: string }) {
  const visitor = before?.visitor ?? site.visitor();
  const frames = await (await visitor.ask(prompt, before?.sessionId)).rest();
  const { sessionId } = frames[0]!.data;
  // Rows are stored behind the stream; the last one of a turn says that all of them are.
  // biome-ignore lint/suspicious/noExplicitAny: a row is whatever the trace says.
  let rows: { type: string; data: any }[];
  do {
    rows = await site.sql("SELECT event_type AS type, data FROM trace_events WHERE session_id = $1 ORDER BY seq", [
      sessionId,
    ]);
  } while (rows.at(-1)?.type !== "agent_settled");
  return { visitor, sessionId, frames, rows };
}
const ended = (frames: readonly Frame[]) => frames.filter(({ event }) => event === "tool_end").map(({ data }) => data);
const textOf = (frames: readonly Frame[]) =>
  frames.flatMap(({ event, data }) => (event === "delta" ? [data.text] : [])).join("");

describe.if(canRun)("a script of a skill", () => {
  it("counts the words of a chapter that the demo has read, and another draws them", async () => {
    await provider(false);
    const { frames, rows } = await turn("找到讲“说不”的那一章，统计词频").finally(() => provider(true));
    const calls = rows.filter(({ type }) => type === "tool_execution_end").map(({ data }) => data);
    const runs = calls.filter(({ toolName }) => toolName === "skill_run");
    expect(runs.map(({ isError }) => isError)).toEqual([false, false]);
    const [run] = runs;
    expect(run.resultPreview).toMatch(/^exit=0 · \d+ ms\n\{"wordsTotal/);
    expect(textOf(frames)).toMatch(/正文一共 \d{3,} 个汉字/);
    expect(textOf(frames)).toMatch(/脚本在沙箱里跑了 \d+ ms/);
    expect(textOf(frames)).toMatch(/```xray-html\b.*<\/.*```/s);
    expect(await runsToday()).toBe(2);
    // The catalogue was given, and is seen to have been.
    const start = rows.find(({ type }) => type === "before_agent_start");
    expect(start?.data.handlers[0]).toMatchObject({ extension: "xray-skills" });
  }, 60_000);

  it("is read, run on a model's own input, and answers with exactly what it printed", async () => {
    site.model.next(callTool("skill_load", { name: "text-tools" }));
    site.model.next(runTool("word_frequency.py", { text: "to be or not to be", top: 1 }));
    site.model.next(say("Done."));
    const { frames } = await turn("count");
    const [loaded, ran] = ended(frames);
    expect(loaded).toMatchObject({ isError: false });
    expect(loaded.resultPreview).toContain("# Text tools");
    expect(ran).toMatchObject({ isError: false });
    const seen = site.model.requests.at(-1)!.body.messages.at(-1).content;
    expect(JSON.stringify(seen)).toMatch(/exit=0 · \d+ ms/);
    expect(JSON.stringify(seen)).toContain(
      JSON.stringify('{"wordsTotal":6,"wordsDistinct":4,"words":[["be",2]]}').slice(1, -1),
    );
    expect(JSON.stringify(site.model.requests.at(-1)!.body.messages[0])).toContain("<available_skills>");
  });

  it("that fails shows its short code and nothing else of what happened (M7)", async () => {
    site.model.next(runTool("try_regex.py", { pattern: "(a+)+$", text: `${"a".repeat(60)}!` }));
    site.model.next(say("Too slow."));
    const { frames, sessionId } = await turn("try");
    expect(ended(frames)[0]).toMatchObject({ isError: true, resultPreview: "The script failed. E_TOO_SLOW" });
    const everything = JSON.stringify([
      frames,
      await site.sql("SELECT * FROM trace_events WHERE session_id = $1", [sessionId]),
    ]);
    expect(everything).not.toMatch(/Traceback|\/usr\/|\/var\/lib|runner\.sock/);
  });

  it("that is not listed is refused at the gate, without a run", async () => {
    const before = await runsToday();
    site.model.next(runTool("word_cloud.py", {}));
    site.model.next(say("No."));
    const { rows } = await turn("run");
    const call = rows.find(({ type }) => type === "tool_call");
    expect(call?.data.handlers).toEqual([
      {
        extension: "xray-guard",
        returned: { block: true, reason: "That skill has no such script. The catalogue names those there are." },
      },
    ]);
    expect(await runsToday()).toBe(before);
  });

  it("past the day's number is refused, and within it again when the owner raises it", async () => {
    await site.sql("UPDATE sandbox_config SET daily_run_limit = $1", [await runsToday()]);
    site.model.next(runTool("word_frequency.py", { text: "a" }));
    site.model.next(say("No."));
    const first = await turn("run");
    expect(ended(first.frames)[0]).toMatchObject({
      isError: true,
      resultPreview: "The scripts that may run in one day have run. Tomorrow there are new ones.",
    });
    await site.sql("UPDATE sandbox_config SET daily_run_limit = 0");
    site.model.next(runTool("word_frequency.py", { text: "a" }));
    site.model.next(say("Yes."));
    expect(ended((await turn("run", first)).frames)[0]).toMatchObject({ isError: false });
  });

  it("of a session that was built anew still counts what it had run before", async () => {
    const one = await turn("hello");
    const call = (n: number) => ({
      toolCallId: `c${n}`,
      name: "skill_run",
      at: 0,
      inputPreview: "",
      resultPreview: "",
      isError: false,
    });
    const payload = { v: 1, modelRoundTrips: 1, turnMs: 1, toolCalls: Array.from({ length: 12 }, (_, n) => call(n)) };
    await site.sql("UPDATE messages SET payload = $2 WHERE session_id = $1 AND role = 'assistant'", [
      one.sessionId,
      payload,
    ]);
    await site.sql("UPDATE sandbox_config SET total_timeout_ms = 29000");
    site.model.next(runTool("word_frequency.py", { text: "a" }));
    site.model.next(say("No."));
    expect(ended((await turn("again", one)).frames)[0]).toMatchObject({
      isError: true,
      resultPreview: "This session has run all the scripts it may. Answer with what is known.",
    });
  });

  it("of a skill that was switched off, or changed in the library, is gone from the next turn on (M2)", async () => {
    const one = await turn("hello");
    const listed = () => JSON.stringify(site.model.requests.at(-1)!.body.messages[0]);
    expect(listed()).toContain("text-tools:");
    await setSkillAgentEnabled(db, "text-tools", false);
    await turn("again", one);
    expect([listed().includes("text-tools:"), listed().includes("calc:")]).toEqual([false, true]);
    await setSkillAgentEnabled(db, "text-tools", true);
    await turn("again", one);
    expect(listed()).toContain("text-tools:");
    await site.sql(
      "UPDATE skill_files SET content = reverse(content) WHERE skill_name = 'text-tools' AND path = 'SKILL.md'",
    );
    await turn("again", one);
    expect(listed()).not.toContain("text-tools:");
  });

  it("without a runner that lives says so in a fixed sentence, and costs nothing", async () => {
    await stopProcess(runner!, "SIGKILL", 5_000);
    const before = await runsToday();
    site.model.next(runTool("evaluate.py", { expression: "1+1" }, "calc"));
    site.model.next(say("No."));
    expect(ended((await turn("run")).frames)[0]).toMatchObject({
      isError: true,
      resultPreview: "The sandbox is not running.",
    });
    expect(await runsToday()).toBe(before);
  });
});
