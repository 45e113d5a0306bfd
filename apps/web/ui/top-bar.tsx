/** The bar over every page: mark, the five tabs, a place for readouts, language and theme. */
"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { BrandMark } from "./icons";
import { LanguageSwitch } from "./language-switch";
import { ThemeSwitch } from "./theme-switch";
import styles from "./bars.module.css";

export const TABS = [
  { key: "runtime", href: "/" },
  { key: "notes", href: "/notes" },
  { key: "skills", href: "/skills" },
  { key: "source", href: "/source" },
  { key: "about", href: "/about" },
] as const;

export function isCurrentTab(href: string, pathname: string): boolean {
  return href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);
}

export function TopBar({ children }: { children?: ReactNode }) {
  const t = useTranslations("tabs");
  const pathname = usePathname();
  return (
    <header className={styles.top}>
      <Link className={styles.brand} href="/">
        <BrandMark />
        Agent X-Ray
      </Link>
      <nav className={styles.tabs} aria-label={t("label")}>
        {TABS.map(({ key, href }) => (
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
}
