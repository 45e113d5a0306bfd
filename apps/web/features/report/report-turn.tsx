/** One turn of the report: the question, every step with its input and result, and the answer. Nothing is folded. */
import { useLocale, useTranslations } from "next-intl";
import { clockTime, formatStepDuration } from "../../lib/time";
import type { ChatTurn, Step } from "../chat/chat-model";
import { bdi } from "../../ui/bdi";
import { splitAnswer } from "../chat/parts";
import { Markdown } from "../markdown/markdown";
import type { Blocked } from "../trace/report";
import styles from "./report.module.css";

export function ReportTurn({ turn, blocked }: { turn: ChatTurn; blocked: ReadonlyMap<string, Blocked> }) {
  const t = useTranslations("chat");
  const tReport = useTranslations("report");
  const language = useLocale();
  const { process, final } = splitAnswer(turn.answer);
  const { status } = turn.answer;
  return (
    <>
      <h2>
        <small>
          {tReport("turn", { n: turn.number })} · {clockTime(turn.askedAt)}
        </small>
        <span className={styles.question} dir="auto">
          {turn.prompt}
        </span>
      </h2>
      {process.length > 0 && (
        <ol className={styles.steps} lang={language}>
          {process.map((part) =>
            part.kind === "text" ? (
              <li key={part.key} dir="auto">
                {part.text}
              </li>
            ) : (
              <StepEntry key={part.key} step={part.step} blocked={blocked.get(part.step.toolCallId)} />
            ),
          )}
        </ol>
      )}
      {final !== "" && <Markdown text={final} partial={status !== "completed"} />}
      {status !== "completed" && <p className={styles.note}>{tReport(`outcome.${status}`)}</p>}
      {final === "" && status === "completed" && <p className={styles.note}>{t("noText")}</p>}
    </>
  );
}

function StepEntry({ step, blocked }: { step: Step; blocked: Blocked | undefined }) {
  const t = useTranslations("chat");
  const tExtras = useTranslations("extras");
  const isBlocked = step.state === "failed" && blocked !== undefined;
  return (
    <li className={step.state === "failed" ? styles.failed : undefined}>
      <p>
        <code>{step.name}</code>
        {step.state === "failed" && (
          <strong>{isBlocked ? tExtras.rich("blockedSilently", { by: blocked.by, bdi }) : t("failed")}</strong>
        )}
        {/* A blocked call never ran. */}
        {step.durationMs !== undefined && !isBlocked && <span>{formatStepDuration(step.durationMs)}</span>}
      </p>
      <dl>
        <dt>{t("input")}</dt>
        <dd>{step.inputPreview || "-"}</dd>
        <dt>{t("result")}</dt>
        <dd>{step.resultPreview || t("emptyResult")}</dd>
      </dl>
    </li>
  );
}
