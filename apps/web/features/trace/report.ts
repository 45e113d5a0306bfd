/** What a page that looks back needs of the trace: its reader, its reducer and its table, without the live panel. */
export { type Blocked, blockedCalls } from "./blocked-calls";
export { readStoredTrace } from "./read-stored";
export { addRows, EMPTY_TRACE, type TraceState } from "./reduce";
export { traceFileText } from "./trace-file";
export { TurnTable } from "./turn-table";
