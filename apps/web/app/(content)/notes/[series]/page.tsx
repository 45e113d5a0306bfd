/** One series: what it is about and all its chapters. */
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ChapterRow } from "../../../../features/notes/chapter-row";
import notes from "../../../../features/notes/notes.module.css";
import { isHere, readSeries } from "../../../../lib/api";
import { pageMetadata } from "../../../../lib/page-metadata";
import { requireTab } from "../../../../lib/site-tabs";
import { languageOf } from "../../../../lib/text-measure";
import styles from "../../../../ui/page.module.css";
import { StatePage } from "../../../../ui/state-page";

interface Props {
  params: Promise<{ series: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [t, series] = await Promise.all([getTranslations("notes"), readSeries((await params).series)]);
  if (!isHere(series)) return {};
  return pageMetadata({
    path: `/notes/${series.slug}`,
    title: series.name,
    description: series.description,
    feeds: [{ url: `/rss/${series.category.slug}.xml`, title: t("feedOf", { category: series.category.name }) }],
  });
}

export default async function SeriesPage({ params }: Props) {
  await requireTab("notes");
  const [t, series] = await Promise.all([getTranslations("notes"), readSeries((await params).series)]);
  if (series === null) notFound();
  if (series === "down") return <StatePage title={t("title")} fact={t("down")} note={t("downNote")} />;
  return (
    <main className={styles.wide}>
      <header>
        <div lang={languageOf(series.name + series.description)}>
          <h1>{series.name}</h1>
          <p className={styles.lead}>{series.description}</p>
        </div>
        <p className="num text-ink-3">
          <Link href="/notes">{t("all")}</Link> · <a href={`/rss/${series.category.slug}.xml`}>{t("feed")}</a>
        </p>
      </header>
      <section className={styles.group}>
        <h2>
          <i style={{ background: series.category.dot }} />
          {series.category.name}
        </h2>
        <ul className={`${notes.chapters} ${notes.whole}`}>
          {series.chapters.map((chapter) => (
            <ChapterRow key={chapter.slug} series={series.slug} chapter={chapter} summary />
          ))}
        </ul>
      </section>
    </main>
  );
}
