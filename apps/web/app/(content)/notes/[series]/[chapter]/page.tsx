/** One chapter to read: the series on the left, the text in a measure of 640 px, its contents and one action right. */
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import type { ChapterView } from "../../../../../../../shared/contracts/notes";
import { cutPart, prefillHref } from "../../../../../features/chat/prefill";
import { StaticMarkdown } from "../../../../../features/markdown/markdown";
import { headingsOf, withoutTitle } from "../../../../../features/notes/headings";
import notes from "../../../../../features/notes/notes.module.css";
import { readChapter, readSeries } from "../../../../../lib/api";
import { longDay } from "../../../../../lib/time";
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
  return found === null || found === "down" ? {} : { title: found.title, description: found.summary };
}

export default async function ChapterPage({ params }: Props) {
  const { series: seriesSlug, chapter: chapterSlug } = await params;
  const t = await getTranslations("notes");
  const [series, chapter] = await Promise.all([readSeries(seriesSlug), readChapter(seriesSlug, chapterSlug)]);
  if (series === null || chapter === null) notFound();
  if (series === "down" || chapter === "down") {
    return <StatePage title={t("title")} fact={t("down")} note={t("downNote")} />;
  }
  const text = withoutTitle(chapter.contentMd, chapter.title);
  const headings = headingsOf(text);
  const published = longDay(chapter.publishedAt, await getLocale());
  return (
    <div className={styles.columns}>
      <nav className={styles.rail} aria-label={t("chapters")}>
        <h2>
          <Link href={`/notes/${series.slug}`}>{series.name}</Link>
        </h2>
        <ul>
          {series.chapters.map(({ slug, label, title }) => (
            <li key={slug}>
              <Link href={`/notes/${series.slug}/${slug}`} aria-current={slug === chapter.slug ? "page" : undefined}>
                <span className="num">{label}</span>
                <span>{title}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main className={notes.prose}>
        <h1>{chapter.title}</h1>
        <p className={notes.meta}>
          <span>{t("chapter", { label: chapter.label })}</span>
          <span>{t("words", { count: chapter.wordCount })}</span>
          <time dateTime={chapter.publishedAt}>{published}</time>
          {chapter.sourceUrl !== null && isWebAddress(chapter.sourceUrl) && (
            <a href={chapter.sourceUrl} rel="noopener noreferrer">
              {t("original")}
            </a>
          )}
        </p>
        {chapter.summary !== "" && <p className={notes.summary}>{chapter.summary}</p>}
        <StaticMarkdown text={text} headingIds={headings.map(({ line, id }) => [line, id])} />
        <Pager chapter={chapter} previous={t("previous")} next={t("next")} />
      </main>
      <aside className={`${styles.rail} ${styles.right}`}>
        <div>
          {headings.length > 0 && (
            <nav aria-label={t("onThisPage")}>
              <h2>{t("onThisPage")}</h2>
              <ul>
                {headings.map(({ id, depth, text: heading }) => (
                  <li key={id} data-depth={depth}>
                    <a href={`#${id}`}>{heading}</a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          <div className={styles.action}>
            <Link
              className="btn"
              href={prefillHref(
                t("askText", {
                  title: cutPart(chapter.title, PART_CHARS),
                  series: cutPart(chapter.series.name, PART_CHARS),
                  path: `${chapter.series.slug}/${chapter.slug}`,
                }),
              )}
            >
              {t("ask")}
            </Link>
            <p>{t("askNote")}</p>
          </div>
        </div>
      </aside>
    </div>
  );
}

function Pager({ chapter, previous, next }: { chapter: ChapterView; previous: string; next: string }) {
  if (chapter.previous === null && chapter.next === null) return null;
  return (
    <nav className={notes.pager}>
      {chapter.previous && (
        <Link rel="prev" href={`/notes/${chapter.series.slug}/${chapter.previous.slug}`}>
          <small>{previous}</small>
          {chapter.previous.title}
        </Link>
      )}
      {chapter.next && (
        <Link rel="next" href={`/notes/${chapter.series.slug}/${chapter.next.slug}`}>
          <small>{next}</small>
          {chapter.next.title}
        </Link>
      )}
    </nav>
  );
}

/** Checked at write and again here: whatever is in the table, only a web address becomes a link. */
function isWebAddress(value: string): boolean {
  return URL.canParse(value) && ["http:", "https:"].includes(new URL(value).protocol);
}
