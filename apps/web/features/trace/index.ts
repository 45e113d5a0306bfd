/** The trace panel's public face: what the Runtime page composes. Everything else in this folder is private to it. */
export type { TraceConnection, TraceTurn, TraceView } from "./trace-model";
