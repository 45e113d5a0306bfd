/** Head of the panel: the name of the picture and one lamp. Green only while a turn runs and its events arrive. */
import { useTranslations } from "next-intl";
import styles from "./trace.module.css";
import type { TraceConnection } from "./trace-model";

export interface TraceHeadProps {
  /** What the panel shows: the map at zero before the first message, the timeline after it. */
  view: "timeline" | "lifecycle";
  connection: TraceConnection;
  running: boolean;
}

export function TraceHead({ view, connection, running }: TraceHeadProps) {
  const t = useTranslations("trace");
  const state = lampState(connection, running);
  return (
    <div className={styles.head}>
      <h2>{t(view)}</h2>
      <span className={styles.state}>
        <i className={`lamp ${state === "live" ? "is-on" : state === "failed" ? "is-bad" : ""}`} />
        {t(`state.${state}`)}
      </span>
    </div>
  );
}

function lampState(connection: TraceConnection, running: boolean) {
  if (connection === "live") return running ? "live" : "waiting";
  if (connection === "idle") return "waiting";
  return connection;
}
