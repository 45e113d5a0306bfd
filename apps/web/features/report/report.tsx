/**
 * A session on paper: what was said, how it came about, and every event beneath, as one document to read, print or keep.
 * It is made in the browser from what the visitor may read anyway; nothing is published, and no address leads to it
 * from outside.
 */
"use client";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { recallSession } from "../../lib/current-session";
import { saveFile } from "../../lib/save-file";
import { longDay } from "../../lib/time";
import { StatePage } from "../../ui/state-page";
import { BrandMark } from "../../ui/icons";
import { blockedCalls, traceFileText, TurnTable } from "../trace/report";
import { ReportTurn } from "./report-turn";
import styles from "./report.module.css";
import { readReport, type Report as ReportContent } from "./read-report";

type State = "loading" | "none" | "failed" | ReportContent;

export function Report() {
  const t = useTranslations("report");
  const [state, setState] = useState<State>("loading");
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` is how a reader tries again
  useEffect(() => {
    const sessionId = recallSession();
    if (sessionId === null) return setState("none");
    setState("loading");
    const leave = new AbortController();
    readReport(sessionId, leave.signal).then(
      (report) => setState(report),
      () => leave.signal.aborted || setState("failed"),
    );
    return () => leave.abort();
  }, [attempt]);

  if (typeof state === "object") return <Document report={state} />;
  const toRuntime = (
    <Link className="btn" href="/">
      {t("runtime")}
    </Link>
  );
  switch (state) {
    case "loading":
      return (
        <main>
          <p className={styles.loading} role="status">
            <i className="lamp" /> {t("loading")}
          </p>
        </main>
      );
    case "none":
      return (
        <StatePage title={t("title")} fact={t("none")} note={t("noneNote")}>
          {toRuntime}
        </StatePage>
      );
    case "failed":
      return (
        <StatePage title={t("title")} fact={t("failed")} note={t("failedNote")}>
          <button type="button" className="btn" onClick={() => setAttempt((count) => count + 1)}>
            {t("again")}
          </button>
          {toRuntime}
        </StatePage>
      );
  }
}

function Document({ report: { session, turns, trace, rows } }: { report: ReportContent }) {
  const t = useTranslations("report");
  const language = useLocale();
  const title = session.title || t("untitled");
  const traceOf = new Map(trace.turns.map((turn) => [turn.turnSeq, turn]));
  const outside = traceOf.get(null);
  // Counted above, so shown: events of a turn that the stored chat does not have.
  const asked = new Set(turns.map(({ turnSeq }) => turnSeq));
  const unasked = trace.turns.filter(({ turnSeq }) => turnSeq !== null && !asked.has(turnSeq));
  return (
    <main>
      <article className={styles.report}>
        <nav className={styles.acts} aria-label={t("actions")}>
          <Link className="act" href="/">
            {t("back")}
          </Link>
          <button type="button" className="btn" onClick={() => window.print()}>
            {t("print")}
          </button>
          <button
            type="button"
            className="btn"
            onClick={() =>
              saveFile(traceFileName(session.createdAt), traceFileText(rows, new Date()), "application/json")
            }
          >
            {t("saveTrace")}
          </button>
        </nav>
        <header className={styles.head}>
          <p>
            <BrandMark /> Agent X-Ray
          </p>
          <h1 dir="auto">{title}</h1>
          <p>
            <time dateTime={session.createdAt}>{longDay(session.createdAt, language)}</time>
            {` · ${t("facts", { turns: turns.length, events: trace.eventCount, blocked: trace.decidedByMode.veto })}`}
          </p>
          {rows.length > 0 && rows[0]!.seq > 0 && <p>{t("cut")}</p>}
        </header>
        {outside && <TurnTable turn={outside} />}
        {turns.map((turn) => {
          const traced = turn.turnSeq === null ? undefined : traceOf.get(turn.turnSeq);
          return (
            <section key={turn.number} className={styles.turn} aria-label={t("turn", { n: turn.number })}>
              <ReportTurn turn={turn} blocked={blockedCalls(traced)} />
              {traced === undefined ? <p className={styles.note}>{t("noEvents")}</p> : <TurnTable turn={traced} />}
            </section>
          );
        })}
        {unasked.map((turn) => (
          <TurnTable key={turn.turnSeq} turn={turn} />
        ))}
        <footer className={styles.note}>{t("foot")}</footer>
      </article>
    </main>
  );
}

const traceFileName = (createdAt: string): string => `agent-x-ray-${createdAt.slice(0, 10)}-events.json`;
