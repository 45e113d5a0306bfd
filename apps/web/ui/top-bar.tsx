/** The bar over every page: mark, the tabs, a place for readouts, language and theme. */
"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { memo, type ReactNode } from "react";
import { BrandMark } from "./icons";
import { LanguageSwitch } from "./language-switch";
import { isCurrentTab } from "./tabs";
import { useTabs } from "./tabs-context";
import { ThemeSwitch } from "./theme-switch";
import styles from "./bars.module.css";

export const TopBar = memo(function TopBar({ children }: { children?: ReactNode }) {
  const t = useTranslations("tabs");
  const pathname = usePathname();
  const tabs = useTabs();
  return (
    <header className={styles.top}>
      <Link className={styles.brand} href="/">
        <BrandMark />
        Agent X-Ray
      </Link>
      <nav className={styles.tabs} aria-label={t("label")}>
        {tabs.map(({ key, href }) => (
          <Link key={key} href={href} aria-current={isCurrentTab(href, pathname) ? "page" : undefined}>
            {t(key)}
          </Link>
        ))}
      </nav>
      <div className={styles.end}>
        {children}
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
    </header>
  );
});
