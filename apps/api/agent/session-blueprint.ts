/**
 * What a session is built from, read from the configuration at each turn. Its fingerprint changes with every switch
 * that matters (model, tools, skills, limits, dangerous tools), and the kernel rebuilds a session whose fingerprint differs
 * (architecture §2.8). A changed title is not such a switch: the conversation in memory is worth more.
 */
import { createHash } from "node:crypto";
import { secret } from "encore.dev/config";
import type { KernelTool, ModelSource, SessionBlueprint, SessionSkills } from "../kernel/kernel-types";
import { systemPrompt } from "../kernel/system-prompt";
import { answeringModel } from "../lib/answering-model";
import { extraHostsOf, isSwitchedOn } from "../lib/env";
import { log } from "../lib/log";
import { secretBox } from "../lib/secret-box";
import { loadDefaultProvider } from "../stores/llm-config";
import { readHistory } from "../stores/messages";
import { skillRunsOfSession } from "../stores/quota";
import { enabledTools } from "../stores/tool-config";
import { nextTraceSeq } from "../stores/trace-events";
import { buildTools } from "../tools/registry";
import { db } from "./db";
import { currentOutbound, type SessionOutbound } from "./session-outbound";
import { currentSandbox, type SessionSandbox } from "./session-sandbox";
import type { OwnSession } from "./visitor";

const configEncryptionKey = secret("ConfigEncryptionKey");

export interface Setup {
  model: ModelSource;
  enabled: Awaited<ReturnType<typeof enabledTools>>;
  sandbox: SessionSandbox | undefined;
  outbound: SessionOutbound;
  fingerprint: string;
}

/** What is told of the session itself. */
export type BlueprintSession = Pick<OwnSession, "id" | "createdAt" | "titleSource">;

/** The configuration as it is now; undefined when no model can answer. */
export async function currentSetup(): Promise<Setup | undefined> {
  const box = secretBox(configEncryptionKey());
  const [provider, enabled] = await Promise.all([loadDefaultProvider(db, box, extraHostsOf("llm")), enabledTools(db)]);
  const model = answeringModel(provider);
  if (!model) return undefined;
  const [sandbox, outbound] = await Promise.all([currentSandbox(enabled), currentOutbound(enabled, box)]);
  const parts = { model, enabled, sandbox, outbound };
  return { ...parts, fingerprint: fingerprintOf(parts) };
}

/** All that the kernel needs to build this session; its history ends before the message that is being answered. */
export async function blueprintOf(
  setup: Setup,
  { id: sessionId, createdAt, titleSource }: BlueprintSession,
): Promise<SessionBlueprint> {
  const { model, enabled, sandbox, outbound, fingerprint } = setup;
  const unlockDangerous = isSwitchedOn("XRAY_UNLOCK_DANGEROUS_TOOLS");
  const tools = buildTools({ db, sessionId, titleSource, sandbox, ...outbound, enabled, unlockDangerous, log });
  const [history, firstTraceSeq, skills] = await Promise.all([
    readHistory(db, sessionId),
    nextTraceSeq(db, sessionId),
    sessionSkills(sandbox, tools, sessionId),
  ]);
  return {
    fingerprint,
    model,
    systemPrompt: systemPrompt({ startedAt: new Date(createdAt), tools, skills: skills?.canRun ? skills.skills : [] }),
    tools,
    skills,
    history: history.slice(0, -1),
    nextTraceSeq: firstTraceSeq,
  };
}

/** Undefined when no tool of skills was registered: there is nothing to tell the model of, and nothing to guard. */
async function sessionSkills(
  sandbox: SessionSandbox | undefined,
  tools: readonly KernelTool[],
  sessionId: string,
): Promise<SessionSkills | undefined> {
  const canRun = tools.some(({ name }) => name === "skill_run");
  if (!sandbox || !(canRun || tools.some(({ name }) => name === "skill_load"))) return undefined;
  return { skills: sandbox.skills, canRun, earlierRuns: await skillRunsOfSession(db, sessionId) };
}

/** The key itself stays out: a row that is written again has a new `updatedAt`. */
function fingerprintOf({ model, enabled, sandbox, outbound }: Omit<Setup, "fingerprint">): string {
  const { apiKey: _, ...source } = { apiKey: "", ...model };
  const tools = [...enabled].sort(([a], [b]) => (a < b ? -1 : 1));
  const unlocked = isSwitchedOn("XRAY_UNLOCK_DANGEROUS_TOOLS");
  const facts = JSON.stringify([source, tools, unlocked, sandbox?.fingerprint, outbound.fingerprint]);
  return createHash("sha256").update(facts).digest("hex");
}
