/** Skills: every category with its packages, as a table of what each one teaches. */
import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { SkillsTable } from "../../../features/skills/skills-table";
import { isHere, readSkillsIndex } from "../../../lib/api";
import { pageMetadata } from "../../../lib/page-metadata";
import { requireTab } from "../../../lib/site-tabs";
import { shortDay } from "../../../lib/time";
import styles from "../../../ui/page.module.css";
import { StatePage } from "../../../ui/state-page";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("skills");
  return pageMetadata({ path: "/skills", title: t("title"), description: t("lead") });
}

export default async function SkillsPage() {
  await requireTab("skills");
  const [t, notes, locale, index] = await Promise.all([
    getTranslations("skills"),
    getTranslations("notes"),
    getLocale(),
    readSkillsIndex(),
  ]);
  if (!isHere(index)) {
    return <StatePage title={t("title")} lead={t("lead")} fact={t("down")} note={notes("downNote")} />;
  }
  if (index.total === 0)
    return <StatePage title={t("title")} lead={t("lead")} fact={t("empty")} note={t("emptyNote")} />;
  return (
    <main className={styles.wide}>
      <header>
        <div>
          <h1>{t("title")}</h1>
          <p className={styles.lead}>{t("lead")}</p>
        </div>
        {index.latest !== null && (
          <p className="num text-ink-3">{t("count", { count: index.total, day: shortDay(index.latest, locale) })}</p>
        )}
      </header>
      {index.categories
        .filter(({ skills }) => skills.length > 0)
        .map((category) => (
          <section key={category.slug} className={styles.group}>
            <h2>
              <i style={{ background: category.dot }} />
              {category.name}
            </h2>
            <SkillsTable skills={category.skills} label={category.name} />
          </section>
        ))}
    </main>
  );
}
