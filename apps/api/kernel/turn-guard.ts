/**
 * The guard of a turn: pi itself knows no bound on round trips or tool calls. Past `toolCallsPerTurn` each further call
 * is blocked; past `modelRoundTripsPerTurn` the turn ends. A round trip counts when it begins, because a model can
 * keep the loop going without a single tool call that runs.
 */
import type { Limits } from "../../../shared/limits";
import type { KernelExtension } from "./extension";

export const TOO_MANY_TOOL_CALLS = "This turn has used all its tool calls. Answer with what is known.";

/** `endTurn` must stop the running turn; it is called at most once a round trip. */
export function turnGuard(limits: Limits, endTurn: () => void): KernelExtension {
  let roundTrips = 0;
  let toolCalls = 0;
  return {
    name: "xray-guard",
    handlers: {
      before_agent_start() {
        roundTrips = 0;
        toolCalls = 0;
        return undefined;
      },
      tool_call() {
        toolCalls += 1;
        return toolCalls > limits.toolCallsPerTurn ? { block: true, reason: TOO_MANY_TOOL_CALLS } : undefined;
      },
      turn_start() {
        roundTrips += 1;
        if (roundTrips > limits.modelRoundTripsPerTurn) endTurn();
      },
    },
  };
}
