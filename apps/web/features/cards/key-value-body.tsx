/** `kv`: names and values in two columns. */
import type { KeyValueCard } from "../../../../shared/cards/card";
import styles from "./bodies.module.css";

export function KeyValueBody({ card }: { card: KeyValueCard }) {
  return (
    <dl className={styles.pairs}>
      {card.rows.map(({ k, v }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
        <div key={index}>
          <dt dir="auto">{k}</dt>
          <dd dir="auto">{v}</dd>
        </div>
      ))}
    </dl>
  );
}
