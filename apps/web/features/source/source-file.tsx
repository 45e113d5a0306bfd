/** One file of the source: Markdown as a text with links to the other files, or as the lines that it is; code as lines. */
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { SourceFile } from "../../../../shared/contracts/source";
import { formatBytes } from "../../lib/bytes";
import { fileHref, linkFrom } from "../../lib/file-address";
import { languageOf } from "../../lib/text-measure";
import { cutPart, prefillHref } from "../chat/prefill";
import { CodeView } from "../code/code-view";
import styles from "../code/file.module.css";
import { LineChooser } from "../code/line-chooser";
import { PathTrail } from "../code/path-trail";
import { readDocument } from "../markdown/document";

/** Where a phone finds the tree, which stands under the file there. */
export const TREE_ID = "page:files";
/** Longest part of a composed question (§26). */
const PART_CHARS = 160;

export interface SourceFileProps {
  file: SourceFile;
  /** Markdown as its lines. */
  plain?: boolean;
  /** Runtime is shown, so a question can be asked there. */
  canAsk: boolean;
}

export function SourceFileView({ file, plain = false, canAsk }: SourceFileProps) {
  const t = useTranslations("source");
  const isMarkdown = file.kind === "markdown";
  const asText = isMarkdown && !plain;
  const href = fileHref("/source", file.path);
  return (
    <main className={styles.file}>
      <header className={styles.head}>
        <PathTrail base="/source" root={t("root")} path={file.path} />
        <span>{t("linesOf", { count: file.lines, bytes: formatBytes(file.bytes) })}</span>
        <div className={styles.end}>
          {!asText && <LineChooser key={file.path} />}
          {isMarkdown && (
            <Link href={asText ? `${href}?plain=1` : href} prefetch={false}>
              {asText ? t("asLines") : t("asText")}
            </Link>
          )}
          {canAsk && (
            <Link href={prefillHref(t("askText", { path: cutPart(file.path, PART_CHARS) }))} prefetch={false}>
              {t("ask")}
            </Link>
          )}
          <a className={styles.onPhone} href={`#${TREE_ID}`}>
            {t("toTree")}
          </a>
        </div>
      </header>
      {asText ? (
        <div className={styles.reading} lang={languageOf(file.content)}>
          {readDocument(file.content, { link: (to) => linkFrom("/source", file.path, to) }).body}
        </div>
      ) : (
        <CodeView source={file.content} language={file.kind} label={t("code", { path: file.path })} />
      )}
    </main>
  );
}
