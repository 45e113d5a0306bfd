/** The empty conversation: what this is, and four questions that show it. Choosing one sends it. */
"use client";
import { useTranslations } from "next-intl";
import { memo } from "react";
import styles from "./chat.module.css";

const STARTERS = ["lifecycle", "count", "script", "source"] as const;

export const Landing = memo(function Landing({ onAsk }: { onAsk: (question: string) => void }) {
  const t = useTranslations("landing");
  return (
    <div className={styles.landing}>
      <h2>{t("title")}</h2>
      <p className={styles.lead}>{t("lead")}</p>
      <section className={styles.starts} aria-labelledby="starts">
        <h3 id="starts">{t("starts")}</h3>
        <ul>
          {STARTERS.map((key) => (
            <li key={key}>
              <button type="button" onClick={() => onAsk(t(`starters.${key}.question`))}>
                <span>{t(`starters.${key}.question`)}</span>
                <span>{t(`starters.${key}.note`)}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
});
