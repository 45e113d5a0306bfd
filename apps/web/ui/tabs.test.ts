import { describe, expect, it } from "bun:test";
import type { TabKey } from "../../../shared/contracts/site";
import { isCurrentTab, phoneTabs, TABS, visibleTabs } from "./tabs";

const hiding = (...keys: TabKey[]) => ({ tabs: TABS.map(({ key }) => ({ key, visible: !keys.includes(key) })) });
const keysOf = (tabs: ReturnType<typeof visibleTabs>) => tabs.map(({ key }) => key);

describe("the navigation", () => {
  it("shows every page while nobody says otherwise or can", () => {
    for (const answer of [null, "down" as const, { tabs: [] }, hiding()]) {
      expect(keysOf(visibleTabs(answer))).toEqual(["runtime", "notes", "skills", "source", "about"]);
    }
  });

  it("leaves out each hidden page and keeps the order of the others", () => {
    expect(keysOf(visibleTabs(hiding("notes", "about")))).toEqual(["runtime", "skills", "source"]);
    expect(keysOf(visibleTabs(hiding("runtime", "notes", "skills", "source")))).toEqual(["about"]);
  });

  it("drops Source on a phone only when there are five", () => {
    expect(keysOf(phoneTabs(TABS))).toEqual(["runtime", "notes", "skills", "about"]);
    expect(keysOf(phoneTabs(visibleTabs(hiding("skills"))))).toEqual(["runtime", "notes", "source", "about"]);
  });

  it("marks the page that an address belongs to", () => {
    const current = (path: string) => TABS.filter(({ href }) => isCurrentTab(href, path)).map(({ key }) => key);
    expect([current("/"), current("/source/a/b.ts"), current("/notebook"), current("/skills")]).toEqual([
      ["runtime"],
      ["source"],
      [],
      ["skills"],
    ]);
  });
});
