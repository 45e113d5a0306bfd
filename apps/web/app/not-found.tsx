/** Whatever has no page. The same sentence for a wrong address and for something that was never published. */
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { BottomBar } from "../ui/bottom-bar";
import styles from "../ui/page.module.css";
import { StatePage } from "../ui/state-page";
import { TopBar } from "../ui/top-bar";

export default async function NotFound() {
  const t = await getTranslations("errors");
  return (
    <div className={styles.frame}>
      <TopBar />
      <div className={styles.scroll}>
        <StatePage title="404" fact={t("notFound")} note={t("notFoundNote")}>
          <Link className="btn" href="/">
            {t("home")}
          </Link>
        </StatePage>
      </div>
      <BottomBar />
    </div>
  );
}
