/** A search over all files of the commit. It keeps the words that were searched for, and works without a script. */
"use client";
import Form from "next/form";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { LIMITS } from "../../../../shared/limits";
import styles from "../code/file.module.css";

/** `second` is the class of another one on the same page, which is no landmark of its own. */
export function SourceSearch({ second }: { second?: string }) {
  const t = useTranslations("source");
  const query = useSearchParams().get("q") ?? "";
  return (
    <Form
      action="/source"
      className={`${styles.search} ${second ?? ""}`}
      role={second === undefined ? "search" : undefined}
    >
      <input
        key={query}
        type="search"
        name="q"
        defaultValue={query}
        aria-label={t("search")}
        placeholder={t("search")}
        minLength={LIMITS.sourceQueryMinChars}
        maxLength={LIMITS.sourceQueryChars}
        required
        autoComplete="off"
        spellCheck={false}
      />
    </Form>
  );
}
