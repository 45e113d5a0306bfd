/**
 * Claims: a live session costs at most 0.25 MB after one turn with a tool call, over 500 of them; and memory is flat
 * over 10,000 more sessions that are opened, used and evicted. The kernel runs in this process on pi's scripted model, so
 * that the heap can be collected before each look. The first claim is about resident memory, which is what a machine
 * pays; the second about the heap, where a leak shows before the allocator's slack hides it.
 */
import { randomUUID } from "node:crypto";
import { heapStats } from "bun:jsc";
import { fauxAssistantMessage, fauxProvider, fauxText, fauxToolCall, type Provider } from "@earendil-works/pi-ai";
import { createKernel } from "../apps/api/kernel/kernel.ts";
import type { Kernel } from "../apps/api/kernel/kernel-types.ts";
import { LIMITS } from "../shared/limits.ts";
import { tool } from "../tests/support/scripted-kernel.mts";
import { judge } from "./lib.mts";

const LIVE = 500;
const EVICTED = 26_000;
/** From here on everything that is made once has been made, and the engine has dropped the code of the first rounds. */
const WARM = 16_000;
const MEGABYTE = 1_048_576;

const faux = fauxProvider({ provider: "demo", models: [{ id: "demo" }], tokenSize: { min: 3, max: 3 } });
const { streamSimple } = faux.provider;
/** The scripted model remembers each session's prompt to imitate a provider's cache; that would be its leak, not ours. */
const forgetful: Provider = {
  ...faux.provider,
  streamSimple: (model, context, options) => streamSimple(model, context, { ...options, sessionId: undefined }),
};
const search = tool("notes_search", async () => ({
  text: "1. why-a-role: A capability is a database role\n".repeat(20),
}));

const evicting = await newKernel(LIMITS.activeSessions);
await openSessions(evicting, WARM);
const warmHeap = heapBytes();
await openSessions(evicting, EVICTED - WARM);
const grownBytes = heapBytes() - warmHeap;
await evicting.shutdown();
const flat = judge({
  name: `memory growth a session over ${EVICTED - WARM} evicted`,
  unit: "bytes",
  measured: grownBytes / (EVICTED - WARM),
  atMost: 64,
  digits: 1,
});

const keeping = await newKernel(LIVE);
const emptyBytes = residentBytes();
await openSessions(keeping, LIVE);
const liveBytes = residentBytes() - emptyBytes;
if (keeping.stats().residentSessions !== LIVE) throw new Error("A session left memory while it was measured.");
const small = judge({
  name: `memory a live session over ${LIVE}`,
  unit: "MB",
  measured: liveBytes / LIVE / MEGABYTE,
  atMost: 0.25,
  digits: 3,
});
process.exit(flat && small ? 0 : 1);

function newKernel(activeSessions: number): Promise<Kernel> {
  return createKernel({
    sink: { storeTraceRows: async () => {}, storeTurn: async () => ({ totalTokens: 0 }) },
    log: {
      info() {},
      error: (message, cause) => {
        throw new Error(message, { cause });
      },
    },
    limits: { ...LIMITS, activeSessions },
    demo: forgetful,
  });
}

/** Opens so many sessions one after another, each for one turn: a tool call, then an answer. */
async function openSessions(kernel: Kernel, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    faux.setResponses([
      fauxAssistantMessage([fauxText("I will look."), fauxToolCall("notes_search", { text: "roles" })], {
        stopReason: "toolUse",
      }),
      fauxAssistantMessage("The notes treat it in two chapters. ".repeat(20)),
    ]);
    const claim = kernel.claim(randomUUID());
    if (typeof claim === "string") throw new Error(`A session was refused: ${claim}`);
    const turn = await claim.run({
      turnSeq: 0,
      prompt: "What do the notes say about roles?",
      fingerprint: "one",
      blueprint: async () => ({
        fingerprint: "one",
        model: { kind: "demo" },
        systemPrompt: "You answer questions about this site.",
        tools: [search],
        history: [],
        nextTraceSeq: 0,
      }),
    });
    const { outcome } = await turn.ended;
    if (outcome !== "completed") throw new Error(`A turn ended as ${outcome}.`);
  }
}

function heapBytes(): number {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
}

function residentBytes(): number {
  Bun.gc(true);
  return process.memoryUsage.rss();
}
