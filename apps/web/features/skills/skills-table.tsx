/** The skills of one category: name, what it teaches, how much of it there is, when it changed. */
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import type { SkillCard } from "../../../../shared/contracts/skills";
import { languageOf } from "../../lib/text-measure";
import { shortDay } from "../../lib/time";
import styles from "./skills.module.css";

export function SkillsTable({ skills, label }: { skills: readonly SkillCard[]; label: string }) {
  const t = useTranslations("skills");
  const locale = useLocale();
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{t("name")}</th>
          <th scope="col">{t("teaches")}</th>
          <th scope="col">{t("files")}</th>
          <th scope="col">{t("changed")}</th>
        </tr>
      </thead>
      <tbody>
        {skills.map((skill) => (
          <tr key={skill.name}>
            <th scope="row">
              <Link href={`/skills/${skill.name}`} prefetch={false}>
                {skill.name}
              </Link>
            </th>
            <td>
              <span lang={languageOf(skill.summary)}>{skill.summary}</span>
              {skill.agentEnabled && <span className={styles.runs}>{t("runs")}</span>}
            </td>
            <td className="num">{skill.fileCount}</td>
            <td className="num">
              <time dateTime={skill.updatedAt}>{shortDay(skill.updatedAt, locale)}</time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
