/** The trace panel's public face: what the Runtime page composes. Everything else in this folder is private to it. */
export { EmptyTrace } from "./empty-trace";
export { inputHint } from "./event-facts";
export { focusChatElement, focusTraceRow } from "./links";
export { TraceAxis, type TraceAxisProps } from "./trace-axis";
export { TraceFill } from "./trace-fill";
export { TraceFilm, type TraceFilmProps } from "./trace-film";
export { TraceHead, type TraceHeadProps } from "./trace-head";
export { TraceLegend, type TraceLegendProps } from "./trace-legend";
export { TraceLine, type TraceLineProps } from "./trace-line";
export type { TraceConnection, TraceTurn, TraceView } from "./trace-model";
export { TraceNotice, useTraceSentence } from "./trace-notice";
export { TraceSheet, type TraceSheetProps } from "./trace-sheet";
export { TurnTrace, type TurnTraceProps } from "./turn-trace";
export { useTrace } from "./use-trace";
export { whyCallText } from "./why-text";
