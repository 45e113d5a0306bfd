/** The way on at the end of a chapter, and back; the arrow keys do the same. */
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ChapterView } from "../../../../shared/contracts/notes";
import notes from "./notes.module.css";

export function Pager({ chapter: { series, previous, next } }: { chapter: ChapterView }) {
  const t = useTranslations("notes");
  if (previous === null && next === null) return null;
  return (
    <nav className={notes.pager} aria-label={t("pager")}>
      {previous && (
        <Link
          rel="prev"
          href={`/notes/${series.slug}/${previous.slug}`}
          aria-keyshortcuts="ArrowLeft"
          title={t("keys")}
        >
          <small>{t("previous")}</small>
          {previous.title}
        </Link>
      )}
      {next && (
        <Link rel="next" href={`/notes/${series.slug}/${next.slug}`} aria-keyshortcuts="ArrowRight" title={t("keys")}>
          <small>{t("next")}</small>
          {next.title}
        </Link>
      )}
    </nav>
  );
}
