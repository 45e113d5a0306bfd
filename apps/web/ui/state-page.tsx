/** A page that has nothing to show yet, or cannot show it: a title, one sentence of fact, a way on. */
import type { ReactNode } from "react";
import styles from "./page.module.css";

export interface StatePageProps {
  title: string;
  lead?: string;
  fact: string;
  note: string;
  children?: ReactNode;
}

export function StatePage({ title, lead, fact, note, children }: StatePageProps) {
  return (
    <main className={styles.wide}>
      <header>
        <div>
          <h1>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
      </header>
      <section className={styles.group}>
        <div className={styles.empty}>
          <p>{fact}</p>
          <p>{note}</p>
          {children && <div className={styles.actions}>{children}</div>}
        </div>
      </section>
    </main>
  );
}
