/**
 * The one extension that pi sees: a handler on every kernel event. It hands each event to `observe` and lets our own
 * extensions decide where they may. The observing itself returns nothing and changes nothing, and no fault of ours
 * reaches the kernel; only a fault in judging a tool call has an effect: the call is blocked.
 */
import { createSyntheticSourceInfo, type Extension, type ExtensionContext } from "@earendil-works/pi-coding-agent";
import { TRACE_EVENTS } from "../../../shared/trace-events";
import {
  composeSystemPrompt,
  decideToolCall,
  type KernelExtension,
  listExtensions,
  type ToolCallEvent,
} from "./extension";
import type { KernelLog } from "./kernel-types";
import type { EventExtra, KernelEvent } from "./sanitise";

export interface ObserverDeps {
  /** The whole system prompt of the session; pi's own sections, the working directory among them, are not sent. */
  systemPrompt: string;
  extensions: readonly KernelExtension[];
  /**
   * Gets every event once: with what our extensions returned where they were asked, and the start of the session with
   * who is registered for what.
   */
  observe(event: KernelEvent, extra?: EventExtra): void;
  log: KernelLog;
}

const NAME = "<inline:xray>";
type Handler = (event: KernelEvent, context: Pick<ExtensionContext, "signal">) => Promise<unknown>;

export function observerExtension(deps: ObserverDeps): Extension {
  const handlers = new Map<string, Handler[]>();
  for (const name of Object.keys(TRACE_EVENTS)) handlers.set(name, [async (event) => watch(deps, event)]);
  handlers.set("session_start", [async (event) => watch(deps, event, { extensions: listExtensions(deps.extensions) })]);
  handlers.set("tool_call", [(event, context) => judgeToolCall(deps, event, context.signal)]);
  handlers.set("before_agent_start", [(event) => preparePrompt(deps, event)]);
  return {
    path: NAME,
    resolvedPath: NAME,
    sourceInfo: createSyntheticSourceInfo(NAME, { source: "inline" }),
    handlers: handlers as unknown as Extension["handlers"],
    // No commands: pi would run them from visitor text that begins with a slash.
    commands: new Map(),
    tools: new Map(),
    messageRenderers: new Map(),
    flags: new Map(),
    shortcuts: new Map(),
  };
}

function watch(deps: ObserverDeps, event: KernelEvent, extra?: EventExtra): undefined {
  guarded(deps, event, () => deps.observe(event, extra));
  if (event.type !== "turn_start") return;
  for (const { handlers } of deps.extensions) guarded(deps, event, () => handlers.turn_start?.());
}

function guarded(deps: ObserverDeps, event: KernelEvent, task: () => void): void {
  try {
    task();
  } catch (error) {
    deps.log.error("a kernel event could not be observed", error, { eventType: event.type });
  }
}

/** Recorded after the verdict: the row shows both. */
async function judgeToolCall(
  deps: ObserverDeps,
  event: KernelEvent,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const call = event as unknown as ToolCallEvent;
  const { verdict, decisions } = await decideToolCall(deps.extensions, call, signal, deps.log);
  watch(deps, event, { handlers: decisions });
  return verdict;
}

async function preparePrompt(deps: ObserverDeps, event: KernelEvent): Promise<{ systemPrompt: string }> {
  const prompt = typeof event.prompt === "string" ? event.prompt : "";
  const { systemPrompt, decisions } = await composeSystemPrompt(deps.extensions, prompt, deps.systemPrompt, deps.log);
  watch(deps, event, { handlers: decisions });
  return { systemPrompt };
}
