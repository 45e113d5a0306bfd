/** What keeps the trace from being whole, in the place where the next event would be. Nothing while all is well. */
import { useTranslations } from "next-intl";
import { formatCount } from "./time-scale";
import styles from "./trace.module.css";
import type { TraceView } from "./trace-model";

type Told = Pick<TraceView, "connection" | "eventCount">;

/** The sentence, also for the page's live region; null while there is nothing to say. */
export function useTraceSentence({ connection, eventCount }: Told): string | null {
  const t = useTranslations("trace.notice");
  if (connection === "reconnecting") {
    return eventCount === 0 ? t("reconnectingFirst") : t("reconnecting", { events: formatCount(eventCount) });
  }
  if (connection === "superseded") return t("superseded");
  return connection === "failed" ? t("failed") : null;
}

type Noticed = Told & Pick<TraceView, "missingRows" | "reconnect">;

export function TraceNotice({ connection, eventCount, missingRows, reconnect }: Noticed) {
  const t = useTranslations("trace.notice");
  const sentence = useTraceSentence({ connection, eventCount });
  return (
    <>
      {missingRows > 0 && (
        <div className={styles.notice}>
          <p>{t("missing", { count: missingRows })}</p>
        </div>
      )}
      {sentence !== null && (
        <div className={styles.notice}>
          <span className={styles.lampCell}>
            <i className={`lamp ${connection === "failed" ? "is-bad" : ""}`} />
          </span>
          <p>{sentence}</p>
          {connection === "reconnecting" ? null : (
            <button type="button" className="act" onClick={reconnect}>
              {connection === "superseded" ? t("showHere") : t("tryAgain")}
            </button>
          )}
        </div>
      )}
    </>
  );
}
