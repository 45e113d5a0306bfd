/** One skill: its files on the left, the chosen one in the middle, and on the right what it takes to have it at home. */
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { FileTree } from "../../../../../features/code/file-tree";
import { SkillFile } from "../../../../../features/skills/skill-file";
import skills from "../../../../../features/skills/skills.module.css";
import { TakeHome } from "../../../../../features/skills/take-home";
import { isHere, readSkill } from "../../../../../lib/api";
import { formatBytes } from "../../../../../lib/bytes";
import { fileHref, pathOf } from "../../../../../lib/file-address";
import { pageMetadata } from "../../../../../lib/page-metadata";
import { requireTab } from "../../../../../lib/site-tabs";
import { languageOf } from "../../../../../lib/text-measure";
import { longDay } from "../../../../../lib/time";
import styles from "../../../../../ui/page.module.css";
import { StatePage } from "../../../../../ui/state-page";

interface Props {
  params: Promise<{ name: string; path?: string[] }>;
}

/** What the address of the skill itself shows. */
const HOME = "SKILL.md";

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name, path } = await params;
  const skill = await readSkill(name);
  if (!isHere(skill)) return {};
  const file = path && pathOf(path);
  return pageMetadata({
    path: file && file !== HOME ? fileHref(`/skills/${name}`, file) : `/skills/${name}`,
    title: file ? `${file} · ${skill.name}` : skill.name,
    description: skill.summary,
  });
}

export default async function SkillPage({ params }: Props) {
  await requireTab("skills");
  const { name, path } = await params;
  const [t, notes, locale, skill] = await Promise.all([
    getTranslations("skills"),
    getTranslations("notes"),
    getLocale(),
    readSkill(name),
  ]);
  if (skill === null) notFound();
  if (skill === "down") return <StatePage title={t("title")} fact={t("down")} note={notes("downNote")} />;
  const wanted = path === undefined ? HOME : pathOf(path);
  const file = skill.files.find((one) => one.path === wanted);
  if (file === undefined) notFound();
  const base = `/skills/${skill.name}`;
  const bytes = skill.files.reduce((sum, one) => sum + one.bytes, 0);
  return (
    <div className={skills.columns}>
      <nav className={skills.rail} aria-label={t("files")}>
        <div className={styles.stays}>
          <h2>
            <Link href={base}>{skill.name}</Link>
          </h2>
          <FileTree
            base={base}
            home={HOME}
            whole
            entries={skill.files.map((one) => [one.path, formatBytes(one.bytes)] as const)}
          />
        </div>
      </nav>
      <main className={skills.skill}>
        {file.path === HOME ? (
          <header className={skills.intro}>
            <h1>{skill.name}</h1>
            <p className={skills.meta}>
              <span>{skill.category.name}</span>
              <span>
                {t("fileCount", { count: skill.files.length })}, {formatBytes(bytes)}
              </span>
              <time dateTime={skill.updatedAt}>{longDay(skill.updatedAt, locale)}</time>
              {skill.agentEnabled && <span>{t("runs")}</span>}
            </p>
            <p className={skills.summary} lang={languageOf(skill.summary)}>
              {skill.summary}
            </p>
          </header>
        ) : null}
        <SkillFile base={base} file={file} root={skill.name} withHead={file.path !== HOME} />
      </main>
      <aside className={`${styles.rail} ${styles.right}`}>
        <TakeHome skill={skill} />
      </aside>
    </div>
  );
}
