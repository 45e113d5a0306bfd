/** Contracts of the site itself: its tabs and status, and its health (§18, architecture §14). */
import { z } from "zod";
import { contract } from "./contract";

export const siteStatus = z.object({ demo: z.boolean(), ready: z.boolean() });
export type SiteStatus = z.infer<typeof siteStatus>;

export const siteStatusContract = contract({
  method: "GET",
  path: "/site/status",
  summary: "Whether answers come from the offline demo, and whether a question can be asked at all.",
  answer: siteStatus,
  refusals: ["internal"],
});

export const healthContract = contract({
  method: "GET",
  path: "/health",
  summary: "Answers without touching the database.",
  answer: z.object({ ok: z.literal(true) }),
  refusals: [],
});

export const TAB_KEYS = ["runtime", "notes", "skills", "source", "about"] as const;
export type TabKey = (typeof TAB_KEYS)[number];

/** In the order of `TAB_KEYS`, each exactly once. Navigation only: a hidden page's data stays public (§18). */
export const siteTabs = z.object({ tabs: z.array(z.object({ key: z.enum(TAB_KEYS), visible: z.boolean() })) });
export type SiteTabs = z.infer<typeof siteTabs>;

export const siteTabsContract = contract({
  method: "GET",
  path: "/site/tabs",
  summary: "The pages of the site and which of them the navigation shows.",
  answer: siteTabs,
  refusals: ["internal"],
});
