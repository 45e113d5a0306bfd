/**
 * What a visitor chose about the page: language and theme, in one cookie that holds explicit choices only
 * (architecture §14, Language and theme). Before a choice the browser's language and the system's theme decide.
 */
export const PREFERENCE_COOKIE = "xr_ui";

export const LANGUAGES = ["zh", "en"] as const;
export type Language = (typeof LANGUAGES)[number];
export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export interface Preference {
  language?: Language;
  theme?: Theme;
}

/** Reads `zh.dark`, `en.`, `.light`; whatever is not a known word is no choice. */
export function parsePreference(value: string | undefined): Preference {
  const [language, theme] = (value ?? "").split(".");
  return {
    ...(isLanguage(language) && { language }),
    ...(isTheme(theme) && { theme }),
  };
}

export function formatPreference({ language, theme }: Preference): string {
  return `${language ?? ""}.${theme ?? ""}`;
}

/** The language of a page: the choice, else the best match of `Accept-Language`, else Chinese. */
export function pickLanguage(preference: Preference, acceptLanguage: string | null | undefined): Language {
  if (preference.language !== undefined) return preference.language;
  const wanted = (acceptLanguage ?? "")
    .split(",")
    .map((entry) => {
      const [tag = "", ...params] = entry.trim().toLowerCase().split(";");
      const quality = params.map((param) => /^\s*q=([\d.]+)\s*$/.exec(param)?.[1]).find((q) => q !== undefined);
      return { language: tag.split("-")[0], quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter((entry) => isLanguage(entry.language) && entry.quality > 0)
    .sort((a, b) => b.quality - a.quality);
  const best = wanted[0]?.language;
  return isLanguage(best) ? best : "zh";
}

function isLanguage(value: unknown): value is Language {
  return LANGUAGES.includes(value as Language);
}

function isTheme(value: unknown): value is Theme {
  return THEMES.includes(value as Theme);
}
