/** One series: what it is about and all its chapters. */
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ChapterRow } from "../../../../features/notes/chapter-row";
import notes from "../../../../features/notes/notes.module.css";
import { readSeries } from "../../../../lib/api";
import styles from "../../../../ui/page.module.css";
import { StatePage } from "../../../../ui/state-page";

interface Props {
  params: Promise<{ series: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const series = await readSeries((await params).series);
  return series === null || series === "down" ? {} : { title: series.name, description: series.description };
}

export default async function SeriesPage({ params }: Props) {
  const t = await getTranslations("notes");
  const series = await readSeries((await params).series);
  if (series === null) notFound();
  if (series === "down") return <StatePage title={t("title")} fact={t("down")} note={t("downNote")} />;
  return (
    <main className={styles.wide}>
      <header>
        <div>
          <h1>{series.name}</h1>
          <p className={styles.lead}>{series.description}</p>
        </div>
        <Link className="num" href="/notes">
          {t("all")}
        </Link>
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
