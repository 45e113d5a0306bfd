/** What the server knows of the navigation: which pages are shown, and the refusal of one that is not (§18). */
import { notFound } from "next/navigation";
import type { TabKey } from "../../../shared/contracts/site";
import { type Tab, visibleTabs } from "../ui/tabs";
import { readTabs } from "./api";

export async function shownTabs(): Promise<readonly Tab[]> {
  return visibleTabs(await readTabs());
}

/** A link into a hidden page is not drawn. */
export async function isShown(key: TabKey): Promise<boolean> {
  return (await shownTabs()).some((tab) => tab.key === key);
}

/** First thing in each reading page: a hidden one answers as if it had never been. */
export async function requireTab(key: TabKey): Promise<void> {
  if (!(await isShown(key))) notFound();
}
