/** Times as people say them. Pure: the present is an argument. */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export type Ago = { key: "now" | "yesterday" } | { key: "minutes" | "hours" | "days"; n: number };

/** How long ago, in the words of the session list; a time in the future (a clock that differs) is now. */
export function timeAgo(iso: string, nowMs: number): Ago {
  const passedMs = nowMs - Date.parse(iso);
  if (!(passedMs >= MINUTE_MS)) return { key: "now" };
  if (passedMs < HOUR_MS) return { key: "minutes", n: Math.floor(passedMs / MINUTE_MS) };
  if (passedMs < DAY_MS) return { key: "hours", n: Math.floor(passedMs / HOUR_MS) };
  if (passedMs < 2 * DAY_MS) return { key: "yesterday" };
  return { key: "days", n: Math.floor(passedMs / DAY_MS) };
}

/** `38 ms`, `11.4 s`, `2 min 5 s`; Chinese writes seconds and minutes out. */
export function formatDuration(ms: number, language: string): string {
  const zh = language === "zh";
  if (ms < 1_000) return zh ? `${Math.round(ms)} 毫秒` : `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} ${zh ? "秒" : "s"}`;
  const seconds = Math.round(ms / 1_000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return zh ? `${minutes} 分 ${rest} 秒` : `${minutes} min ${rest} s`;
}

/** A tool's own duration, in the data column: units stay Latin in both languages, as on the trace. */
export function formatStepDuration(ms: number): string {
  return formatDuration(ms, "en");
}

/** `48.2k`; below a thousand the number itself. */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  if (tokens < 999_950) return `${(tokens / 1_000).toFixed(1)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** `28 Nov`, `11月28日`: the day in UTC, as it was published. */
export function shortDay(iso: string, language: string): string {
  return dayIn(iso, language, { day: "numeric", month: "short" });
}

/** `28 November 2026`, `2026年11月28日`. */
export function longDay(iso: string, language: string): string {
  return dayIn(iso, language, { day: "numeric", month: "long", year: "numeric" });
}

/** `28 Nov, 21:04`, `11月28日 21:04`, in UTC. */
export function dayAndTime(iso: string, language: string): string {
  return dayIn(iso, language, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

function dayIn(iso: string, language: string, form: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", { ...form, timeZone: "UTC" }).format(
    new Date(iso),
  );
}

/** `14:32` in the reader's own time zone. */
export function clockTime(iso: string): string {
  const date = new Date(iso);
  return `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
}
