/** A session on paper. It shows what this tab has open, so there is nothing for others to link to or to index. */
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Report } from "../../../features/report/report";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("report");
  return { title: t("title"), robots: { index: false } };
}

export default function ReportPage() {
  return <Report />;
}
