/** Lines of the source that hold the words of a search, by file, each a link to its line. */
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { SourceEntry, SourceHits } from "../../../../shared/contracts/source";
import { LIMITS } from "../../../../shared/limits";
import type { Content } from "../../lib/api";
import { fileHref } from "../../lib/file-address";
import fileStyles from "../code/file.module.css";
import { SourceSearch } from "./source-search";
import { splitByQuery } from "./split-by-query";
import styles from "./source.module.css";

export interface SearchResultsProps {
  query: string;
  hits: Content<SourceHits>;
  files: readonly SourceEntry[];
}

export function SearchResults({ query, hits, files }: SearchResultsProps) {
  const t = useTranslations("source");
  const found = hits === null || hits === "down" ? null : hits;
  const markdown = new Set(files.filter(({ kind }) => kind === "markdown").map(({ path }) => path));
  return (
    <main className={fileStyles.file}>
      <header className={fileStyles.head}>
        <h1>
          <b>{query}</b>
        </h1>
        {found !== null && <span>{t("found", { count: found.hits.length, more: found.more ? "yes" : "no" })}</span>}
        <SourceSearch second={styles.again} />
      </header>
      {found === null ? (
        <p className={styles.remark}>
          {hits === "down"
            ? t("down")
            : t("tooShort", { min: LIMITS.sourceQueryMinChars, max: LIMITS.sourceQueryChars })}
        </p>
      ) : (
        <>
          {byFile(found.hits).map(([path, lines]) => (
            <section key={path} className={styles.hits}>
              <h2>
                <Link href={fileHref("/source", path)} prefetch={false}>
                  {path}
                </Link>
              </h2>
              <ol>
                {lines.map(({ line, text }) => (
                  <li key={line}>
                    <Link
                      href={`${fileHref("/source", path)}${markdown.has(path) ? "?plain=1" : ""}#L${line}`}
                      prefetch={false}
                    >
                      <span className="num">{line}</span>
                      <code>
                        {splitByQuery(text.trim(), query).map((part, index) =>
                          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a line that does not change.
                          index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
                        )}
                      </code>
                    </Link>
                  </li>
                ))}
              </ol>
            </section>
          ))}
          {found.hits.length === 0 && <p className={styles.remark}>{t("none")}</p>}
          {found.more && <p className={styles.remark}>{t("moreNote")}</p>}
        </>
      )}
    </main>
  );
}

function byFile(hits: SourceHits["hits"]): [string, SourceHits["hits"]][] {
  const files = new Map<string, SourceHits["hits"]>();
  for (const hit of hits) files.set(hit.path, [...(files.get(hit.path) ?? []), hit]);
  return [...files];
}
