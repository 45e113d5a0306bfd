/** One file of a skill: Markdown as a text, anything else as code. Never more than text: nothing in it is run or drawn. */
import { useTranslations } from "next-intl";
import type { SkillView } from "../../../../shared/contracts/skills";
import { formatBytes } from "../../lib/bytes";
import { linkFrom } from "../../lib/file-address";
import { languageOf } from "../../lib/text-measure";
import { CodeView } from "../code/code-view";
import fileStyles from "../code/file.module.css";
import { LineChooser } from "../code/line-chooser";
import { PathTrail } from "../code/path-trail";
import { readDocument } from "../markdown/document";
import { underItsHead } from "./skill-text";
import styles from "./skills.module.css";

export interface SkillFileProps {
  base: string;
  file: SkillView["files"][number];
  root: string;
  /** Without it the page has said the skill's name and what it does. */
  withHead: boolean;
}

export function SkillFile({ base, file, root, withHead }: SkillFileProps) {
  const t = useTranslations("source");
  const isText = file.kind === "markdown";
  return (
    <div className={fileStyles.file}>
      {withHead && (
        <header className={fileStyles.head}>
          <PathTrail base={base} root={root} path={file.path} flat />
          <span>{file.kind}</span>
          <span>{t("linesOf", { count: file.lines, bytes: formatBytes(file.bytes) })}</span>
          {!isText && (
            <div className={fileStyles.end}>
              <LineChooser key={file.path} />
            </div>
          )}
        </header>
      )}
      {isText ? (
        <div className={styles.text} lang={languageOf(file.content)}>
          {
            readDocument(withHead ? file.content : underItsHead(file.content), {
              link: (href) => linkFrom(base, file.path, href),
            }).body
          }
        </div>
      ) : (
        <CodeView source={file.content} language={file.kind} label={t("code", { path: file.path })} />
      )}
    </div>
  );
}
