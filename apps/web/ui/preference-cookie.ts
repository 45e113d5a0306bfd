/** Writes a visitor's explicit choice of language or theme; a year, this site only. Browser only. */
import { formatPreference, PREFERENCE_COOKIE, type Preference, parsePreference } from "../lib/preference";

export function choose(choice: Preference): void {
  const current = parsePreference(
    document.cookie
      .split("; ")
      .find((pair) => pair.startsWith(`${PREFERENCE_COOKIE}=`))
      ?.slice(PREFERENCE_COOKIE.length + 1),
  );
  const secure = location.protocol === "https:" ? "; Secure" : "";
  const value = formatPreference({ ...current, ...choice });
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser this page supports.
  document.cookie = `${PREFERENCE_COOKIE}=${value}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}
