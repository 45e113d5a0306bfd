/** The question that "ask why" puts into the composer (§26). It is prefilled, never sent. */
import type { TraceItem } from "./trace-model";

const INPUT_CHARS = 120;

/** The translator of the `trace` messages, as far as it is needed here. */
export type Translate = (key: WhyKey, values: Record<string, string | number>) => string;
export type WhyKey = "why.tool" | "why.toolInput" | "why.event" | "why.eventOutside" | "roundTrip";

/** A tool call's row asks about the call; every other row asks what its event is for. `number` null: outside any turn. */
export function whyText(number: number | null, item: TraceItem, t: Translate): string {
  if (item.kind === "tool" && number !== null) {
    if (item.argsPreview === null) return t("why.tool", { number, tool: item.name });
    return t("why.toolInput", { number, tool: item.name, input: cut(item.argsPreview) });
  }
  const event = eventOf(item, t);
  return number === null ? t("why.eventOutside", { event }) : t("why.event", { number, event });
}

function eventOf(item: TraceItem, t: Translate): string {
  if (item.kind === "trip") return t("roundTrip", { number: item.number });
  if (item.kind === "tool") return item.name;
  return item.kind === "run" ? item.eventType : item.row.eventType;
}

/** Never cuts a surrogate pair in two. */
function cut(text: string): string {
  if (text.length <= INPUT_CHARS) return text;
  const end = /[\uD800-\uDBFF]/.test(text[INPUT_CHARS - 1]!) ? INPUT_CHARS - 1 : INPUT_CHARS;
  return `${text.slice(0, end)}…`;
}
