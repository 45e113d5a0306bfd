/** Left of every page of the source: which commit this is, a search over all of it, and its files. */
import { useLocale, useTranslations } from "next-intl";
import type { SourceIndex } from "../../../../shared/contracts/source";
import { formatBytes } from "../../lib/bytes";
import { dayAndTime } from "../../lib/time";
import { isWebAddress } from "../../lib/web-address";
import fileStyles from "../code/file.module.css";
import { FileTree } from "../code/file-tree";
import { TREE_ID } from "./source-file";
import { SourceSearch } from "./source-search";
import styles from "./source.module.css";

export function SourceRail({ index: { snapshot, files } }: { index: SourceIndex }) {
  const t = useTranslations("source");
  const locale = useLocale();
  return (
    <aside id={TREE_ID} className={styles.rail} aria-label={t("tree")}>
      <h2>{t("title")}</h2>
      <dl className={fileStyles.facts}>
        <dt>{t("snapshot")}</dt>
        <dd>
          {snapshot.repoUrl !== null && isWebAddress(snapshot.repoUrl) ? (
            <a href={snapshot.repoUrl} rel="noopener noreferrer" title={snapshot.sha}>
              <code>{snapshot.shortSha}</code>
            </a>
          ) : (
            <code title={snapshot.sha}>{snapshot.shortSha}</code>
          )}
        </dd>
        <dt>{t("published")}</dt>
        <dd>
          <time dateTime={snapshot.publishedAt}>{dayAndTime(snapshot.publishedAt, locale)}</time>
        </dd>
        <dt>{t("files")}</dt>
        <dd>{t("size", { count: snapshot.fileCount, bytes: formatBytes(snapshot.totalBytes) })}</dd>
      </dl>
      <SourceSearch />
      <nav className={styles.files} aria-label={t("files")}>
        <FileTree
          base="/source"
          home="README.md"
          entries={files.map(({ path, lines }) => [path, String(lines)] as const)}
        />
      </nav>
    </aside>
  );
}
