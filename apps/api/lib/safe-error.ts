/**
 * The one way from an exception to a log line (§0.3): its message only, no stack, credentials replaced, one line, cut.
 * Never for a visitor: those get a sentence of `shared/errors.ts`.
 */
import { redactText, REDACTED } from "../../../shared/text/redact";

export { redactText };

const LOG_MESSAGE_CHARS = 500;
/** `name=value` and `name: value` forms of a credential, as they stand in connection strings, headers and JSON. */
const NAMED_SECRET =
  /((?:authorization|api[-_ ]?key|token|secret|credential|cookie|passw(?:or)?d?|private[-_ ]?key)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|(?:(?:basic|bearer)\s+)?[^\s,;&"'}]+)/gi;
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi;

/** `secrets` are exact values of this call, removed wherever they stand, also percent- and JSON-encoded. */
export function safeErrorText(error: unknown, secrets: readonly string[] = []): string {
  const text = scrub(messageOf(error), secrets)
    .replace(URL_PASSWORD, `$1${REDACTED}@`)
    .replace(NAMED_SECRET, `$1${REDACTED}`);
  const line = redactText(text)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .toWellFormed();
  return line.length > LOG_MESSAGE_CHARS ? `${line.slice(0, LOG_MESSAGE_CHARS)}…` : line;
}

/** The text without the given values. Values shorter than four characters are no secrets and stay. */
export function scrub(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < 4) continue;
    for (const form of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
      clean = clean.replaceAll(form, REDACTED);
    }
  }
  return clean;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : `thrown ${typeof error}`;
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return `${error.name}: ${error.message}${cause}`;
}
