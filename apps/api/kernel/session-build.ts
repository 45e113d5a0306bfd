/**
 * A conversation's pi session (§2.1): no built-in tool, an explicit list of ours, our whole system prompt, nothing read
 * from disk, no compaction, no retry, no warming, and a working directory that does not exist.
 */
import {
  createAgentSession,
  createExtensionRuntime,
  type Extension,
  type ResourceLoader,
  SessionManager,
  SettingsManager,
} from "@earendil-works/pi-coding-agent";
import type { Limits } from "../../../shared/limits";
import { CallNames } from "./call-names";
import type { Clock } from "./clock";
import { historyText } from "./history";
import type { KernelLog, SessionBlueprint } from "./kernel-types";
import type { Models } from "./model";
import { observerExtension } from "./observer";
import type { EventExtra, KernelEvent } from "./sanitise";
import { adaptTools } from "./tool-adapter";
import { skillGuard } from "./skill-guard";
import { skillInjector } from "./skill-injector";
import type { TraceRecorder } from "./trace-recorder";
import { turnGuard } from "./turn-guard";

/** pi wants a directory. One that is not there makes its shell and its file look-ups fail. */
const NO_DIRECTORY = "/nonexistent";

/** The turn that now gets a session's events. */
export interface TurnListener {
  observe(event: KernelEvent): void;
  /** The turn has used what one turn may use. */
  onLimit(): void;
}

export interface KernelSession {
  readonly fingerprint: string;
  readonly recorder: TraceRecorder;
  /** Undefined detaches: what a finished turn leaves behind reaches nobody. */
  listener: TurnListener | undefined;
  /** Runs pi's loop to its end. A provider's failure does not reject; it is in the events. */
  prompt(text: string): Promise<void>;
  /** Asks the loop to stop. May wait for ever for a handler that hangs, so nobody should wait for it. */
  abort(): Promise<void>;
  contextPercent(): number | undefined;
  /** Ends the session, its closing events recorded and its trace drained. */
  dispose(): Promise<void>;
}

export interface SessionDeps {
  sessionId: string;
  models: Models;
  recorder: TraceRecorder;
  clock: Clock;
  limits: Limits;
  log: KernelLog;
}

export async function buildSession(blueprint: SessionBlueprint, deps: SessionDeps): Promise<KernelSession> {
  const { sessionId, models, recorder, clock, limits, log } = deps;
  const tools = adaptTools(blueprint.tools, limits, log);
  const sessionManager = SessionManager.inMemory(NO_DIRECTORY, { id: sessionId });
  const history = historyText(blueprint.history, limits.historyChars);
  if (history !== undefined) sessionManager.appendCustomMessageEntry("xray-history", history, false);

  let listener: TurnListener | undefined;
  const callNames = new CallNames();
  const observe = (given: KernelEvent, extra?: EventExtra) => {
    const event = callNames.rename(given, recorder.nextSeq);
    recorder.record(event, extra);
    listener?.observe(event);
  };
  const { skills } = blueprint;
  const guard = turnGuard(limits, () => listener?.onLimit(), skills && skillGuard(skills, limits));
  const extension = observerExtension({
    systemPrompt: blueprint.systemPrompt,
    extensions: skills ? [skillInjector(skills), guard] : [guard],
    observe,
    log,
  });
  const { session } = await createAgentSession({
    cwd: NO_DIRECTORY,
    agentDir: NO_DIRECTORY,
    modelRuntime: models.runtime,
    model: models.resolve(blueprint.model),
    thinkingLevel: "off",
    // Three settings, one gate: no tool to begin with, our implementations, and exactly their names.
    noTools: "all",
    customTools: tools,
    tools: tools.map(({ name }) => name),
    resourceLoader: emptyResources(blueprint.systemPrompt, extension),
    settingsManager: quietSettings(limits),
    sessionManager,
  });
  await session.bindExtensions({
    mode: "print",
    onError: ({ event, error }) => log.error("a kernel handler failed", error, { event }),
  });

  return {
    fingerprint: blueprint.fingerprint,
    recorder,
    get listener() {
      return listener;
    },
    set listener(next) {
      listener = next;
    },
    // Visitor text is a message whatever it begins with: no commands, no templates.
    prompt: (text) => session.prompt(text, { expandPromptTemplates: false, source: "rpc" }),
    abort: () => session.abort(),
    contextPercent() {
      const percent = session.getContextUsage()?.percent;
      return typeof percent === "number" && Number.isFinite(percent)
        ? Math.round(Math.min(Math.max(percent, 0), 100) * 10) / 10
        : undefined;
    },
    async dispose() {
      await settled(session.abort(), limits.abortGraceMs, clock);
      // pi's dispose tells nobody, and cuts its extensions off.
      await settled(
        session.extensionRunner.emit({ type: "session_shutdown", reason: "quit" }),
        limits.abortGraceMs,
        clock,
      );
      session.dispose();
      await recorder.drain();
    },
  };
}

/** Waits for `work` at most `ms`, whatever becomes of it. */
async function settled(work: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = clock.after(ms, late.resolve);
  await Promise.race([work.catch(() => {}), late.promise]);
  cancel();
}

/** A loader that has found nothing and looks nowhere. One a session: pi binds its actions to the newest. */
function emptyResources(systemPrompt: string, extension: Extension): ResourceLoader {
  const extensions = { extensions: [extension], errors: [], runtime: createExtensionRuntime() };
  return {
    getExtensions: () => extensions,
    getSkills: () => ({ skills: [], diagnostics: [] }),
    getPrompts: () => ({ prompts: [], diagnostics: [] }),
    getThemes: () => ({ themes: [], diagnostics: [] }),
    getAgentsFiles: () => ({ agentsFiles: [] }),
    // Never empty: pi would send its own prompt, with paths of this server in it.
    getSystemPrompt: () => systemPrompt,
    getSystemPromptSource: () => undefined,
    getAppendSystemPrompt: () => [],
    getAppendSystemPromptSources: () => [],
    extendResources() {},
    async reload() {},
  };
}

function quietSettings(limits: Limits): SettingsManager {
  return SettingsManager.inMemory({
    compaction: { enabled: false },
    retry: { enabled: false, provider: { maxRetries: 0, timeoutMs: limits.modelTotalMs } },
    cacheWarming: "off",
    enableInstallTelemetry: false,
    enableAnalytics: false,
    images: { blockImages: true },
  });
}
