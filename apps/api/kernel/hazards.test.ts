/**
 * What pi does when nobody guards it, and what ours does in the same place. Each pair first shows that the hazard is
 * real in the installed version: when pi changes, the first half fails and the guard can be looked at anew.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  fauxAssistantMessage,
  fauxProvider,
  type FauxResponseStep,
  fauxToolCall,
  InMemoryCredentialStore,
} from "@earendil-works/pi-ai";
import {
  type AgentSession,
  createAgentSession,
  createExtensionRuntime,
  type CreateAgentSessionOptions,
  createSyntheticSourceInfo,
  type Extension,
  ModelRuntime,
  type ResourceLoader,
  SessionManager,
  SettingsManager,
} from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import { claimed, echo, framesOf, scriptedKernel, SESSION, tool } from "../../../tests/support/scripted-kernel.mts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "xray-kernel-"));
  folders.push(path);
  return path;
}
const nextTick = () => new Promise((resolve) => setImmediate(resolve));

/** A pi session as a reader of its README would make it, on a scripted model. */
async function bareSession(
  script: FauxResponseStep[],
  options: Partial<CreateAgentSessionOptions> = {},
  commands: string[] = [],
): Promise<{ session: AgentSession; ran: string[] }> {
  const faux = fauxProvider({ tokenSize: { min: 1, max: 1 } });
  faux.setResponses(script);
  const modelRuntime = await ModelRuntime.create({
    credentials: new InMemoryCredentialStore(),
    modelsPath: null,
    refreshOnCreate: false,
  });
  modelRuntime.registerNativeProvider(faux.provider);
  const ran: string[] = [];
  const cwd = options.cwd ?? "/nonexistent";
  const { session } = await createAgentSession({
    cwd,
    agentDir: "/nonexistent",
    modelRuntime,
    model: faux.getModel(),
    resourceLoader: resources(commands, ran),
    settingsManager: SettingsManager.inMemory({ compaction: { enabled: false }, retry: { enabled: false } }),
    sessionManager: SessionManager.inMemory(cwd),
    ...options,
  });
  return { session, ran };
}

function resources(commands: string[], ran: string[]): ResourceLoader {
  const sourceInfo = createSyntheticSourceInfo("<test>", { source: "inline" });
  const handler = (name: string) => async () => void ran.push(name);
  const extension: Extension = {
    path: "<test>",
    resolvedPath: "<test>",
    sourceInfo,
    handlers: new Map(),
    tools: new Map(),
    messageRenderers: new Map(),
    commands: new Map(commands.map((name) => [name, { name, sourceInfo, handler: handler(name) }])),
    flags: new Map(),
    shortcuts: new Map(),
  };
  return {
    getExtensions: () => ({ extensions: [extension], errors: [], runtime: createExtensionRuntime() }),
    getSkills: () => ({ skills: [], diagnostics: [] }),
    getPrompts: () => ({ prompts: [], diagnostics: [] }),
    getThemes: () => ({ themes: [], diagnostics: [] }),
    getAgentsFiles: () => ({ agentsFiles: [] }),
    getSystemPrompt: () => "You are a test.",
    getSystemPromptSource: () => undefined,
    getAppendSystemPrompt: () => [],
    getAppendSystemPromptSources: () => [],
    extendResources() {},
    async reload() {},
  };
}

describe("a call to the shell", () => {
  const touch = (path: string) => [
    fauxAssistantMessage([fauxToolCall("bash", { command: `touch ${path}` })], { stopReason: "toolUse" }),
    fauxAssistantMessage("Done."),
  ];

  test("runs in a session with pi's own tools", async () => {
    const path = join(folder(), "ran");
    const { session } = await bareSession(touch(path), { cwd: tmpdir() });
    await session.prompt("go");
    expect(existsSync(path)).toBe(true);
  });

  test("is not found in ours, nothing runs, and the turn goes on", async () => {
    const path = join(folder(), "ran");
    const run = await scriptedKernel({ tools: [echo], script: touch(path) });
    const frames = await run.ask("go");
    await run.kernel.drainTrace(SESSION);
    expect(existsSync(path)).toBe(false);
    expect(frames.map(({ event }) => event)).toEqual(["session", "tool_start", "tool_end", "delta", "done"]);
    expect(frames[2]?.data).toMatchObject({ resultPreview: "Tool bash not found", isError: true });
    expect(run.stored.rows.map(({ eventType }) => eventType)).not.toContain("tool_call");
  });
});

describe("text that looks like a command", () => {
  test("runs as one where an extension has registered it", async () => {
    const { session, ran } = await bareSession([fauxAssistantMessage("Hi.")], {}, ["deploy"]);
    await session.prompt("/deploy now");
    expect(ran).toEqual(["deploy"]);
    expect(session.messages).toEqual([]);
  });

  test("is text for the model with our way to prompt, even where it is registered", async () => {
    const { session, ran } = await bareSession([fauxAssistantMessage("Hi.")], {}, ["deploy"]);
    await session.prompt("/deploy now", { expandPromptTemplates: false, source: "rpc" });
    expect(ran).toEqual([]);
    expect(session.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
    const run = await scriptedKernel({ script: [fauxAssistantMessage("Hi.")] });
    expect((await run.ask("/deploy now")).map(({ event }) => event)).toEqual(["session", "delta", "done"]);
  });
});

describe("two prompts in one tick", () => {
  test("make pi say that it has settled while the first still runs", async () => {
    const gate = Promise.withResolvers<void>();
    const { session } = await bareSession([() => gate.promise.then(() => fauxAssistantMessage("One."))]);
    const settled: boolean[] = [];
    session.subscribe(({ type }) => {
      if (type === "agent_settled") settled.push(session.messages.some(({ role }) => role === "assistant"));
    });
    const [first, second] = [session.prompt("a"), session.prompt("b")];
    await expect(second).rejects.toThrow();
    expect(settled).toEqual([false]);
    gate.resolve();
    await first;
  });

  test("cannot be had: the second claim is refused, and the first turn settles once", async () => {
    const run = await scriptedKernel({ script: [fauxAssistantMessage("One.")] });
    const claim = claimed(run.kernel.claim(SESSION));
    expect(run.kernel.claim(SESSION)).toBe("turn_running");
    const blueprint = async () => run.blueprint();
    await framesOf(await claim.run({ turnSeq: 0, prompt: "a", fingerprint: "one", blueprint }));
    await run.kernel.drainTrace(SESSION);
    expect(run.stored.rows.filter(({ eventType }) => eventType === "agent_settled").length).toBe(1);
  });
});

describe("a listener that throws", () => {
  test("loses the answer where it listens to pi itself", async () => {
    const { session } = await bareSession([fauxAssistantMessage("The real answer.")]);
    session.subscribe(({ type }) => {
      if (type === "message_update") throw new Error("listener fault");
    });
    await session.prompt("a").catch(() => {});
    expect(JSON.stringify(session.messages)).not.toContain("The real answer.");
  });

  test("loses nothing where it listens to our bus", async () => {
    const run = await scriptedKernel({ script: [fauxAssistantMessage("The real answer.")] });
    run.kernel.traceBus.subscribe(SESSION, () => {
      throw new Error("listener fault");
    });
    await run.ask("a");
    expect(run.stored.turns[0]).toMatchObject({ content: "The real answer.", outcome: "completed" });
  });
});

describe("the whole message in every update", () => {
  const answer = "word ".repeat(800);

  test("makes megabytes of an answer of a thousand tokens", async () => {
    const { session } = await bareSession([fauxAssistantMessage(answer)]);
    let bytes = 0;
    session.subscribe((event) => {
      bytes += JSON.stringify(event).length;
    });
    await session.prompt("a");
    expect(bytes).toBeGreaterThan(2_000_000);
  });

  test("does not reach our rows", async () => {
    const run = await scriptedKernel({ script: [fauxAssistantMessage(answer)] });
    await run.ask("a");
    await run.kernel.drainTrace(SESSION);
    expect(run.stored.rows.length).toBeLessThanOrEqual(25);
    expect(JSON.stringify(run.stored.rows).length).toBeLessThanOrEqual(8_192);
  });
});

describe("a tool that ignores its signal", () => {
  const callStuck = fauxAssistantMessage([fauxToolCall("stuck", {})], { stopReason: "toolUse" });

  test("holds up pi's abort for as long as it likes", async () => {
    const running = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    const stuck = {
      name: "stuck",
      label: "stuck",
      description: "Never looks at its signal.",
      parameters: Type.Object({}),
      execute: async () => {
        running.resolve();
        await free.promise;
        return { content: [], details: {} };
      },
    };
    const { session } = await bareSession([callStuck], { noTools: "all", tools: ["stuck"], customTools: [stuck] });
    const prompting = session.prompt("a");
    await running.promise;
    let aborted = false;
    const aborting = session.abort().then(() => {
      aborted = true;
    });
    for (let i = 0; i < 10; i += 1) await nextTick();
    expect(aborted).toBe(false);
    free.resolve();
    await Promise.all([prompting, aborting]);
  });

  test("is left behind by our stop, and its session can be disposed of", async () => {
    const running = Promise.withResolvers<void>();
    const stuck = tool("stuck", () => {
      running.resolve();
      return new Promise(() => {});
    });
    const run = await scriptedKernel({ tools: [stuck], script: [callStuck] });
    const turn = await run.start("a");
    await running.promise;
    await turn.cancel();
    await claimed(run.kernel.claim(SESSION)).release({ dispose: true });
    expect(run.kernel.stats()).toEqual({ residentSessions: 0, runningTurns: 0 });
  });
});

test("no fault of a tool, a sink, a listener or a model becomes an unhandled rejection", async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", onUnhandled);
  try {
    const broken = tool("broken", () => Promise.reject(new Error("tool")));
    const run = await scriptedKernel({
      tools: [broken],
      limits: { assistantWriteAttempts: 1 },
      script: [
        fauxAssistantMessage([fauxToolCall("broken", {}), fauxToolCall("broken", {})], { stopReason: "toolUse" }),
        () => {
          throw new Error("model");
        },
      ],
      sink: {
        storeTurn: () => Promise.reject(new Error("turn")),
        storeTraceRows: () => Promise.reject(new Error("rows")),
      },
    });
    run.kernel.traceBus.subscribe(SESSION, async () => {
      throw new Error("listener");
    });
    const turn = await run.start("a");
    await Promise.all([framesOf(turn), turn.cancel(), run.kernel.shutdown()]);
    for (let i = 0; i < 5; i += 1) await nextTick();
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", onUnhandled);
  }
});
