/** What can be done with a turn that is over: copy its answer (as Markdown) or its question, ask the last one again. */
"use client";
import { useTranslations } from "next-intl";
import { CopyButton } from "../../ui/copy-button";
import styles from "./chat.module.css";
import type { ChatTurn } from "./chat-model";

export interface TurnActsProps {
  turn: ChatTurn;
  last: boolean;
  onAskAgain: () => void;
}

export function TurnActs({ turn: { prompt, answer }, last, onAskAgain }: TurnActsProps) {
  const t = useTranslations("extras");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form.
    <div className={styles.acts} role="group" aria-label={t("answerActs")} data-last={last || undefined}>
      {answer.text !== "" && <CopyButton text={answer.text} label={t("copyAnswer")} done={t("copied")} />}
      <CopyButton text={prompt} label={t("copyQuestion")} done={t("copied")} />
      {/* A turn that broke off says so, and offers it there. */}
      {last && answer.status === "completed" && (
        <button type="button" className="act" onClick={onAskAgain}>
          {t("again")}
        </button>
      )}
    </div>
  );
}
