/** `stat`: two to four numbers that are read first. */
import type { StatCard } from "../../../../shared/cards/card";
import styles from "./bodies.module.css";

/** A value of more characters is words rather than a number, and is set smaller. */
const NUMERAL_CHARS = 9;

export function StatBody({ card }: { card: StatCard }) {
  return (
    <dl className={styles.stats} data-count={card.items.length}>
      {card.items.map(({ label, value, unit, note }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
        <div key={index}>
          <dt dir="auto">{label}</dt>
          <dd>
            <span className={styles.value} data-long={value.length > NUMERAL_CHARS || undefined}>
              <bdi>{value}</bdi>
              {unit !== undefined && (
                <small>
                  <bdi>{unit}</bdi>
                </small>
              )}
            </span>
            {note !== undefined && <small dir="auto">{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
