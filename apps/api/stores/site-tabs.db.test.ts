/** The pages of the navigation (§18): fixed order, shown without a row, and one of them always. */
import { expect, test } from "bun:test";
import { siteTabs, TAB_KEYS, type TabKey } from "../../../shared/contracts/site";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import { listTabs, readTabs, setTab } from "./site-tabs";

const opened = databaseForFile();
const shown = async () => (await readTabs(opened.db)).tabs.filter(({ visible }) => visible).map(({ key }) => key);
const showAll = async () => {
  for (const key of TAB_KEYS) await setTab(opened.db, key, true);
};

test("all pages are shown at first, in the fixed order", async () => {
  const tabs = await readTabs(opened.db);
  expect(siteTabs.parse(tabs)).toEqual(tabs);
  expect(tabs.tabs).toEqual(
    ["runtime", "notes", "skills", "source", "about"].map((key) => ({ key, visible: true })) as never,
  );
});

test("a page without a row is shown, and a row of no page shows nothing", async () => {
  await opened.admin.query("DELETE FROM site_tab_config WHERE key = 'skills'");
  await opened.admin.query("INSERT INTO site_tab_config (key, visible) VALUES ('secret', TRUE), ('other', FALSE)");
  expect(await shown()).toEqual([...TAB_KEYS]);
  expect((await setTab(opened.db, "skills", false)).row.visible).toBe(false);
  expect(await shown()).toEqual(["runtime", "notes", "source", "about"]);
  await showAll();
});

test("a write says whether it changed anything, and a stale one is refused", async () => {
  const before = (await listTabs(opened.db)).find(({ key }) => key === "notes")!;
  expect(await setTab(opened.db, "notes", true)).toEqual({ row: before, changed: false });
  const hidden = await setTab(opened.db, "notes", false, { expectedRevision: before.revision });
  expect([hidden.changed, hidden.row.revision === before.revision]).toEqual([true, false]);
  await expect(setTab(opened.db, "notes", true, { expectedRevision: before.revision })).rejects.toMatchObject({
    code: "stale_revision",
    current: hidden.row.revision,
  });
  await expect(setTab(opened.db, "secret" as TabKey, true)).rejects.toMatchObject({
    code: "invalid",
    facts: { field: "key", allowed: [...TAB_KEYS] },
  });
  await showAll();
});

test("each page can be the last one shown, and none of them can be hidden then", async () => {
  for (const last of TAB_KEYS) {
    await showAll();
    for (const key of TAB_KEYS) if (key !== last) await setTab(opened.db, key, false);
    await expect(setTab(opened.db, last, false)).rejects.toMatchObject({ code: "last_visible_tab" });
    expect(await shown()).toEqual([last]);
  }
});

test("two who each hide one of the last two: one is refused", async () => {
  for (let round = 0; round < 10; round++) {
    await showAll();
    for (const key of ["skills", "source", "about"] as const) await setTab(opened.db, key, false);
    const ends = await Promise.allSettled([setTab(opened.db, "runtime", false), setTab(opened.db, "notes", false)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await shown()).toHaveLength(1);
  }
});
