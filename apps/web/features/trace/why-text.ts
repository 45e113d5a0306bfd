/** The question that "ask why" puts into the composer (§26), from a step of the chat as from a row of the trace. It is prefilled, never sent. */
import { cutPart } from "../chat/prefill";
import type { TraceItem } from "./trace-model";

const INPUT_CHARS = 120;

/** The translator of the `trace` messages, as far as it is needed here. */
export type Translate = (key: WhyKey, values: Record<string, string | number>) => string;
export type WhyKey =
  | `why.${"called" | "calledWith"}`
  | `why.${"failed" | "failedWith"}`
  | `why.${"blocked" | "blockedWith"}`
  | "why.event"
  | "why.eventOutside"
  | "why.roundTrip"
  | "roundTrip";

export interface WhyCall {
  /** Of the turn. */
  number: number;
  tool: string;
  /** Null or empty: not known, or there was none. */
  inputPreview: string | null;
  ended: "well" | "failed" | "blocked";
}

export function whyCallText({ number, tool, inputPreview, ended }: WhyCall, t: Translate): string {
  const asked = ended === "well" ? "called" : ended;
  if (!inputPreview) return t(`why.${asked}`, { number, tool });
  return t(`why.${asked}With`, { number, tool, input: cutPart(inputPreview, INPUT_CHARS) });
}

/** A tool call's row asks about the call; every other row asks what its event is for. `number` null: outside any turn. */
export function whyText(number: number | null, item: TraceItem, t: Translate): string {
  if (item.kind === "tool" && number !== null) {
    const ended = item.blockedBy !== null ? "blocked" : item.failed ? "failed" : "well";
    return whyCallText({ number, tool: item.name, inputPreview: item.argsPreview, ended }, t);
  }
  // A sentence of its own: Chinese sets no spaces around a round trip, but does around the name of an event.
  if (item.kind === "trip" && number !== null) return t("why.roundTrip", { number, trip: item.number });
  const event = eventOf(item, t);
  return number === null ? t("why.eventOutside", { event }) : t("why.event", { number, event });
}

function eventOf(item: TraceItem, t: Translate): string {
  if (item.kind === "trip") return t("roundTrip", { number: item.number });
  if (item.kind === "tool") return item.name;
  return item.kind === "run" ? item.eventType : item.row.eventType;
}
