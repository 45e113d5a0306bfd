/** Two words, one of them pressed. The address stays; what is on the page stays; only its language changes. */
"use client";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import type { Language } from "../lib/preference";
import { choose } from "./preference-cookie";
import styles from "./bars.module.css";

export function LanguageSwitch() {
  const t = useTranslations("shell");
  const locale = useLocale();
  const router = useRouter();
  const pick = (language: Language) => {
    choose({ language });
    router.refresh();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; this is a pair of toggles.
    <div className={styles.switch} role="group" aria-label={t("language")}>
      <button
        type="button"
        lang="en"
        aria-pressed={locale === "en"}
        aria-label="EN, English"
        onClick={() => pick("en")}
      >
        EN
      </button>
      <button type="button" lang="zh" aria-pressed={locale === "zh"} aria-label="中文" onClick={() => pick("zh")}>
        中
      </button>
    </div>
  );
}
