/** Notes: every category with its series, each series with its newest chapters. */
import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { ChapterRow } from "../../../features/notes/chapter-row";
import notes from "../../../features/notes/notes.module.css";
import { readNotesIndex } from "../../../lib/api";
import styles from "../../../ui/page.module.css";
import { StatePage } from "../../../ui/state-page";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("notes");
  return { title: t("title"), description: t("lead") };
}

export default async function NotesPage() {
  const t = await getTranslations("notes");
  const index = await readNotesIndex();
  if (index === "down" || index === null) {
    return <StatePage title={t("title")} lead={t("lead")} fact={t("down")} note={t("downNote")} />;
  }
  const categories = index.categories.filter(({ series }) => series.length > 0);
  const series = categories.flatMap((category) => category.series);
  if (series.length === 0) return <StatePage title={t("title")} lead={t("lead")} fact={t("empty")} note="" />;
  const chapters = series.reduce((sum, { chapterCount }) => sum + chapterCount, 0);
  return (
    <main className={styles.wide}>
      <header>
        <div>
          <h1>{t("title")}</h1>
          <p className={styles.lead}>{t("lead")}</p>
        </div>
        <p className="num text-ink-3">{t("count", { series: series.length, chapters })}</p>
      </header>
      {categories.map((category) => (
        <section key={category.slug} className={styles.group}>
          <h2>
            <i style={{ background: category.dot }} />
            {category.name}
          </h2>
          {category.series.map((one) => (
            <article key={one.slug} className={notes.series}>
              <div>
                <h3>
                  <Link href={`/notes/${one.slug}`}>{one.name}</Link>
                </h3>
                <p>{one.description}</p>
              </div>
              <ul className={notes.chapters}>
                {one.latest.map((chapter) => (
                  <ChapterRow key={chapter.slug} series={one.slug} chapter={chapter} />
                ))}
              </ul>
            </article>
          ))}
        </section>
      ))}
    </main>
  );
}
