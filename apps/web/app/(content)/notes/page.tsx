/** Notes: every category with its series, each series with its newest chapters. */
import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { ChapterRow } from "../../../features/notes/chapter-row";
import notes from "../../../features/notes/notes.module.css";
import { isHere, readNotesIndex } from "../../../lib/api";
import { pageMetadata } from "../../../lib/page-metadata";
import { requireTab } from "../../../lib/site-tabs";
import { languageOf } from "../../../lib/text-measure";
import styles from "../../../ui/page.module.css";
import { StatePage } from "../../../ui/state-page";

export async function generateMetadata(): Promise<Metadata> {
  const [t, index] = await Promise.all([getTranslations("notes"), readNotesIndex()]);
  const categories = isHere(index) ? index.categories.filter(({ series }) => series.length > 0) : [];
  return pageMetadata({
    path: "/notes",
    title: t("title"),
    description: t("lead"),
    feeds: [
      { url: "/rss.xml", title: t("feedTitle") },
      ...categories.map(({ slug, name }) => ({ url: `/rss/${slug}.xml`, title: t("feedOf", { category: name }) })),
    ],
  });
}

export default async function NotesPage() {
  await requireTab("notes");
  const [t, index] = await Promise.all([getTranslations("notes"), readNotesIndex()]);
  if (!isHere(index)) return <StatePage title={t("title")} lead={t("lead")} fact={t("down")} note={t("downNote")} />;
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
        <p className="num text-ink-3">
          {t("count", { series: series.length, chapters })} · <a href="/rss.xml">{t("feed")}</a>
        </p>
      </header>
      {categories.map((category) => (
        <section key={category.slug} className={styles.group}>
          <h2>
            <i style={{ background: category.dot }} />
            {category.name}
          </h2>
          {category.series.map((one) => (
            <article key={one.slug} className={notes.series}>
              <div lang={languageOf(one.name + one.description)}>
                <h3>
                  <Link href={`/notes/${one.slug}`} prefetch={false}>
                    {one.name}
                  </Link>
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
