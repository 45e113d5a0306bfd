/**
 * The four modes, what each may do, and how many events it had; before the first event, how many kinds of event there
 * are. A cell is also the switch of its mode in the filter.
 */
import { useTranslations } from "next-intl";
import { TRACE_EVENTS, TRACE_MODES, type TraceMode } from "../../../../shared/trace-events";
import { ModeGlyph } from "./mode-glyph";
import { formatCount } from "./time-scale";
import styles from "./trace.module.css";
import type { FilterControl } from "./use-trace-filter";

export interface TraceLegendProps {
  /** Null: nothing has happened yet. */
  counts: Record<TraceMode, number> | null;
  blockedCount: number;
  /** Absent: nothing can be hidden. */
  control?: FilterControl;
}

export function TraceLegend({ counts, blockedCount, control }: TraceLegendProps) {
  const t = useTranslations("trace");
  return (
    <dl className={styles.legend} aria-label={t("modes")}>
      {TRACE_MODES.map((mode) => {
        const off = control?.filter.hiddenModes.has(mode) === true;
        const stopped = mode === "veto" && counts !== null ? blockedCount : 0;
        return (
          <div key={mode} className={off ? styles.off : undefined}>
            <dt>
              <ModeSwitch mode={mode} control={control} />
            </dt>
            <dd>
              {formatCount(counts === null ? kindsOf(mode) : counts[mode])}
              {counts === null && <small>{t("kinds", { count: kindsOf(mode) })}</small>}
              {off && <small>{t("filter.off")}</small>}
              {stopped > 0 && <small className={styles.bad}>{t("blocked", { count: stopped })}</small>}
              {/* What is counted, where there is room for it. */}
              {counts !== null && !off && stopped === 0 && <small>{t("unit", { count: counts[mode] })}</small>}
            </dd>
          </div>
        );
      })}
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
    <button type="button" aria-pressed={!control.filter.hiddenModes.has(mode)} onClick={() => control.toggleMode(mode)}>
      {words}
    </button>
  );
}

const kindsOf = (mode: TraceMode): number => Object.values(TRACE_EVENTS).filter((value) => value === mode).length;
