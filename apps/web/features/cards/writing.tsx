/** A card or a frame of which not everything has arrived: three grey lines that stand still. */
import { useTranslations } from "next-intl";
import styles from "./writing.module.css";

export function Writing() {
  const t = useTranslations("cards");
  return (
    <figure className={styles.frame}>
      <figcaption>{t("writing")}</figcaption>
      <div className={styles.lines} aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
    </figure>
  );
}
