/** `compare`: two things side by side, feature by feature. */
import { useTranslations } from "next-intl";
import type { CompareCard } from "../../../../shared/cards/card";
import styles from "./bodies.module.css";

export function CompareBody({ card }: { card: CompareCard }) {
  const t = useTranslations("cards");
  return (
    <table className={styles.compare}>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">{t("feature")}</span>
          </th>
          {card.columns.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
            <th key={index} scope="col" dir="auto">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {card.rows.map(({ k, a, b }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
          <tr key={index}>
            <th scope="row" dir="auto">
              {k}
            </th>
            <td dir="auto">{a}</td>
            <td dir="auto">{b}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
