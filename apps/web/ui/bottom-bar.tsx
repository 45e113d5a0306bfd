/** The phone's navigation: at most four tabs, at the thumb. What has no room is reached from About. */
"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { memo } from "react";
import styles from "./bars.module.css";
import { isCurrentTab, phoneTabs } from "./tabs";
import { useTabs } from "./tabs-context";

export const BottomBar = memo(function BottomBar() {
  const t = useTranslations("tabs");
  const pathname = usePathname();
  return (
    <nav className={styles.bottom} aria-label={t("label")}>
      {phoneTabs(useTabs()).map(({ key, href }) => (
        <Link key={key} href={href} aria-current={isCurrentTab(href, pathname) ? "page" : undefined}>
          {t(key)}
        </Link>
      ))}
    </nav>
  );
});
