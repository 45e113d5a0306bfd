/**
 * A kernel whose model says what a test has written, on pi's own scripted provider: the real loop, the real events.
 * The sink keeps what it is given; time stands still unless the test moves it.
 */
import { type FauxResponseStep, fauxProvider } from "@earendil-works/pi-ai";
import { Type } from "typebox";
import { createKernel, type KernelOptions } from "../../apps/api/kernel/kernel.ts";
import type {
  Claim,
  Kernel,
  KernelTool,
  ModelSource,
  RunningTurn,
  SessionBlueprint,
  StoredTurn,
} from "../../apps/api/kernel/kernel-types.ts";
import { LIMITS, type Limits } from "../../shared/limits.ts";
import type { AskFrame } from "../../shared/sse.ts";
import type { TraceRow } from "../../shared/trace-events.ts";
import { ManualClock } from "./manual-clock.mts";

export const SESSION = "5f0c1d3a-0000-4000-8000-000000000001";

export interface ScriptedOptions {
  script?: FauxResponseStep[];
  tools?: KernelTool[];
  limits?: Partial<Limits>;
  model?: ModelSource;
  systemPrompt?: string;
  sink?: Partial<KernelOptions["sink"]>;
  clock?: ManualClock;
}

export interface ScriptedKernel {
  kernel: Kernel;
  clock: ManualClock;
  /** Replaces what the model will say next, one entry a round trip. */
  script(steps: FauxResponseStep[]): void;
  stored: { turns: StoredTurn[]; rows: TraceRow[]; rowBatches: number };
  logged: { message: string; cause?: unknown; facts?: unknown }[];
  blueprint(changes?: Partial<SessionBlueprint>): SessionBlueprint;
  /** Starts a turn. Each call takes the next even seq unless told otherwise. */
  start(prompt: string, request?: { sessionId?: string; blueprint?: Partial<SessionBlueprint> }): Promise<RunningTurn>;
  /** Starts a turn and reads it to its closing frame. */
  ask(prompt: string, request?: Parameters<ScriptedKernel["start"]>[1]): Promise<AskFrame[]>;
}

export async function scriptedKernel(options: ScriptedOptions = {}): Promise<ScriptedKernel> {
  const faux = fauxProvider({ provider: "demo", models: [{ id: "demo" }], tokenSize: { min: 3, max: 3 } });
  faux.setResponses(options.script ?? []);
  const clock = options.clock ?? new ManualClock();
  const stored: ScriptedKernel["stored"] = { turns: [], rows: [], rowBatches: 0 };
  const logged: ScriptedKernel["logged"] = [];
  let totalTokens = 0;
  const kernel = await createKernel({
    sink: {
      async storeTraceRows(_sessionId, rows) {
        stored.rowBatches += 1;
        stored.rows.push(...rows);
      },
      async storeTurn(_sessionId, turn) {
        stored.turns.push(turn);
        totalTokens += turn.usage.totalTokens;
        return { totalTokens };
      },
      ...options.sink,
    },
    log: {
      info: (message, facts) => logged.push({ message, facts }),
      error: (message, cause, facts) => logged.push({ message, cause, facts }),
    },
    limits: { ...LIMITS, ...options.limits },
    clock,
    demo: faux.provider,
  });
  const blueprint = (changes: Partial<SessionBlueprint> = {}): SessionBlueprint => ({
    fingerprint: "one",
    model: options.model ?? { kind: "demo" },
    systemPrompt: options.systemPrompt ?? "You answer questions about this site.",
    tools: options.tools ?? [],
    history: [],
    nextTraceSeq: stored.rows.length,
    ...changes,
  });
  let nextTurnSeq = 0;
  const start: ScriptedKernel["start"] = async (prompt, request = {}) => {
    const claim = claimed(kernel.claim(request.sessionId ?? SESSION));
    const turnSeq = nextTurnSeq;
    nextTurnSeq += 2;
    const fingerprint = request.blueprint?.fingerprint ?? "one";
    return claim.run({ turnSeq, prompt, fingerprint, blueprint: async () => blueprint(request.blueprint) });
  };
  return {
    kernel,
    clock,
    script: (steps) => faux.setResponses(steps),
    stored,
    logged,
    blueprint,
    start,
    ask: async (prompt, request) => framesOf(await start(prompt, request)),
  };
}

export function claimed(claim: ReturnType<Kernel["claim"]>): Claim {
  if (typeof claim === "string") throw new Error(`claim refused: ${claim}`);
  return claim;
}

export async function framesOf(turn: RunningTurn, after = -1): Promise<AskFrame[]> {
  const frames: AskFrame[] = [];
  for await (const frame of turn.frames(after)) frames.push(frame);
  return frames;
}

/** A tool with one text parameter. */
export function tool(name: string, execute: KernelTool["execute"]): KernelTool {
  return {
    name,
    label: name,
    description: `The tool ${name}.`,
    group: "pure",
    parameters: Type.Object({ text: Type.Optional(Type.String()) }),
    execute,
  };
}

export const echo = tool("echo", async ({ text }) => ({ text: `echo: ${text}` }));
