/** Runtime speaks in the browser, so its sentences go there, all of them. */
import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";

export default function RuntimeLayout({ children }: { children: ReactNode }) {
  return <NextIntlClientProvider>{children}</NextIntlClientProvider>;
}
