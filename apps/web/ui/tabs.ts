/** The pages of the site, in the order of the navigation, and which of them it shows (§18). */
import type { SiteTabs, TabKey } from "../../../shared/contracts/site";

export interface Tab {
  key: TabKey;
  href: string;
}

export const TABS: readonly Tab[] = [
  { key: "runtime", href: "/" },
  { key: "notes", href: "/notes" },
  { key: "skills", href: "/skills" },
  { key: "source", href: "/source" },
  { key: "about", href: "/about" },
];

/** A page that nobody has said anything about is shown: all are while the API does not answer. */
export function visibleTabs(answer: SiteTabs | null | "down"): readonly Tab[] {
  if (answer === null || answer === "down") return TABS;
  const hidden = new Set(answer.tabs.filter(({ visible }) => !visible).map(({ key }) => key));
  return TABS.filter(({ key }) => !hidden.has(key));
}

/** A phone has room for four. Source is read on a wide screen, so it is the one that goes, and only when it must. */
export function phoneTabs(tabs: readonly Tab[]): readonly Tab[] {
  return tabs.length > 4 ? tabs.filter(({ key }) => key !== "source") : tabs;
}

export function isCurrentTab(href: string, pathname: string): boolean {
  return href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);
}
