/** The four readouts of the running session. What is not known is `-`; cost is never told (§9). */
"use client";
import { useTranslations } from "next-intl";
import { formatTokens } from "../../lib/time";
import styles from "../../ui/bars.module.css";

export interface ReadoutsProps {
  totalTokens: number | null;
  ctxPercent: number | null;
  events: number | null;
}

export function Readouts({ totalTokens, ctxPercent, events }: ReadoutsProps) {
  const t = useTranslations("readouts");
  const percent = ctxPercent === null ? null : Math.round(Math.min(100, Math.max(0, ctxPercent)));
  return (
    <section className="flex" aria-label={t("label")}>
      <p className={styles.readout}>
        <b>{totalTokens === null ? "-" : formatTokens(totalTokens)}</b> {t("tokens")}
      </p>
      <p className={`${styles.readout} ${styles.spare}`}>
        {t("cost")} <b>-</b>
      </p>
      <p className={styles.readout}>
        {t("ctx")}
        {percent !== null && (
          <span className={styles.gauge} aria-hidden="true">
            <i style={{ width: `calc((100% - 2px) * ${percent / 100})` }} />
          </span>
        )}
        <b>{percent === null ? "-" : `${percent}%`}</b>
      </p>
      <p className={styles.readout}>
        <b>{events?.toLocaleString("en") ?? "-"}</b> {t("events", { count: events ?? 0 })}
      </p>
    </section>
  );
}
