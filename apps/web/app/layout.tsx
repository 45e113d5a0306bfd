/** The document: language, theme before the first paint, the sheet every page shares. */
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { PREFERENCE_COOKIE, parsePreference } from "../lib/preference";

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
    title: { default: "Agent X-Ray", template: "%s · Agent X-Ray" },
    description: t("description"),
  };
}

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  interactiveWidget: "resizes-content",
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const { theme } = parsePreference((await cookies()).get(PREFERENCE_COOKIE)?.value);
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
        <NextIntlClientProvider>{children}</NextIntlClientProvider>
      </body>
    </html>
  );
}
