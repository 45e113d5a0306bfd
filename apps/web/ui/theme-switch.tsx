/** Turns light to dark and back, at once and for the next visits. */
"use client";
import { useTranslations } from "next-intl";
import { HalfDisc } from "./icons";
import { SHEET_COLORS } from "./sheet-colors";
import { choose } from "./preference-cookie";
import styles from "./bars.module.css";

export function ThemeSwitch() {
  const t = useTranslations("shell");
  const toggle = () => {
    const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    document.documentElement.dataset.themeChosen = "";
    for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      bar.content = SHEET_COLORS[theme];
    }
    choose({ theme });
  };
  return (
    <div className={styles.switch}>
      <button type="button" aria-label={t("theme")} onClick={toggle}>
        <HalfDisc />
      </button>
    </div>
  );
}
