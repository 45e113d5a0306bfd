/** The frame of the reading pages: the bar above, the phone's tabs below, the page between them. */
import type { ReactNode } from "react";
import { BottomBar } from "../../ui/bottom-bar";
import { TopBar } from "../../ui/top-bar";
import styles from "../../ui/page.module.css";

export default function ContentLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <TopBar />
      <div className={styles.scroll}>{children}</div>
      <BottomBar />
    </div>
  );
}
