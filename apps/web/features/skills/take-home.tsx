/** What it takes to have a skill at home: the command, the archive, and where it comes from. */
import { useTranslations } from "next-intl";
import type { SkillView } from "../../../../shared/contracts/skills";
import { formatBytes } from "../../lib/bytes";
import { isWebAddress } from "../../lib/web-address";
import { CodeBox } from "../markdown/elements";
import styles from "./skills.module.css";

export function TakeHome({ skill }: { skill: SkillView }) {
  const t = useTranslations("skills");
  const command = `npx skills add ${skill.repo} --skill ${skill.name}`;
  return (
    <div className={styles.take}>
      <h2>{t("takeHome")}</h2>
      {skill.repo !== "" && (
        <CodeBox language={t("install")} source={command}>
          {/* Broken where a shell's reader would break it, and nowhere inside a name. */}
          <span>npx skills add</span> <span>{skill.repo}</span> <span>{`--skill ${skill.name}`}</span>
        </CodeBox>
      )}
      <a className="btn" href={`/skills/${skill.name}.zip`} download>
        {t("download")} <span className="num text-ink-3">{formatBytes(skill.zipBytes)}</span>
      </a>
      <dl>
        {skill.version !== "" && (
          <>
            <dt>{t("version")}</dt>
            <dd>{skill.version}</dd>
          </>
        )}
        <dt>{t("origin")}</dt>
        <dd>{t(skill.sourceType)}</dd>
        {skill.repo !== "" && (
          <>
            <dt>{t("repository")}</dt>
            <dd>
              {skill.repoUrl !== null && isWebAddress(skill.repoUrl) ? (
                <a href={skill.repoUrl} rel="noopener noreferrer">
                  {skill.repo}
                </a>
              ) : (
                skill.repo
              )}
            </dd>
          </>
        )}
        <dt>{t("agent")}</dt>
        <dd>{t(skill.agentEnabled ? "agentRuns" : "agentReads")}</dd>
      </dl>
    </div>
  );
}
