/**
 * `choice`: rows to choose from. One is sent by pressing it; several are ticked and sent together. Once sent, what was
 * chosen stays and the rest fades.
 */
"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { ChoiceCard } from "../../../../shared/cards/card";
import { choiceMessage } from "../../../../shared/cards/compose";
import { SendButton } from "./send-button";
import { useSendOnce } from "./use-send-once";
import styles from "./asking.module.css";

export function ChoiceBody({ card }: { card: ChoiceCard }) {
  return card.multiple ? <Several card={card} /> : <One card={card} />;
}

function One({ card }: { card: ChoiceCard }) {
  const t = useTranslations("cards");
  const { sent, ready, send } = useSendOnce();
  const [pick, setPick] = useState<number | null>(null);
  const choose = async (index: number) => {
    if (await send(choiceMessage(card, new Set([index])))) setPick(index);
  };
  return (
    <fieldset className={styles.options} aria-label={card.prompt ?? t("options")} data-sent={sent || undefined}>
      {card.options.map(({ label, note }, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
          key={index}
          type="button"
          className={styles.option}
          // Not `disabled`: focus would be lost by choosing.
          aria-disabled={!ready}
          aria-pressed={sent ? index === pick : undefined}
          onClick={() => void choose(index)}
        >
          <i className={styles.radio} aria-hidden="true" />
          <OptionText label={label} note={note} />
        </button>
      ))}
    </fieldset>
  );
}

function Several({ card }: { card: ChoiceCard }) {
  const t = useTranslations("cards");
  const { sent, ready, send } = useSendOnce();
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const message = choiceMessage(card, picked);
  const toggle = (index: number) => {
    if (sent) return;
    const next = new Set(picked);
    if (!next.delete(index)) next.add(index);
    setPicked(next);
  };
  return (
    <>
      <fieldset className={styles.options} aria-label={card.prompt ?? t("options")} data-sent={sent || undefined}>
        {card.options.map(({ label, note }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
          <label key={index} className={styles.option} data-picked={picked.has(index) || undefined}>
            <input
              type="checkbox"
              checked={picked.has(index)}
              aria-disabled={sent || undefined}
              onChange={() => toggle(index)}
            />
            <OptionText label={label} note={note} />
          </label>
        ))}
      </fieldset>
      <SendButton words={card.submit} sent={sent} ready={ready && message !== ""} onSend={() => void send(message)} />
    </>
  );
}

function OptionText({ label, note }: ChoiceCard["options"][number]) {
  return (
    <span className={styles.text}>
      <span dir="auto">{label}</span>
      {note !== undefined && <small dir="auto">{note}</small>}
    </span>
  );
}
