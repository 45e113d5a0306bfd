/** Scrubs through the recorded events: a slider over all of them, a step either way, and the way back to the present. */
import { useTranslations } from "next-intl";
import styles from "./replay.module.css";
import { formatCount } from "./time-scale";
import { turnNumber } from "./reduce";
import type { Replay } from "./use-replay";

export function ReplayBar({ replay: { rows, at, goTo, leave } }: { replay: Replay }) {
  const t = useTranslations("panel.replay");
  const shown = rows[at];
  if (shown === undefined) return null;
  const { row, place } = shown;
  const number = turnNumber(row.turnSeq);
  const where = t("place", { place: formatCount(place), count: formatCount(rows.at(-1)!.place) });
  const turn = number === null ? t("outside") : t("turn", { number });
  return (
    <fieldset className={styles.bar} aria-label={t("label")} data-replay="">
      <button
        type="button"
        className={styles.step}
        aria-label={t("back")}
        disabled={at === 0}
        onClick={() => goTo(at - 1)}
      >
        <StepMark back />
      </button>
      <input
        type="range"
        min={0}
        max={rows.length - 1}
        value={at}
        aria-label={t("scrub")}
        aria-valuetext={`${where}, ${turn}, ${row.eventType}`}
        onChange={(event) => goTo(event.currentTarget.valueAsNumber)}
      />
      <button
        type="button"
        className={styles.step}
        aria-label={t("forward")}
        disabled={at === rows.length - 1}
        onClick={() => goTo(at + 1)}
      >
        <StepMark />
      </button>
      <span className={`${styles.where} num`}>
        <b>{t("name")}</b> · {where}
      </span>
      <button type="button" className="act" onClick={leave}>
        {t("leave")}
      </button>
    </fieldset>
  );
}

export function StepMark({ back = false }: { back?: boolean }) {
  return (
    <svg width="9" height="10" viewBox="0 0 9 10" fill="currentColor" aria-hidden="true">
      <path d={back ? "M8 .8 2.4 5 8 9.2zM.8 1h1.2v8H.8z" : "M1 .8 6.6 5 1 9.2zM7 1h1.2v8H7z"} />
    </svg>
  );
}
