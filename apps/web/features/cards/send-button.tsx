/** The button that sends a card. It stays where it is once the message went, so that focus is not lost. */
import { useTranslations } from "next-intl";
import styles from "./asking.module.css";

export interface SendButtonProps {
  /** The card's own words. */
  words: string | undefined;
  sent: boolean;
  ready: boolean;
  onSend: () => void;
}

export function SendButton({ words, sent, ready, onSend }: SendButtonProps) {
  const t = useTranslations("cards");
  return (
    <p className={styles.foot}>
      <button
        type="button"
        className={`btn ${styles.send}`}
        aria-disabled={!ready}
        onClick={() => {
          if (ready) onSend();
        }}
      >
        <span dir="auto">{sent ? t("sent") : (words ?? t("send"))}</span>
      </button>
    </p>
  );
}
