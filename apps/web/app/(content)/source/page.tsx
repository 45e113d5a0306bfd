/** Source: an honest empty page until something is published. */
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { StatePage } from "../../../ui/state-page";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("source");
  return { title: t("title"), description: t("lead") };
}

export default async function SourcePage() {
  const t = await getTranslations("source");
  return <StatePage title={t("title")} lead={t("lead")} fact={t("empty")} note={t("emptyNote")} />;
}
