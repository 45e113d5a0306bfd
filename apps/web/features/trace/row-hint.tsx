/** The grey words after a row's name: the one fact of the event that says most, and only what the wire carries. */
import { useTranslations } from "next-intl";
import type { TraceRow } from "../../../../shared/trace-events";
import { bdi } from "../../ui/bdi";
import { inputHint, numberOf, roleOf, textOf } from "./event-facts";
import { formatCount, formatDuration } from "./time-scale";
import type { RunItem, ToolItem, TraceItem, TripItem } from "./trace-model";

/** Of these events one text field is worth a look in the row; the ledger has the rest. */
const TELLING_FIELD = new Map([
  ["session_start", "reason"],
  ["session_info_changed", "name"],
  ["session_compact", "reason"],
  ["session_compact_failed", "reason"],
  ["session_shutdown", "reason"],
  ["model_select", "source"],
  ["thinking_level_select", "level"],
  ["tool_result", "toolName"],
  ["tool_call", "toolName"],
  ["user_bash", "command"],
]);

export function RowHint({ item }: { item: TraceItem }) {
  const t = useTranslations("trace");
  if (item.kind === "trip") return <TripHint trip={item} />;
  if (item.kind === "run") return <RunHint run={item} />;
  if (item.kind === "tool") return <ToolHint tool={item} />;
  if (item.blockedBy !== null)
    return <span className="text-danger">{t.rich("blockedBy", { extension: item.blockedBy, bdi })}</span>;
  if (item.unknown) return <>{t("unknownEvent")}</>;
  if (item.row.data.oversized === true) return <>{t("oversized")}</>;
  if (item.row.eventType === "tool_call" && item.depth === 2 && item.handlers !== null) return <>{t("letThrough")}</>;
  const changers = changersOf(item.handlers);
  if (changers !== null) return <>{t.rich("changedBy", { extension: changers, bdi })}</>;
  const messages = numberOf(item.row.data, "messageCount");
  if (messages !== null) return <>{t("messages", { count: messages })}</>;
  return <>{plainHint(item.row)}</>;
}

/** How long the model took to begin, which a fold would hide, and how many events there are. */
function TripHint({ trip }: { trip: TripItem }) {
  const t = useTranslations("trace");
  const waitMs = waitOf(trip);
  const events = t("events", { count: trip.eventCount });
  return <>{waitMs === null ? events : t("modelTook", { duration: formatDuration(waitMs), events })}</>;
}

function waitOf({ children }: TripItem): number | null {
  for (const child of children) {
    if (child.kind === "tool" || child.waitedFromMs === null) continue;
    return (child.kind === "event" ? child.atMs : child.startMs) - child.waitedFromMs;
  }
  return null;
}

/** What the call was given, after how it ended when that was not well: the bar says it in colour alone. */
function ToolHint({ tool }: { tool: ToolItem }) {
  const t = useTranslations("trace");
  const end = tool.blockedBy !== null ? t("stoppedCall") : tool.failed ? t("failedCall") : null;
  const input = inputHint(tool.argsPreview);
  return (
    <>
      {end === null ? null : <span className="text-danger">{end} </span>}
      {input === null ? null : <bdi>{input}</bdi>}
    </>
  );
}

/** How many events a run has; after a phase in words also what kind they are. */
function RunHint({ run: { phase, eventType, count } }: { run: RunItem }) {
  const times = count > 1 ? `×${formatCount(count)}` : null;
  return <>{[phase === null ? null : eventType, times].filter((part) => part !== null).join(" ")}</>;
}

function plainHint(row: TraceRow): string | null {
  const { data, eventType } = row;
  if (eventType === "input") {
    const text = textOf(data, "text");
    return text === null ? null : `“${text}”`;
  }
  if (eventType === "after_provider_response") return numberOf(data, "status")?.toString() ?? null;
  if (eventType === "message_start" || eventType === "message_end") return roleOf(row);
  const field = TELLING_FIELD.get(eventType);
  return field === undefined ? null : textOf(data, field);
}

/** Who returned something: it was changed, or done instead. */
const changersOf = (handlers: readonly { extension: string; returned: unknown }[] | null): string | null =>
  handlers
    ?.filter(({ returned }) => returned !== null)
    .map(({ extension }) => extension)
    .join(", ") || null;
