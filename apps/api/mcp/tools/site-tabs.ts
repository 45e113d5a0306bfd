/** The pages of the navigation (§18). Hiding one closes nothing: its data stays public. */
import { z } from "zod";
import { TAB_KEYS } from "../../../../shared/contracts/site";
import { listTabs, setTab } from "../../stores/site-tabs";
import { changed, defineTool, expectedRevision, revision } from "../define-tool";

const tab = z.object({ key: z.enum(TAB_KEYS), visible: z.boolean(), revision });

const list = defineTool({
  name: "site_tabs_list",
  title: "List the pages",
  description: "The five pages in the order of the navigation, and which are shown: tabs (key, visible, revision).",
  effect: "read",
  input: z.strictObject({}),
  output: z.object({ tabs: z.array(tab) }),
  async run({ db }) {
    return { tabs: await listTabs(db) };
  },
});

const set = defineTool({
  name: "site_tab_set",
  title: "Show or hide a page",
  description:
    "Shows or hides one page in the navigation. A hidden page answers 404; its data stays public. The last visible page cannot be hidden. Returns tab (key, visible, revision) and changed.",
  effect: "set",
  input: z.strictObject({ key: z.enum(TAB_KEYS), visible: z.boolean(), expectedRevision }),
  output: z.object({ tab, changed }),
  summary: ({ key, visible }) => `${key} ${visible ? "shown" : "hidden"}`,
  async run({ db, args: { key, visible, expectedRevision } }) {
    const written = await setTab(db, key, visible, { expectedRevision });
    return { tab: written.row, changed: written.changed };
  },
});

export const siteTabsTools = [list, set];
