/** Opens Runtime with a question in the composer, and says that nothing is sent. Drawn only where Runtime is shown. */
import Link from "next/link";
import { prefillHref } from "../features/chat/prefill";
import styles from "./page.module.css";

export function AskLink({ label, note, question }: { label: string; note: string; question: string }) {
  return (
    <div className={styles.action}>
      <Link className="btn" href={prefillHref(question)} prefetch={false}>
        {label}
      </Link>
      <p>{note}</p>
    </div>
  );
}
