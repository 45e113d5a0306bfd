/** Skills in the kernel: what the model is told of them, what the guard lets through, and what the trace shows of both. */
import { describe, expect, it } from "bun:test";
import { fauxAssistantMessage, fauxToolCall, getCurrentSystemPrompt } from "@earendil-works/pi-ai";
import { scriptedKernel, SESSION, tool } from "../../../tests/support/scripted-kernel.mts";
import { LIMITS } from "../../../shared/limits";
import type { ManifestSkill } from "../../../shared/skill-manifest";
import type { SessionSkills } from "./kernel-types";
import {
  INPUT_SIZE,
  RUNS_OF_SESSION_USED,
  RUNS_OF_TURN_USED,
  skillGuard,
  UNKNOWN_SCRIPT,
  UNKNOWN_SKILL,
} from "./skill-guard";
import { skillCatalogue } from "./skill-injector";

const counting: ManifestSkill = {
  name: "counting",
  description: "Counts what it is given.",
  network: "none",
  skillMd: "# Counting",
  files: [],
  scripts: [
    {
      file: "count.py",
      description: "Counts words.",
      sha256: "b".repeat(64),
      input: {
        text: { type: "string", description: "the text", maxLength: 5_000 },
        order: { type: "string", description: "which first", enum: ["most", "least"], optional: true },
        top: { type: "integer", description: "how many", minimum: 1, maximum: 9, optional: true },
        fold: { type: "boolean", description: "A is a", optional: true },
      },
    },
  ],
};
const reading: ManifestSkill = { ...counting, name: "reading", description: "Only read.", scripts: [] };
const session: SessionSkills = { skills: [counting, reading], canRun: true, earlierRuns: 0 };
const GOOD = { skill: "counting", script: "count.py", input: '{"text":"a"}' };

const reasonOf = (guard: ReturnType<typeof skillGuard>, input: object, toolName = "skill_run") =>
  guard.judge({ toolCallId: "c", toolName, input: { ...input } })?.reason;

describe("the guard", () => {
  it("lets through what the manifest lists with an input that fits, and names what does not", () => {
    const guard = skillGuard(session, LIMITS);
    const judged = [
      GOOD,
      { ...GOOD, skill: "other" },
      { ...GOOD, skill: "__proto__" },
      { ...GOOD, skill: "reading" },
      { ...GOOD, script: "../count.py" },
      { ...GOOD, input: { text: "a" } },
      { ...GOOD, input: "{" },
      { ...GOOD, input: `{"text":"${"a".repeat(4_086)}"}` },
      { ...GOOD, input: '{"texts":"a"}' },
      {},
    ].map((input) => reasonOf(guard, input));
    expect(judged).toEqual([
      undefined,
      UNKNOWN_SKILL,
      UNKNOWN_SKILL,
      UNKNOWN_SCRIPT,
      UNKNOWN_SCRIPT,
      INPUT_SIZE,
      INPUT_SIZE,
      INPUT_SIZE,
      "The input takes only: text, order, top, fold.",
      UNKNOWN_SKILL,
    ]);
    expect(reasonOf(guard, { name: "reading" }, "skill_load")).toBeUndefined();
    expect(reasonOf(guard, { name: "other" }, "skill_load")).toBe(UNKNOWN_SKILL);
    expect(reasonOf(guard, { query: "other" }, "notes_search")).toBeUndefined();
  });

  it("takes an input of exactly the bound in bytes", () => {
    const guard = skillGuard(session, LIMITS);
    expect(reasonOf(guard, { ...GOOD, input: `{"text":"${"a".repeat(4_085)}"}` })).toBeUndefined();
    expect(reasonOf(guard, { ...GOOD, input: `{"text":"${"说".repeat(1_362)}"}` })).toBe(INPUT_SIZE);
  });

  it("counts runs by turn and by session, and only those that it lets through", () => {
    const guard = skillGuard(session, LIMITS);
    const turns: (string | undefined)[][] = [];
    for (let turn = 0; turn < 5; turn++) {
      guard.beginTurn();
      expect(reasonOf(guard, { ...GOOD, input: "{}" })).toBe('"text" is missing.');
      turns.push([1, 2, 3, 4].map(() => reasonOf(guard, GOOD)));
    }
    const fine = undefined;
    expect(turns).toEqual([
      ...Array(4).fill([fine, fine, fine, RUNS_OF_TURN_USED]),
      Array(4).fill(RUNS_OF_SESSION_USED),
    ]);
  });

  it("goes on counting where an earlier build of the session had come to", () => {
    const guard = skillGuard({ ...session, earlierRuns: 11 }, LIMITS);
    expect([1, 2].map(() => reasonOf(guard, GOOD))).toEqual([undefined, RUNS_OF_SESSION_USED]);
  });
});

describe("the catalogue", () => {
  it("lists skills, and their scripts with the fields of their inputs where scripts run", () => {
    expect(skillCatalogue(session)).toBe(`<available_skills>
counting: Counts what it is given.
- count.py: Counts words. Input {"text": string up to 5000 (the text), "order"?: "most" or "least" (which first), "top"?: integer 1 to 9 (how many), "fold"?: true or false (A is a)}
reading: Only read.
</available_skills>`);
    expect(skillCatalogue({ ...session, canRun: false })).toBe(`<available_skills>
counting: Counts what it is given.
reading: Only read.
</available_skills>`);
  });
});

describe("in a turn", () => {
  const ran: object[] = [];
  const runTool = tool("skill_run", async (params) => {
    ran.push(params);
    return { text: "exit=0 · 7 ms" };
  });
  const run = (input: object, id: string) =>
    fauxAssistantMessage([fauxToolCall("skill_run", input as never, { id })], { stopReason: "toolUse" });
  const loose = (changes: object) => ({ ...GOOD, ...changes });

  async function turnWith(skills: SessionSkills, inputs: object[]) {
    ran.length = 0;
    let seen = "";
    const scripted = await scriptedKernel({
      tools: [runTool],
      script: [
        (context) => {
          seen = getCurrentSystemPrompt(context.messages);
          return run(inputs[0]!, "c0");
        },
        ...inputs.slice(1).map((input, i) => run(input, `c${i + 1}`)),
        fauxAssistantMessage("Done."),
      ],
    });
    await scripted.ask("count", { blueprint: { skills } });
    await scripted.kernel.drainTrace(SESSION);
    const { rows } = scripted.stored;
    return { seen, rows, logged: scripted.logged, calls: rows.filter(({ eventType }) => eventType === "tool_call") };
  }

  it("the model gets the catalogue behind the system prompt, and the row says who added how much and names the skills", async () => {
    const { seen, rows } = await turnWith(session, [GOOD]);
    const catalogue = `\n\n${skillCatalogue(session)}`;
    expect(seen.endsWith(catalogue)).toBe(true);
    const [start] = rows.filter(({ eventType }) => eventType === "before_agent_start");
    expect(start?.data.handlers).toEqual([
      {
        extension: "xray-skills",
        returned: { addedChars: catalogue.length, skills: "counting, reading" },
      },
      { extension: "xray-guard", returned: null },
    ]);
    const [opened] = rows.filter(({ eventType }) => eventType === "session_start");
    expect(opened?.data.extensions).toEqual([
      { extension: "xray-skills", listensTo: ["before_agent_start"] },
      { extension: "xray-guard", listensTo: ["before_agent_start", "tool_call", "turn_start"] },
    ]);
    expect(JSON.stringify(rows)).not.toContain("<available_skills>");
  });

  it("a fourth run is blocked by the guard, visible as a call that never ran (M8)", async () => {
    const { calls, rows } = await turnWith(session, [GOOD, GOOD, GOOD, GOOD]);
    expect(ran.length).toBe(3);
    const blocked = { extension: "xray-guard", returned: { block: true, reason: RUNS_OF_TURN_USED } };
    expect(calls.map(({ data }) => data.handlers)).toEqual([
      ...Array(3).fill([{ extension: "xray-guard", returned: null }]),
      [blocked],
    ]);
    const ofFourth = rows.filter(({ data }) => data.toolCallId === calls[3]!.data.toolCallId);
    expect(ofFourth.map(({ eventType }) => eventType)).toEqual([
      "tool_execution_start",
      "tool_call",
      "tool_execution_end",
    ]);
    expect(ofFourth[2]?.data).toMatchObject({ isError: true, resultPreview: RUNS_OF_TURN_USED });
  });

  it("a script that is not listed is refused at the gate, before the tool is asked", async () => {
    const { calls } = await turnWith(session, [loose({ script: "word_cloud.py" })]);
    expect(ran).toEqual([]);
    expect(calls[0]?.data.handlers).toEqual([
      { extension: "xray-guard", returned: { block: true, reason: UNKNOWN_SCRIPT } },
    ]);
  });

  it("a guard that breaks blocks the call (M9)", async () => {
    const broken = {
      ...session,
      skills: Object.assign([...session.skills], {
        find() {
          throw new Error("broken /opt/secret");
        },
      }),
    };
    const { calls, rows, logged } = await turnWith(broken, [GOOD]);
    expect(ran).toEqual([]);
    const reason = "The call could not be checked.";
    expect(calls[0]?.data.handlers).toEqual([{ extension: "xray-guard", returned: { block: true, reason } }]);
    expect(JSON.stringify(rows)).not.toContain("/opt/secret");
    expect(logged.map(({ message }) => message)).toContain("an extension failed to judge a tool call");
  });

  it("a session that knows of no skill is told of none", async () => {
    const scripted = await scriptedKernel({ script: [fauxAssistantMessage("Hello.")] });
    await scripted.ask("hello");
    await scripted.kernel.drainTrace(SESSION);
    const [start] = scripted.stored.rows.filter(({ eventType }) => eventType === "before_agent_start");
    expect(start?.data.handlers).toEqual([{ extension: "xray-guard", returned: null }]);
  });
});
