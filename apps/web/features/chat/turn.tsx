/** One turn in the conversation: the question, how the answer came about, the answer, and how it ended. */
"use client";
import { useLocale, useTranslations } from "next-intl";
import { memo, useEffect, useState } from "react";
import { clockTime, formatDuration } from "../../lib/time";
import { AnswerGrows } from "../cards/answer-grows";
import { useReplyFences } from "../cards/reply-fences";
import { LazyMarkdown, loadMarkdown } from "../markdown/lazy-markdown";
import type { Blocked } from "../trace";
import type { Answer, ChatTurn, Step } from "./chat-model";
import { splitAnswer } from "./parts";
import { Process, ProcessSummary } from "./process";
import { TurnActs } from "./turn-acts";
import styles from "./chat.module.css";

export interface TurnProps {
  turn: ChatTurn;
  /** The newest turn keeps its process open after it was watched; older ones fold. */
  last: boolean;
  /** Tool calls that a handler stopped, by id; only the trace knows. */
  blocked: ReadonlyMap<string, Blocked>;
  onAskAgain: (prompt: string) => void;
  onAskWhy: (turn: ChatTurn, step: Step, ended: "failed" | "blocked") => void;
  onShowInTrace: (turnSeq: number, toolCallId: string) => void;
}

export const Turn = memo(function Turn({ turn, last, blocked, onAskAgain, onAskWhy, onShowInTrace }: TurnProps) {
  const t = useTranslations("chat");
  const { answer, turnSeq } = turn;
  const { process, final } = splitAnswer(answer);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? (last && answer.watchedFromMs !== null);
  const running = answer.status === "running";
  const renderFence = useReplyFences(process.length);
  // An answer will need it.
  useEffect(() => void loadMarkdown(), []);
  return (
    <>
      <article className={styles.message} aria-label={t("you")}>
        <p className={styles.who}>
          {t("you")}
          <time className={styles.when} dateTime={turn.askedAt} suppressHydrationWarning>
            {clockTime(turn.askedAt)}
          </time>
        </p>
        <div className={`${styles.say} ${styles.question}`} data-link={`${turnSeq}:user`}>
          {turn.prompt}
        </div>
      </article>
      <article className={styles.message} aria-label={t("agent")} aria-busy={running}>
        <p className={styles.who}>
          {t("agent")}
          <span className={styles.when}>{t("turn", { n: turn.number })}</span>
        </p>
        <div className={styles.body}>
          {process.length > 0 && (
            <Process
              turnSeq={turnSeq}
              answer={answer}
              parts={process}
              blocked={blocked}
              open={open}
              onOpenChange={setChosen}
              onAskWhy={(step, ended) => onAskWhy(turn, step, ended)}
              onShowInTrace={(toolCallId) => turnSeq !== null && onShowInTrace(turnSeq, toolCallId)}
            />
          )}
          {process.length === 0 && running && final === "" && (
            <p className={styles.waiting}>
              <i className="lamp is-on" />
              <ProcessSummary answer={answer} />
            </p>
          )}
          {(final !== "" || (running && process.length > 0)) && (
            <div className={styles.say} data-link={`${turnSeq}:answer`} data-tone={running ? "live" : undefined}>
              <AnswerGrows value={running}>
                <LazyMarkdown
                  text={final}
                  partial={answer.status !== "completed"}
                  renderFence={renderFence}
                  end={running ? "caret" : answer.status === "stopped" ? "stop" : undefined}
                />
              </AnswerGrows>
            </div>
          )}
          <Ending answer={answer} empty={final === ""} onAskAgain={() => onAskAgain(turn.prompt)} />
          {!running && <TurnActs turn={turn} last={last} onAskAgain={() => onAskAgain(turn.prompt)} />}
        </div>
      </article>
    </>
  );
});

/** What is said after the last word; a completed turn needs no word. */
function Ending({ answer, empty, onAskAgain }: { answer: Answer; empty: boolean; onAskAgain: () => void }) {
  const t = useTranslations("chat");
  const language = useLocale();
  const closed = answer.steps.filter((step) => step.state === "failed" && step.durationMs === undefined).length;
  switch (answer.status) {
    case "running":
      return null;
    case "completed":
      return empty && answer.steps.length === 0 ? <p className={styles.ended}>{t("noText")}</p> : null;
    case "stopped":
      return (
        <p className={styles.ended}>
          {t("stopped", {
            duration: answer.turnMs === undefined ? "none" : formatDuration(answer.turnMs, language),
            closed,
          })}{" "}
          <button type="button" className="act" onClick={onAskAgain}>
            {t("askAgain")}
          </button>
        </p>
      );
    case "failed":
    case "interrupted":
      return (
        <p className={styles.broken}>
          <span>{t(brokenWord(answer, empty))}</span>
          <button type="button" className="act" onClick={onAskAgain}>
            {t("askAgain")}
          </button>
        </p>
      );
  }
}

/** A process that was killed stored nothing of its turns, whatever their pages had shown. */
function brokenWord({ status, steps, errorCode }: Answer, empty: boolean) {
  if (status !== "interrupted") return errorCode ?? "failedUnknown";
  return empty && steps.length === 0 ? "interruptedEmpty" : "interrupted";
}
