/** One chapter to read: the series on the left, the text in a measure of 640 px, its contents and one action right. */
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { AskLink } from "../../../../../ui/ask-link";
import { cutPart } from "../../../../../features/chat/prefill";
import { readDocument } from "../../../../../features/markdown/document";
import { chapterLink, chapterPicture, withoutTitle } from "../../../../../features/notes/chapter-text";
import { ContentsList } from "../../../../../features/notes/contents-list";
import notes from "../../../../../features/notes/notes.module.css";
import { Pager } from "../../../../../features/notes/pager";
import { ReadingProgress } from "../../../../../features/notes/reading-progress";
import { isHere, readChapter, readSeries } from "../../../../../lib/api";
import { pageMetadata } from "../../../../../lib/page-metadata";
import { isShown, requireTab } from "../../../../../lib/site-tabs";
import { measureText } from "../../../../../lib/text-measure";
import { longDay } from "../../../../../lib/time";
import { isWebAddress } from "../../../../../lib/web-address";
import styles from "../../../../../ui/page.module.css";
import { StatePage } from "../../../../../ui/state-page";

interface Props {
  params: Promise<{ series: string; chapter: string }>;
}

/** Longest part of a composed question (§26). */
const PART_CHARS = 160;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { series, chapter } = await params;
  const found = await readChapter(series, chapter);
  if (!isHere(found)) return {};
  return pageMetadata({
    path: `/notes/${series}/${chapter}`,
    title: found.title,
    description: found.summary,
    publishedAt: found.publishedAt,
  });
}

export default async function ChapterPage({ params }: Props) {
  await requireTab("notes");
  const { series: seriesSlug, chapter: chapterSlug } = await params;
  const [t, locale, series, chapter, canAsk] = await Promise.all([
    getTranslations("notes"),
    getLocale(),
    readSeries(seriesSlug),
    readChapter(seriesSlug, chapterSlug),
    isShown("runtime"),
  ]);
  if (series === null || chapter === null) notFound();
  if (series === "down" || chapter === "down") {
    return <StatePage title={t("title")} fact={t("down")} note={t("downNote")} />;
  }
  const { body, headings } = readDocument(withoutTitle(chapter.contentMd, chapter.title), {
    link: (href) => chapterLink(series.slug, href),
    picture: (src) => chapterPicture(series.slug, src),
  });
  const { language, minutes } = measureText(chapter.contentMd);
  return (
    <div className={styles.columns}>
      <nav className={styles.rail} aria-label={t("chapters")}>
        <div className={styles.stays}>
          <h2>
            <Link href={`/notes/${series.slug}`} prefetch={false}>
              {series.name}
            </Link>
          </h2>
          <ul>
            {series.chapters.map(({ slug, label, title }) => (
              <li key={slug}>
                <Link
                  href={`/notes/${series.slug}/${slug}`}
                  prefetch={false}
                  aria-current={slug === chapter.slug ? "page" : undefined}
                >
                  <span className="num">{label}</span>
                  <span>{title}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      </nav>
      <main className={notes.prose} lang={language}>
        <h1>{chapter.title}</h1>
        <p className={notes.meta} lang={locale}>
          <span>{t("chapter", { label: chapter.label })}</span>
          <span>{t("words", { count: chapter.wordCount, unit: language })}</span>
          <span>{t("minutes", { minutes })}</span>
          <time dateTime={chapter.publishedAt}>{longDay(chapter.publishedAt, locale)}</time>
          {chapter.sourceUrl !== null && isWebAddress(chapter.sourceUrl) && (
            <a href={chapter.sourceUrl} rel="noopener noreferrer">
              {t("original")}
            </a>
          )}
        </p>
        {chapter.summary !== "" && <p className={notes.summary}>{chapter.summary}</p>}
        {body}
        <Pager chapter={chapter} />
      </main>
      <aside className={`${styles.rail} ${styles.right}`}>
        <div>
          <ContentsList headings={headings} label={t("onThisPage")} language={language} />
          {canAsk && (
            <AskLink
              label={t("ask")}
              note={t("askNote")}
              question={t("askText", {
                title: cutPart(chapter.title, PART_CHARS),
                series: cutPart(chapter.series.name, PART_CHARS),
                path: `${chapter.series.slug}/${chapter.slug}`,
              })}
            />
          )}
        </div>
      </aside>
      <ReadingProgress key={chapter.slug} />
    </div>
  );
}
