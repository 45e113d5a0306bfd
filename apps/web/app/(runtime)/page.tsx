/** Runtime: the conversation and its X-ray. What belongs to the visitor the browser fetches; what is true for all comes with the page. */
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Runtime } from "../../features/stage/runtime";
import { readStatus } from "../../lib/api";
import { pageMetadata } from "../../lib/page-metadata";
import { shownTabs } from "../../lib/site-tabs";

export function generateMetadata(): Promise<Metadata> {
  return pageMetadata({ path: "/" });
}

export default async function RuntimePage() {
  const [status, tabs] = await Promise.all([readStatus(), shownTabs()]);
  const [first] = tabs;
  // 307: the page may be shown again tomorrow (§18).
  if (first !== undefined && first.key !== "runtime") redirect(first.href);
  return <Runtime demo={status !== "down" && status !== null && status.demo} />;
}
