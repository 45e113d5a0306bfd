/**
 * The four modes, what each may do, how many events of the session had it, and in how many of them it was done; before
 * the first event, how many kinds of event there are. A cell is also the switch that shows its mode alone.
 */
import { useTranslations } from "next-intl";
import { TRACE_EVENTS, TRACE_MODES, type TraceMode } from "../../../../shared/trace-events";
import { ModeGlyph } from "./mode-glyph";
import { formatCount } from "./time-scale";
import styles from "./trace-legend.module.css";
import type { FilterControl } from "./use-trace-filter";

export interface TraceLegendProps {
  /** Null: nothing has happened yet. */
  counts: Record<TraceMode, number> | null;
  decided: Record<TraceMode, number>;
  /** Absent: nothing can be left out. */
  control?: FilterControl;
}

export function TraceLegend({ counts, decided, control }: TraceLegendProps) {
  const t = useTranslations("trace");
  const only = control?.filter.mode ?? null;
  return (
    <dl className={styles.legend} aria-label={t("modes")}>
      {TRACE_MODES.map((mode) => (
        <div key={mode} className={only === mode ? styles.only : only === null ? undefined : styles.off}>
          <dt>
            <ModeSwitch mode={mode} control={control} />
          </dt>
          <dd>
            {formatCount(counts === null ? kindsOf(mode) : counts[mode])}
            <small>{counts === null ? t("kinds", { count: kindsOf(mode) }) : t("unit", { count: counts[mode] })}</small>
            {counts !== null && (
              <small className={mode === "veto" && decided.veto > 0 ? styles.bad : undefined}>
                {mode === "notify" ? t("allTurns") : t(`mode.${mode}.did`, { count: decided[mode] })}
              </small>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function ModeSwitch({ mode, control }: { mode: TraceMode; control?: FilterControl }) {
  const t = useTranslations("trace");
  const words = (
    <>
      <b>
        <ModeGlyph name={mode} />
        {t(`mode.${mode}.name`)}
      </b>
      <span>{t(`mode.${mode}.may`)}</span>
    </>
  );
  if (control === undefined) return words;
  return (
    <button
      type="button"
      aria-pressed={control.filter.mode === mode}
      title={t("filter.only", { mode: t(`mode.${mode}.name`) })}
      onClick={() => control.toggleMode(mode)}
    >
      {words}
    </button>
  );
}

const kindsOf = (mode: TraceMode): number => Object.values(TRACE_EVENTS).filter((value) => value === mode).length;
