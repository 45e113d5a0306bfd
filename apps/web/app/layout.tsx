/** The document: language, theme before the first paint, the sheet every page shares. */
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getMessages, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { PageView } from "../features/metrics/page-view";
import { PREFERENCE_COOKIE, parsePreference, THEMES } from "../lib/preference";
import { shownTabs } from "../lib/site-tabs";
import { SHEET_COLORS } from "../ui/sheet-colors";
import { TabsProvider } from "../ui/tabs-context";

/**
 * Runs before anything is painted. Without a choice in the cookie the system's theme decides, and keeps deciding
 * when it changes, until the visitor chooses. And a tab that returns to a session must not flash the landing first.
 */
const THEME_SCRIPT = `(function(){var r=document.documentElement,m=matchMedia("(prefers-color-scheme: dark)");
function s(){if(!("themeChosen" in r.dataset))r.dataset.theme=m.matches?"dark":"light"}s();m.addEventListener("change",s);
try{if(sessionStorage.getItem("xr_session"))r.dataset.resume=""}catch(e){}})()`;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("shell");
  return {
    title: { default: t("title"), template: "%s · Agent X-Ray" },
    description: t("description"),
    applicationName: "Agent X-Ray",
    // Times, counts and ids are not telephone numbers.
    formatDetection: { telephone: false },
  };
}

/** The browser's own bars take the colour of the sheet: of the chosen theme, else of the system's. */
export async function generateViewport(): Promise<Viewport> {
  const theme = await chosenTheme();
  return {
    width: "device-width",
    initialScale: 1,
    viewportFit: "cover",
    interactiveWidget: "resizes-content",
    themeColor: THEMES.filter((one) => theme === undefined || one === theme).map((one) => ({
      ...(theme === undefined && { media: `(prefers-color-scheme: ${one})` }),
      color: SHEET_COLORS[one],
    })),
  };
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [theme, tabs, { shell, tabs: tabNames, errors, source }] = await Promise.all([
    chosenTheme(),
    shownTabs(),
    getMessages(),
  ]);
  return (
    <html
      lang={await getLocale()}
      {...(theme && { "data-theme": theme, "data-theme-chosen": "" })}
      suppressHydrationWarning
    >
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file, needed before paint. */}
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
      </head>
      <body>
        {/* What a reading page says in the browser; everything else it says on the server. */}
        <NextIntlClientProvider messages={{ shell, tabs: tabNames, errors, source }}>
          <TabsProvider tabs={tabs}>{children}</TabsProvider>
        </NextIntlClientProvider>
        <PageView />
      </body>
    </html>
  );
}

async function chosenTheme() {
  return parsePreference((await cookies()).get(PREFERENCE_COOKIE)?.value).theme;
}
