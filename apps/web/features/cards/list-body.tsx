/** `list`: items one below the other, each with a quiet note where it has one. */
import type { ListCard } from "../../../../shared/cards/card";
import styles from "./bodies.module.css";

export function ListBody({ card }: { card: ListCard }) {
  const List = card.ordered ? "ol" : "ul";
  return (
    <List className={styles.list}>
      {card.items.map(({ text, note }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
        <li key={index}>
          <p dir="auto">{text}</p>
          {note !== undefined && <small dir="auto">{note}</small>}
        </li>
      ))}
    </List>
  );
}
