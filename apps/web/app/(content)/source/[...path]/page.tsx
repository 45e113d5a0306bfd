/** One file of the published commit, or a folder of it. */
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { SourceFileView } from "../../../../features/source/source-file";
import { SourceFolder } from "../../../../features/source/source-folder";
import { isHere, readSourceFile, readSourceIndex } from "../../../../lib/api";
import { fileHref, pathOf } from "../../../../lib/file-address";
import { pageMetadata } from "../../../../lib/page-metadata";
import { isShown, requireTab } from "../../../../lib/site-tabs";
import { StatePage } from "../../../../ui/state-page";

interface Props {
  params: Promise<{ path: string[] }>;
  searchParams: Promise<{ plain?: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const path = pathOf((await params).path);
  if (path === null) return {};
  const t = await getTranslations("source");
  return pageMetadata({ path: fileHref("/source", path), title: path, description: t("lead") });
}

export default async function SourcePathPage({ params, searchParams }: Props) {
  await requireTab("source");
  const [t, notes, index] = await Promise.all([getTranslations("source"), getTranslations("notes"), readSourceIndex()]);
  if (index === "down")
    return <StatePage title={t("title")} lead={t("lead")} fact={t("down")} note={notes("downNote")} />;
  const path = pathOf((await params).path);
  if (index === null || path === null) notFound();

  if (!index.files.some((file) => file.path === path)) {
    if (!index.files.some((file) => file.path.startsWith(`${path}/`))) notFound();
    const readme = index.files.find((file) => file.path === `${path}/README.md`);
    const text = readme === undefined ? null : await readSourceFile(readme.path);
    return <SourceFolder index={index} path={path} readme={isHere(text) ? text : null} />;
  }
  const file = await readSourceFile(path);
  if (file === null) notFound();
  if (file === "down") return <StatePage title={t("title")} fact={t("down")} note={notes("downNote")} />;
  const plain = (await searchParams).plain !== undefined;
  return <SourceFileView file={file} plain={plain} canAsk={await isShown("runtime")} />;
}
