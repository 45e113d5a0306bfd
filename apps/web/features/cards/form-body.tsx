/**
 * `form`: up to five fields and one button. While a turn runs it can be filled in but not sent; once sent it stays as
 * it was filled.
 */
"use client";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import type { FormCard, FormField } from "../../../../shared/cards/card";
import { formMessage, isFormReady } from "../../../../shared/cards/compose";
import { LIMITS } from "../../../../shared/limits";
import { SendButton } from "./send-button";
import { useSendOnce } from "./use-send-once";
import styles from "./asking.module.css";

export function FormBody({ card }: { card: FormCard }) {
  const { sent, ready, send } = useSendOnce();
  const [values, setValues] = useState<readonly string[]>(card.fields.map(() => ""));
  return (
    <>
      <div className={styles.fields}>
        {card.fields.map((field, index) => (
          <Field
            // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
            key={index}
            field={field}
            value={values[index] ?? ""}
            locked={sent}
            onChange={(value) => setValues(values.with(index, value))}
          />
        ))}
      </div>
      <SendButton
        words={card.submit}
        sent={sent}
        ready={ready && isFormReady(card, values)}
        onSend={() => void send(formMessage(card, values))}
      />
    </>
  );
}

interface FieldProps {
  field: FormField;
  value: string;
  locked: boolean;
  onChange: (value: string) => void;
}

function Field({ field, value, locked, onChange }: FieldProps) {
  const { label, options, placeholder, required } = field;
  const t = useTranslations("cards");
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        <span dir="auto">{label}</span>
        {required && <small>{t("required")}</small>}
      </label>
      {options === undefined ? (
        <input
          id={id}
          type="text"
          dir="auto"
          autoComplete="off"
          value={value}
          maxLength={LIMITS.cardValueChars}
          placeholder={placeholder}
          required={required}
          readOnly={locked}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <select
          id={id}
          value={value}
          required={required}
          disabled={locked}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{placeholder ?? t("choose")}</option>
          {options.map((option, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
            <option key={index} value={option}>
              {option}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
