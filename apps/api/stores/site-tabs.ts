/**
 * Which pages the navigation shows (§18). There are as many tabs as the code knows, in its order; one without a row is
 * shown. At least one is: the tabs share one lock, so that two who each hide one cannot together hide the last.
 */
import { TAB_KEYS, type SiteTabs, type TabKey } from "../../../shared/contracts/site";
import type { Database, Tx } from "../database/pool";
import { invalid } from "./owner-fields";
import { changeRow, type Expected, type Written } from "./owner-write";
import { type Revised, revised } from "./revision";
import { StoreRefusal } from "./store-refusal";

export interface TabRow {
  key: TabKey;
  visible: boolean;
}

const HIDDEN = "SELECT key FROM site_tab_config WHERE NOT visible";

/** The tabs as the pages read them. */
export async function readTabs(db: Database): Promise<SiteTabs> {
  return { tabs: tabsOf(await db.queryAs<{ key: string }>("content_ro", HIDDEN)) };
}

export async function listTabs(db: Database): Promise<Revised<TabRow>[]> {
  return tabsOf(await db.queryAs<{ key: string }>("admin_rw", HIDDEN)).map(revised);
}

/** Shows or hides a page. Refused with `last_visible_tab` when nothing would be left to show. */
export async function setTab(
  db: Database,
  key: TabKey,
  visible: boolean,
  expected: Expected = {},
): Promise<Written<TabRow>> {
  if (!TAB_KEYS.includes(key)) throw invalid("key", "There is no such page.", TAB_KEYS);
  return changeRow<TabRow>(db, {
    ...expected,
    key: ["site_tab_config"],
    read: async (tx) => (await tabsIn(tx)).find((tab) => tab.key === key)!,
    async write(tx, current) {
      if (current?.visible === visible) return false;
      const others = (await tabsIn(tx)).filter((tab) => tab.key !== key && tab.visible);
      if (!visible && others.length === 0) throw new StoreRefusal("last_visible_tab", { field: "visible" });
      await tx.query(
        `INSERT INTO site_tab_config (key, visible) VALUES ($1, $2)
         ON CONFLICT (key) DO UPDATE SET visible = excluded.visible, updated_at = now()`,
        [key, visible],
      );
      return true;
    },
  });
}

async function tabsIn(tx: Tx): Promise<TabRow[]> {
  return tabsOf(await tx.query<{ key: string }>(HIDDEN));
}

function tabsOf(hidden: readonly { key: string }[]): TabRow[] {
  const keys = new Set(hidden.map(({ key }) => key));
  return TAB_KEYS.map((key) => ({ key, visible: !keys.has(key) }));
}
