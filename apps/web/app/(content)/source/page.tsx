/** Source without a file: the README of the commit, or, with `?q=`, every line that holds the words. */
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { SearchResults } from "../../../features/source/search-results";
import { SourceFileView } from "../../../features/source/source-file";
import { SourceFolder } from "../../../features/source/source-folder";
import { readSourceFile, readSourceIndex, searchSource } from "../../../lib/api";
import { pageMetadata } from "../../../lib/page-metadata";
import { isShown, requireTab } from "../../../lib/site-tabs";
import { StatePage } from "../../../ui/state-page";

interface Props {
  searchParams: Promise<{ q?: string | string[] }>;
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const t = await getTranslations("source");
  const { q } = await searchParams;
  const facts = await pageMetadata({ path: "/source", title: t("title"), description: t("lead") });
  return q === undefined ? facts : { ...facts, robots: { index: false } };
}

export default async function SourcePage({ searchParams }: Props) {
  await requireTab("source");
  const [t, notes, { q }, index] = await Promise.all([
    getTranslations("source"),
    getTranslations("notes"),
    searchParams,
    readSourceIndex(),
  ]);
  if (index === "down")
    return <StatePage title={t("title")} lead={t("lead")} fact={t("down")} note={notes("downNote")} />;
  if (index === null) return <StatePage title={t("title")} lead={t("lead")} fact={t("empty")} note={t("emptyNote")} />;
  if (typeof q === "string")
    return <SearchResults query={q.trim()} files={index.files} hits={await searchSource(q.trim())} />;

  const readme = index.files.find(({ path }) => path === "README.md");
  const file = readme === undefined ? null : await readSourceFile(readme.path);
  if (file === null || file === "down") return <SourceFolder index={index} path="" readme={null} />;
  return <SourceFileView file={file} canAsk={await isShown("runtime")} />;
}
