/** Below the last row of a turn that is over: what took the time, what went wrong, what changed the prompt. */
import { useTranslations } from "next-intl";
import { bdi } from "../../ui/bdi";
import { formatDuration } from "./time-scale";
import styles from "./trace.module.css";
import type { TraceTurn } from "./trace-model";
import { summarise } from "./turn-summary";

export function TurnFoot({ turn }: { turn: TraceTurn }) {
  const t = useTranslations("trace.summary");
  const { slowestCall, waitedMs, blocked, failedCalls, addedChars } = summarise(turn);
  return (
    <p className={styles.summary}>
      {waitedMs !== null && waitedMs >= 1 && (
        <span>
          {/* As the rows draw it. */}
          <i aria-hidden="true" />
          {t("waited", { duration: formatDuration(waitedMs) })}
        </span>
      )}
      {slowestCall !== null && (
        <span>{t.rich("slowest", { tool: slowestCall.name, duration: formatDuration(slowestCall.ms), bdi })}</span>
      )}
      {[...blocked].map(([extension, count]) => (
        <span key={extension} className="text-danger">
          {t.rich("blocked", { extension, count, bdi })}
        </span>
      ))}
      {failedCalls > 0 && <span className="text-danger">{t("failed", { count: failedCalls })}</span>}
      {[...addedChars].map(([extension, count]) => (
        <span key={extension}>{t.rich("added", { extension, count, bdi })}</span>
      ))}
    </p>
  );
}
