/** Before the first message: the road that it will take. */
import { useTranslations } from "next-intl";
import { LifecycleMap } from "./lifecycle-map";
import styles from "./trace.module.css";

export function EmptyTrace() {
  const t = useTranslations("trace.empty");
  return (
    <div className={styles.empty}>
      <p>{t("lead")}</p>
      <LifecycleMap />
    </div>
  );
}
