/** Skills: an honest empty page until something is published. */
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { StatePage } from "../../../ui/state-page";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("skills");
  return { title: t("title"), description: t("lead") };
}

export default async function SkillsPage() {
  const t = await getTranslations("skills");
  return <StatePage title={t("title")} lead={t("lead")} fact={t("empty")} note={t("emptyNote")} />;
}
