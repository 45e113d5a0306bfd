/** GET /site/tabs: which pages the navigation shows. Never an access control: a hidden page's data stays public. */
import { api } from "encore.dev/api";
import { siteTabsContract } from "../../../shared/contracts/site";
import { publicRoute } from "../lib/public-route";
import { readTabs } from "../stores/site-tabs";
import { db } from "./db";

export const tabs = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/site/tabs" },
  publicRoute(siteTabsContract, async () => readTabs(db)),
);
