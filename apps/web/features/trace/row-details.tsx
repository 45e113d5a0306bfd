/** What opens under a row: who returned what for a decided event, otherwise the data of the wire as a ledger. */
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { HandlerDecision, JsonObject, TraceRow } from "../../../../shared/trace-events";
import { eventsIn, roleOf, valueText } from "./event-facts";
import { formatCount, formatDuration } from "./time-scale";
import styles from "./trace-row.module.css";
import type { LeafItem, RunItem, ToolItem } from "./trace-model";

export interface RowDetailsProps {
  item: LeafItem;
  onAskWhy: () => void;
  /** Absent where the chat has no other half. */
  onShowInChat?: () => void;
  /** Absent where there is no chain to go to. */
  onShowInChain?: (row: TraceRow) => void;
}

export function RowDetails({ item, onAskWhy, onShowInChat, onShowInChain }: RowDetailsProps) {
  const t = useTranslations("trace");
  return (
    <div className={styles.details}>
      <dl>
        {item.kind === "run" ? (
          <RunEntries run={item} />
        ) : item.kind === "tool" ? (
          <ToolEntries tool={item} />
        ) : (
          <EventEntries item={item} />
        )}
      </dl>
      <p className={styles.actions}>
        <button type="button" className="act" onClick={onAskWhy}>
          {t("askWhy")}
        </button>
        {onShowInChat === undefined ? null : (
          <button type="button" className="act" onClick={onShowInChat}>
            {t("showInChat")}
          </button>
        )}
        {onShowInChain === undefined || item.kind !== "event" ? null : (
          <button type="button" className="act" onClick={() => onShowInChain(item.row)}>
            {t("showInChain")}
          </button>
        )}
      </p>
    </div>
  );
}

function EventEntries({ item }: { item: Extract<LeafItem, { kind: "event" }> }) {
  const t = useTranslations("trace.details");
  const { handlers, row, waitedFromMs, atMs } = item;
  // A decided event opens to who returned what; its input stands in the row of the call.
  if (handlers !== null && handlers.length > 0) return <Decisions handlers={handlers} />;
  const plain = Object.entries(row.data).filter(([key]) => key !== "type" && key !== "handlers");
  return (
    <>
      {handlers === null ? null : (
        <Entry name="handlers">
          <span className={styles.said}>{t("noHandler")}</span>
        </Entry>
      )}
      {plain.map(([key, value]) => (
        <Entry key={key} name={key}>
          {valueText(value)}
        </Entry>
      ))}
      {withheldOf(row).map((name) => (
        <Entry key={name} name={name}>
          <span className={styles.said}>{t("notRecorded")}</span>
        </Entry>
      ))}
      {waitedFromMs === null ? null : <Entry name={t("waited")}>{formatDuration(atMs - waitedFromMs)}</Entry>}
      <Entry name="seq">{row.seq}</Entry>
      <Entry name="timestamp">{row.timestamp}</Entry>
    </>
  );
}

/** What the kernel's event has and the wire does not carry, so that a reader does not look for it. */
function withheldOf(row: TraceRow): string[] {
  if (roleOf(row) === "system") return ["text"];
  return WITHHELD.get(row.eventType) ?? [];
}
/** A map: the name of an event comes from the wire, and an object has more names than were given to it. */
const WITHHELD = new Map<string, string[]>([
  ["context", ["messages"]],
  ["context_with_system", ["messages"]],
  ["before_provider_headers", ["headers"]],
  ["before_provider_request", ["payload"]],
]);

function Decisions({ handlers }: { handlers: readonly HandlerDecision[] }) {
  return handlers.map((decision, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the order of the handlers is their identity
    <Decision key={index} decision={decision} />
  ));
}

function Decision({ decision: { extension, returned } }: { decision: HandlerDecision }) {
  const t = useTranslations("trace.details");
  if (returned === null) {
    return (
      <Entry name={extension}>
        <span className={styles.said}>{t("returnedNothing")}</span>
      </Entry>
    );
  }
  return (
    <Entry name={extension}>
      {Object.entries(returned).map(([key, value]) => (
        <span key={key} className={`${styles.field} ${isStop(key, value) ? "text-danger" : ""}`}>
          {key === "addedChars" && typeof value === "number" ? (
            t("addedToPrompt", { count: value })
          ) : (
            <>
              <bdi>{key}</bdi>: <bdi>{typeof value === "string" ? JSON.stringify(value) : valueText(value)}</bdi>
            </>
          )}
        </span>
      ))}
      {"addedChars" in returned && <span className={`${styles.field} ${styles.said}`}>text: {t("notRecorded")}</span>}
    </Entry>
  );
}

const isStop = (key: string, value: unknown): boolean => (key === "block" || key === "cancel") && value === true;

function ToolEntries({ tool }: { tool: ToolItem }) {
  const t = useTranslations("trace.details");
  const result = tool.endRow?.data.resultPreview;
  return (
    <>
      <Entry name="toolCallId">{tool.toolCallId}</Entry>
      {tool.argsPreview === null ? null : <Entry name={t("input")}>{tool.argsPreview}</Entry>}
      {result === undefined ? null : <Entry name={t("result")}>{valueText(result)}</Entry>}
      {tool.endRow === null ? null : <Entry name="isError">{String(tool.failed)}</Entry>}
      {tool.blockedBy === null && <Entry name={t("took")}>{formatDuration(tool.durationMs)}</Entry>}
    </>
  );
}

/** A merged run: how many of each kind, and for text the pieces put back together; of a call's progress each new word. */
function RunEntries({ run }: { run: RunItem }) {
  const t = useTranslations("trace.details");
  const tTrace = useTranslations("trace");
  const first = run.rows[0]!;
  const last = run.rows.at(-1)!;
  return (
    <>
      {piecesOf(run).map(({ type, rows, text }) => (
        <Entry key={type} name={type}>
          <span className={styles.field}>×{formatCount(rows)}</span>
          {text === "" ? null : <span className={styles.field}>{text}</span>}
        </Entry>
      ))}
      <Entry name={t("merged")}>
        {t("mergedRows", { events: tTrace("events", { count: run.count }), rows: run.rows.length })}
      </Entry>
      <Entry name={t("took")}>{formatDuration(run.durationMs)}</Entry>
      <Entry name="seq">{first === last ? first.seq : `${first.seq} … ${last.seq}`}</Entry>
      <Entry name="timestamp">{first.timestamp}</Entry>
    </>
  );
}

interface Piece {
  type: string;
  rows: number;
  text: string;
}

function piecesOf(run: RunItem): Piece[] {
  const pieces = new Map<string, Piece>();
  let last = "";
  for (const row of run.rows) {
    const { data, eventType } = row;
    const inner = (data.assistantMessageEvent ?? data) as JsonObject;
    const type = typeof inner.type === "string" ? inner.type : eventType;
    const piece = pieces.get(type) ?? { type, rows: 0, text: "" };
    piece.rows += eventsIn(row);
    const { delta, partialResultPreview: said } = inner;
    if (typeof delta === "string") piece.text += delta;
    else if (typeof said === "string" && said !== last) piece.text += piece.text === "" ? said : `\n${said}`;
    if (typeof said === "string") last = said;
    pieces.set(type, piece);
  }
  return [...pieces.values()];
}

function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
