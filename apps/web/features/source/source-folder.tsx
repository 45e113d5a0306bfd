/** A folder of the source: what is in it, then its README. */
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { SourceFile, SourceIndex } from "../../../../shared/contracts/source";
import { fileHref, linkFrom } from "../../lib/file-address";
import { languageOf } from "../../lib/text-measure";
import fileStyles from "../code/file.module.css";
import { type FileEntry, foldersFirst, treeOf } from "../code/file-nodes";
import { PathTrail } from "../code/path-trail";
import { readDocument } from "../markdown/document";
import { TREE_ID } from "./source-file";
import styles from "./source.module.css";

export function SourceFolder({ index, path, readme }: { index: SourceIndex; path: string; readme: SourceFile | null }) {
  const t = useTranslations("source");
  const inside = path === "" ? "" : `${path}/`;
  const files = index.files.filter((file) => file.path.startsWith(inside));
  const entries: FileEntry[] = files.map((file) => [file.path.slice(inside.length), t("lines", { count: file.lines })]);
  return (
    <main className={fileStyles.file}>
      <header className={fileStyles.head}>
        <PathTrail base="/source" root={t("root")} path={path} />
        <span>{t("folder", { count: files.length })}</span>
        <div className={fileStyles.end}>
          <a className={fileStyles.onPhone} href={`#${TREE_ID}`}>
            {t("toTree")}
          </a>
        </div>
      </header>
      <ul className={styles.folder}>
        {foldersFirst(treeOf(entries)).map((node) => (
          <li key={node.path}>
            <Link href={fileHref("/source", inside + node.path)} prefetch={false}>
              {node.children ? `${node.name}/` : node.name}
            </Link>
            <span className="num">
              {node.note ?? t("folder", { count: entries.filter(([one]) => one.startsWith(`${node.path}/`)).length })}
            </span>
          </li>
        ))}
      </ul>
      {readme !== null && (
        <div className={fileStyles.reading} lang={languageOf(readme.content)}>
          {readDocument(readme.content, { link: (to) => linkFrom("/source", readme.path, to) }).body}
        </div>
      )}
    </main>
  );
}
