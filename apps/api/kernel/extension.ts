/**
 * Our own extensions inside the kernel: those that may decide. The observer composes them in order, applies what they
 * return and records it beside the event, so that a blocked call shows who blocked it and why (§5.2).
 */
import { LIMITS } from "../../../shared/limits";
import { previewText } from "../../../shared/text/preview";
import type { HandlerDecision, JsonObject, ListedExtension } from "../../../shared/trace-events";
import type { KernelLog } from "./kernel-types";

export interface KernelExtension {
  /** Public: it is shown in the trace. */
  name: string;
  handlers: {
    /** A new user message: may replace the system prompt it is given, for this run. */
    before_agent_start?(event: { prompt: string; systemPrompt: string }): Awaitable<PromptChange | undefined>;
    /** A tool is about to run: may block it. A throw blocks it too. */
    tool_call?(event: ToolCallEvent): Awaitable<ToolCallVerdict | undefined>;
    /** A model round trip begins. Decides nothing. */
    turn_start?(): void;
  };
}

type Awaitable<T> = T | Promise<T>;

export interface PromptChange {
  systemPrompt: string;
  /** Public names of the skills that it now lists; shown in the trace, which the prompt itself never is. */
  skills?: readonly string[];
}

export interface ToolCallEvent {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
}
export interface ToolCallVerdict {
  block: true;
  /** Shown to the model and in the trace: fixed words. */
  reason: string;
}

const BLOCKED_BY_FAULT: ToolCallVerdict = { block: true, reason: "The call could not be checked." };
const BLOCKED_BY_ABORT: ToolCallVerdict = { block: true, reason: "The turn was stopped." };

/** Who is registered for what, in the order of asking: which handlers an event passes is read from this. */
export function listExtensions(extensions: readonly KernelExtension[]): ListedExtension[] {
  return extensions.map(({ name, handlers }) => ({
    extension: name,
    listensTo: (Object.keys(handlers) as (keyof typeof handlers)[]).filter((event) => handlers[event] !== undefined),
  }));
}

/** Asks each extension in order; the first that blocks decides, and the later ones are not asked. */
export async function decideToolCall(
  extensions: readonly KernelExtension[],
  event: ToolCallEvent,
  signal: AbortSignal | undefined,
  log: KernelLog,
): Promise<{ verdict: ToolCallVerdict | undefined; decisions: HandlerDecision[] }> {
  const decisions: HandlerDecision[] = [];
  for (const { name, handlers } of extensions) {
    if (!handlers.tool_call) continue;
    const verdict = await askOne(name, () => handlers.tool_call?.(event), signal, log);
    decisions.push({ extension: name, returned: verdict ? shownVerdict(verdict) : null });
    if (verdict) return { verdict, decisions };
  }
  return { verdict: undefined, decisions };
}

function shownVerdict({ reason }: ToolCallVerdict): JsonObject {
  return { block: true, reason: previewText(reason, { mark: "trace", chars: LIMITS.messagePreviewChars }) };
}

/** Passes the prompt through each extension. One that throws is skipped: it only adds, it guards nothing. */
export async function composeSystemPrompt(
  extensions: readonly KernelExtension[],
  prompt: string,
  base: string,
  log: KernelLog,
): Promise<{ systemPrompt: string; decisions: HandlerDecision[] }> {
  let systemPrompt = base;
  const decisions: HandlerDecision[] = [];
  for (const { name, handlers } of extensions) {
    if (!handlers.before_agent_start) continue;
    let returned: JsonObject | null = null;
    try {
      const result = await handlers.before_agent_start({ prompt, systemPrompt });
      if (result) {
        returned = { addedChars: result.systemPrompt.length - systemPrompt.length };
        if (result.skills) returned.skills = result.skills.join(", ");
        systemPrompt = result.systemPrompt;
      }
    } catch (error) {
      log.error("an extension failed before a run", error, { extension: name });
    }
    decisions.push({ extension: name, returned });
  }
  return { systemPrompt, decisions };
}

/** A handler that never answers must not outlive the turn: an abort blocks the call in its place. */
async function askOne(
  name: string,
  ask: () => Awaitable<ToolCallVerdict | undefined>,
  signal: AbortSignal | undefined,
  log: KernelLog,
): Promise<ToolCallVerdict | undefined> {
  const aborted = Promise.withResolvers<ToolCallVerdict>();
  const onAbort = () => aborted.resolve(BLOCKED_BY_ABORT);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return signal?.aborted ? BLOCKED_BY_ABORT : await Promise.race([ask(), aborted.promise]);
  } catch (error) {
    log.error("an extension failed to judge a tool call", error, { extension: name });
    return BLOCKED_BY_FAULT;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}
