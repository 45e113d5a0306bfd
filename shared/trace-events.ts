/**
 * The event vocabulary: what pi 1.6.0 emits, with the mode in which a handler may act on it. A test compares this
 * table to the event list of the installed pi version and fails when one is added or dropped.
 *
 * notify: a handler may only observe. veto: it may stop it. chain: it may change what passes. takeover: it may do it
 * instead.
 */
export const TRACE_MODES = ["notify", "veto", "chain", "takeover"] as const;
export type TraceMode = (typeof TRACE_MODES)[number];

export const TRACE_EVENTS = {
  session_start: "notify",
  session_info_changed: "notify",
  session_compact: "notify",
  session_compact_failed: "notify",
  session_shutdown: "notify",
  session_tree: "notify",
  mcp_servers_change: "notify",
  after_provider_response: "notify",
  provider_stream_event: "notify",
  agent_start: "notify",
  agent_end: "notify",
  agent_settled: "notify",
  turn_start: "notify",
  message_start: "notify",
  message_update: "notify",
  tool_execution_start: "notify",
  tool_execution_update: "notify",
  tool_execution_end: "notify",
  model_select: "notify",
  thinking_level_select: "notify",
  ui_prompt_start: "notify",
  ui_prompt_end: "notify",
  tool_call: "veto",
  session_before_compact: "veto",
  session_before_tree: "veto",
  session_before_switch: "veto",
  session_before_fork: "veto",
  before_agent_start: "chain",
  context: "chain",
  context_with_system: "chain",
  before_provider_headers: "chain",
  before_provider_request: "chain",
  message_end: "chain",
  tool_result: "chain",
  turn_end: "chain",
  agent_before_settle: "chain",
  resources_discover: "chain",
  input: "takeover",
  user_bash: "takeover",
  project_trust: "takeover",
  cache_warming_decision: "takeover",
} as const satisfies Record<string, TraceMode>;

export type TraceEventName = keyof typeof TRACE_EVENTS;

/** One sanitised kernel event, as stored, as streamed and as drawn. `seq` counts 0, 1, 2 … within a session. */
export interface TraceRow {
  seq: number;
  /** `seq` of the visitor message whose turn the event belongs to; null for an event outside any turn. */
  turnSeq: number | null;
  eventType: string;
  mode: TraceMode;
  /** ISO 8601, UTC, milliseconds. */
  timestamp: string;
  data: JsonObject;
}

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** What one handler did with a decided event; part of `data.handlers` of `tool_call` and `before_agent_start`. */
export interface HandlerDecision {
  extension: string;
  /** Null: looked, returned nothing. Otherwise the whitelisted fields of what it returned. */
  returned: JsonObject | null;
}

/** One of our extensions as it was registered; part of `data.extensions` of `session_start`, in the order of asking. */
export interface ListedExtension {
  extension: string;
  /** The events that it has a handler for. */
  listensTo: TraceEventName[];
}
