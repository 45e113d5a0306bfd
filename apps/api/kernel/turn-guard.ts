/**
 * The guard of a turn: pi itself knows no bound on round trips or tool calls. Past `toolCallsPerTurn` each further call
 * is blocked; past `modelRoundTripsPerTurn` the turn ends. A round trip counts when it begins, because a model can
 * keep the loop going without a single tool call that runs. What skills may do is asked of their own rules.
 */
import type { Limits } from "../../../shared/limits";
import type { KernelExtension } from "./extension";
import type { SkillGuard } from "./skill-guard";

export const TOO_MANY_TOOL_CALLS = "This turn has used all its tool calls. Answer with what is known.";

/** `endTurn` must stop the running turn; it is called at most once a round trip. */
export function turnGuard(limits: Limits, endTurn: () => void, skills?: SkillGuard): KernelExtension {
  let roundTrips = 0;
  let toolCalls = 0;
  return {
    name: "xray-guard",
    handlers: {
      before_agent_start() {
        roundTrips = 0;
        toolCalls = 0;
        skills?.beginTurn();
        return undefined;
      },
      tool_call(event) {
        toolCalls += 1;
        if (toolCalls > limits.toolCallsPerTurn) return { block: true, reason: TOO_MANY_TOOL_CALLS };
        return skills?.judge(event);
      },
      turn_start() {
        roundTrips += 1;
        if (roundTrips > limits.modelRoundTripsPerTurn) endTurn();
      },
    },
  };
}
