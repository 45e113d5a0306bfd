/** A page that threw. Says so in a fixed sentence; the exception stays in the server's log. */
"use client";
import { useTranslations } from "next-intl";
import { BottomBar } from "../ui/bottom-bar";
import styles from "../ui/page.module.css";
import { StatePage } from "../ui/state-page";
import { TopBar } from "../ui/top-bar";

export default function PageError({ reset }: { reset: () => void }) {
  const t = useTranslations("errors");
  return (
    <div className={styles.frame}>
      <TopBar />
      <div className={styles.scroll}>
        <StatePage title="500" fact={t("broken")} note={t("brokenNote")}>
          <button type="button" className="btn" onClick={reset}>
            {t("retry")}
          </button>
        </StatePage>
      </div>
      <BottomBar />
    </div>
  );
}
