/**
 * Our tools as pi runs them (§2.4): bounded in time and in result, deaf to pi's context, and silent about their faults.
 * An abort or a timeout ends the call even when the tool ignores its signal: pi's own abort waits for every tool.
 */
import type { ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { Limits } from "../../../shared/limits";
import { cutText } from "../../../shared/text/bounded-json";
import { traceCutMark } from "../../../shared/text/preview";
import { type KernelLog, type KernelTool, ToolFailure } from "./kernel-types";

const TOOL_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const PHASE = /^[a-z][a-z0-9_.-]{0,63}$/;

export const ARGUMENTS_TOO_LONG = "The arguments are too long.";
export const TOOL_FAILED = "The tool failed.";
export const TOOL_TIMED_OUT = "The tool took too long.";
export const TOOL_ABORTED = "The call was stopped.";

/** @throws Error on a name that is malformed or given twice: pi checks neither. */
export function adaptTools(tools: readonly KernelTool[], limits: Limits, log: KernelLog): ToolDefinition[] {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (!TOOL_NAME.test(name) || names.has(name)) throw new Error(`tool name refused: ${JSON.stringify(name)}`);
    names.add(name);
  }
  return tools.map((tool) => adaptTool(tool, limits, log));
}

function adaptTool(tool: KernelTool, limits: Limits, log: KernelLog): ToolDefinition {
  return {
    name: tool.name,
    label: tool.label,
    description: tool.description,
    parameters: tool.parameters,
    // Before pi checks them: it answers arguments that do not fit with all of them, which nothing would bound.
    prepareArguments(args) {
      if (JSON.stringify(args ?? null).length > limits.toolArgumentsChars) throw new Error(ARGUMENTS_TOO_LONG);
      return args as Record<string, unknown>;
    },
    // pi's fifth argument, its context, can read the key: it is not taken.
    async execute(toolCallId, params, callerSignal, onUpdate) {
      const signal = withTimeout(callerSignal, tool.timeoutMs ?? limits.toolTimeoutMs);
      let running = true;
      const onPhase = (phase: string) => {
        if (running && PHASE.test(phase)) onUpdate?.({ content: [{ type: "text", text: phase }], details: {} });
      };
      try {
        const work = tool.execute(params as Record<string, unknown>, { toolCallId, signal, onPhase });
        const { text, details } = await untilAborted(work, signal);
        return {
          content: [{ type: "text", text: cutText(text, limits.toolResultChars, traceCutMark) }],
          details: details ?? {},
        };
      } catch (error) {
        throw new Error(failureSentence(error, callerSignal, signal, tool.name, log));
      } finally {
        running = false;
      }
    },
  };
}

function withTimeout(signal: AbortSignal | undefined, timeoutMs: number): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(new ToolFailure(TOOL_ABORTED));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener("abort", onAbort));
}

function failureSentence(
  error: unknown,
  caller: AbortSignal | undefined,
  signal: AbortSignal,
  tool: string,
  log: KernelLog,
): string {
  if (caller?.aborted) return TOOL_ABORTED;
  if (signal.aborted) {
    log.error("a tool timed out", undefined, { tool });
    return TOOL_TIMED_OUT;
  }
  if (error instanceof ToolFailure) return error.message;
  log.error("a tool failed", error, { tool });
  return TOOL_FAILED;
}
