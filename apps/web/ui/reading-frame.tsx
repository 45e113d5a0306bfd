/**
 * The frame of every page but Runtime: a way past the bars, the bar above, the phone's tabs below. The document itself
 * scrolls, so that the keyboard, the address and the browser's own history move it as they do everywhere.
 */
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { BottomBar } from "./bottom-bar";
import styles from "./page.module.css";
import { TopBar } from "./top-bar";

/** Not a name that a heading of a text could get. */
const CONTENT_ID = "page:content";

export function ReadingFrame({ children }: { children: ReactNode }) {
  const t = useTranslations("shell");
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href={`#${CONTENT_ID}`}>
        {t("skip")}
      </a>
      <TopBar />
      <div id={CONTENT_ID} className={styles.content} tabIndex={-1}>
        {children}
      </div>
      <BottomBar />
    </div>
  );
}
