/** The phone's navigation: four tabs at the thumb. Source is read on a wide screen and is reached from About. */
"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import styles from "./bars.module.css";
import { isCurrentTab, TABS } from "./top-bar";

export function BottomBar() {
  const t = useTranslations("tabs");
  const pathname = usePathname();
  return (
    <nav className={styles.bottom} aria-label={t("label")}>
      {TABS.filter(({ key }) => key !== "source").map(({ key, href }) => (
        <Link key={key} href={href} aria-current={isCurrentTab(href, pathname) ? "page" : undefined}>
          {t(key)}
        </Link>
      ))}
    </nav>
  );
}
