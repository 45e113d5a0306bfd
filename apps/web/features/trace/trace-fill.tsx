/** The empty chart below the last turn: blank paper is true. */
import styles from "./trace.module.css";

export function TraceFill() {
  return (
    <div className={`${styles.columns} ${styles.fill}`} aria-hidden="true">
      <div className={styles.paper}>
        <i />
      </div>
    </div>
  );
}
