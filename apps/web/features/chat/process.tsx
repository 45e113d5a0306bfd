/**
 * How an answer came about: one row when folded, a ledger of text and steps when open. Each step shows its sign, name,
 * input and duration, and opens to input and result; a failed one is open, red, and offers to ask why; a blocked one
 * says who said no and for what reason.
 */
"use client";
import { useTranslations, useLocale } from "next-intl";
import { useState } from "react";
import { formatDuration, formatStepDuration } from "../../lib/time";
import { bdi } from "../../ui/bdi";
import { Check, Cross, Triangle } from "../../ui/icons";
import { type Blocked, inputHint, ModeGlyph } from "../trace";
import type { Answer, Step } from "./chat-model";
import type { Part } from "./parts";
import styles from "./chat.module.css";
import { useNow } from "./use-now";

export interface ProcessProps {
  turnSeq: number | null;
  answer: Answer;
  parts: readonly Part[];
  blocked: ReadonlyMap<string, Blocked>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onAskWhy: (step: Step, ended: "failed" | "blocked") => void;
  onShowInTrace: (toolCallId: string) => void;
}

export function Process(props: ProcessProps) {
  const { turnSeq, answer, parts, blocked, open, onOpenChange, onAskWhy, onShowInTrace } = props;
  const t = useTranslations("chat");
  const { steps } = answer;
  const failed = steps.filter((step) => step.state === "failed").length;
  const first = steps[0]?.toolCallId;
  return (
    <div>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={open}
        onClick={() => onOpenChange(!open)}
        {...(!open && first !== undefined && { "data-link": `${turnSeq}:${first}`, "data-folded": turnSeq })}
      >
        <Triangle className={styles.tri} />
        <ProcessSummary answer={answer} />
        {failed > 0 && <span className={styles.dot} role="img" aria-label={t("failedCalls", { n: failed })} />}
      </button>
      {open && (
        <ol className={styles.ledger} aria-label={t("processLabel")}>
          {parts.map((part) =>
            part.kind === "text" ? (
              <li key={part.key} className={styles.said}>
                {part.text}
              </li>
            ) : (
              <StepRow
                key={part.key}
                step={part.step}
                blocked={blocked.get(part.step.toolCallId)}
                link={`${turnSeq}:${part.step.toolCallId}`}
                onAskWhy={(ended) => onAskWhy(part.step, ended)}
                onShowInTrace={() => onShowInTrace(part.step.toolCallId)}
              />
            ),
          )}
        </ol>
      )}
    </div>
  );
}

/** While the turn runs the number of round trips is not known yet; the clock is. */
export function ProcessSummary({ answer }: { answer: Answer }) {
  const t = useTranslations("chat");
  const language = useLocale();
  const running = answer.status === "running";
  const nowMs = useNow(100, running);
  const calls = answer.steps.length;
  if (running) {
    const passedMs = nowMs === null || answer.watchedFromMs === null ? 0 : Math.max(0, nowMs - answer.watchedFromMs);
    const duration = `${(passedMs / 1_000).toFixed(1)} ${language === "zh" ? "秒" : "s"}`;
    return (
      <span className={styles.summary} data-live-clock="">
        {t("processRunning", { calls, duration })}
      </span>
    );
  }
  return (
    <span className={styles.summary}>
      {t("process", {
        trips: answer.modelRoundTrips ?? 0,
        calls,
        duration: formatDuration(answer.turnMs ?? 0, language),
      })}
    </span>
  );
}

interface StepRowProps {
  step: Step;
  blocked: Blocked | undefined;
  link: string;
  onAskWhy: (ended: "failed" | "blocked") => void;
  onShowInTrace: () => void;
}

function StepRow({ step, blocked, link, onAskWhy, onShowInTrace }: StepRowProps) {
  const t = useTranslations("chat");
  const tExtras = useTranslations("extras");
  const [chosen, setChosen] = useState<boolean | null>(null);
  const failed = step.state === "failed";
  const isBlocked = failed && blocked !== undefined;
  // Why a call was blocked is said in its row; its result says the same to the model.
  const open = chosen ?? (failed && !isBlocked);
  return (
    <li className={failed ? styles.bad : undefined} data-link={link} data-tone={failed ? "danger" : undefined}>
      <button type="button" className={styles.step} aria-expanded={open} onClick={() => setChosen(!open)}>
        <StepSign state={isBlocked ? "blocked" : step.state} />
        <span className={styles.name}>{step.name}</span>
        <span className={`${styles.in} cut`}>{inputHint(step.inputPreview)}</span>
        <span className={`${styles.took} num`}>
          {failed && <span className={styles.word}>{isBlocked ? tExtras("blocked") : t("failed")}</span>}
          {step.state === "running" && t("runningStep")}
          {/* A blocked call never ran: the time between its events is no duration of its own. */}
          {step.durationMs !== undefined && !isBlocked && formatStepDuration(step.durationMs)}
        </span>
      </button>
      {isBlocked && (
        <div className={styles.stepActs}>
          <span>
            {blocked.reason === undefined
              ? tExtras.rich("blockedSilently", { by: blocked.by, bdi })
              : tExtras.rich("blockedBy", { by: blocked.by, reason: blocked.reason, bdi })}
          </span>
          <button type="button" className="act" onClick={() => onAskWhy("blocked")}>
            {t("askWhy")}
          </button>
        </div>
      )}
      {open && (
        <>
          <dl className={styles.io}>
            <dt>{t("input")}</dt>
            <dd>{step.inputPreview || "-"}</dd>
            {step.state !== "running" && (
              <>
                <dt>{t("result")}</dt>
                <dd>{step.resultPreview || t("emptyResult")}</dd>
              </>
            )}
          </dl>
          <div className={styles.stepActs}>
            <button type="button" className="act" onClick={onShowInTrace}>
              {t.rich("showInTrace", { name: step.name, bdi })}
            </button>
            {failed && !isBlocked && (
              <button type="button" className="act" onClick={() => onAskWhy("failed")}>
                {t("askWhy")}
              </button>
            )}
          </div>
        </>
      )}
    </li>
  );
}

function StepSign({ state }: { state: Step["state"] | "blocked" }) {
  const t = useTranslations("chat");
  const tExtras = useTranslations("extras");
  const word = { running: t("runningStep"), done: t("done"), failed: t("failed"), blocked: tExtras("blocked") }[state];
  return (
    <span className={styles.sign} role="img" aria-label={word}>
      {state === "running" && <i className="lamp is-on" />}
      {state === "done" && <Check />}
      {state === "failed" && <Cross />}
      {state === "blocked" && <ModeGlyph name="blocked" />}
    </span>
  );
}
