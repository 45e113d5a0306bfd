/**
 * Our own ids for tool calls. A provider's ids can be of any length, can repeat from one response to the next, and by
 * their form tell who the provider is; what leaves the kernel is a name of ours, unique in the session.
 */
import type { KernelEvent } from "./sanitise";

export class CallNames {
  private readonly names = new Map<unknown, string>();

  /** The event with our id in place of the provider's; other events as they are. `unique` is new in the session. */
  rename(event: KernelEvent, unique: number): KernelEvent {
    const given = event.toolCallId;
    if (given === undefined) return event;
    if (event.type === "tool_execution_start" || !this.names.has(given)) this.names.set(given, `call-${unique}`);
    const toolCallId = this.names.get(given);
    // The last event of a call: from here on the same id means another one.
    if (event.type === "tool_execution_end") this.names.delete(given);
    return { ...event, toolCallId };
  }
}
