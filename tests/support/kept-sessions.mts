/**
 * Sessions that several pictures show. Each is asked for once a language, by a visitor of its own; whoever opens a page
 * with what this gives is that visitor, come back to the session.
 */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { newVisitor } from "./browser.mts";
import { KEPT, type KeptName } from "./page-states.mts";
import type { Language } from "./picture-replies.mts";

export interface KeptSession {
  id: string;
  /** The visitor's cookie. */
  storageState: Exclude<BrowserContextOptions["storageState"], string | undefined>;
}

/** The second call for the same session waits for the first. */
export function keptSessions(browser: Browser, url: string) {
  const asked = new Map<string, Promise<KeptSession>>();
  return (name: KeptName, language: Language): Promise<KeptSession> => {
    const key = `${name} ${language}`;
    if (!asked.has(key)) asked.set(key, askFor(name, language));
    return asked.get(key)!;
  };

  async function askFor(name: KeptName, language: Language): Promise<KeptSession> {
    const { page, close } = await newVisitor(browser, { language });
    try {
      await page.goto(url);
      await KEPT[name](page, language);
      const id = await page.evaluate(() => sessionStorage.getItem("xr_session"));
      return { id: id!, storageState: await page.context().storageState() };
    } finally {
      await close();
    }
  }
}

/** Call before anything is loaded: this tab comes back to the session. */
export async function comeBackTo(page: Page, sessionId: string): Promise<void> {
  await page.addInitScript((id) => sessionStorage.setItem("xr_session", id), sessionId);
}
