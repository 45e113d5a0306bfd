/** The four modes, what each may do, and how many events it had; before the first event, how many kinds of event there are. */
import { useTranslations } from "next-intl";
import { TRACE_EVENTS, TRACE_MODES, type TraceMode } from "../../../../shared/trace-events";
import { ModeGlyph } from "./mode-glyph";
import { formatCount } from "./time-scale";
import styles from "./trace.module.css";

export interface TraceLegendProps {
  /** Null: nothing has happened yet. */
  counts: Record<TraceMode, number> | null;
  blockedCount: number;
}

export function TraceLegend({ counts, blockedCount }: TraceLegendProps) {
  const t = useTranslations("trace");
  return (
    <dl className={styles.legend} aria-label={t("modes")}>
      {TRACE_MODES.map((mode) => (
        <div key={mode}>
          <dt>
            <b>
              <ModeGlyph name={mode} />
              {t(`mode.${mode}.name`)}
            </b>
            <span>{t(`mode.${mode}.may`)}</span>
          </dt>
          <dd>
            {counts === null ? (
              <>
                {kindsOf(mode)}
                <small>{t("kinds", { count: kindsOf(mode) })}</small>
              </>
            ) : (
              formatCount(counts[mode])
            )}
            {mode === "veto" && counts !== null && blockedCount > 0 ? (
              <small className={styles.bad}>{t("blocked", { count: blockedCount })}</small>
            ) : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const kindsOf = (mode: TraceMode): number => Object.values(TRACE_EVENTS).filter((value) => value === mode).length;
