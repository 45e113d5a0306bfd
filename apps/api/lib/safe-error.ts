/**
 * The one way from an exception to a log line (§0.3): its message only, no stack, credentials replaced, one line, cut.
 * Never for a visitor: those get a sentence of `shared/errors.ts`.
 */
import { LIMITS } from "../../../shared/limits";
import { redactText, REDACTED } from "../../../shared/text/redact";

export { redactText };

/** `name=value` and `name: value` forms of a credential, as they stand in connection strings, headers and JSON. */
const NAMED_SECRET =
  /((?:authorization|api[-_ ]?key|token|secret|credential|cookie|passw(?:or)?d?|private[-_ ]?key)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|(?:(?:basic|bearer)\s+)?[^\s,;&"'}]+)/gi;
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi;

/** `secrets` are exact values of this call, removed wherever they stand, also percent-, JSON- and base64-encoded. */
export function safeErrorText(error: unknown, secrets: readonly string[] = []): string {
  const text = scrub(messageOf(error), secrets)
    .replace(URL_PASSWORD, `$1${REDACTED}@`)
    .replace(NAMED_SECRET, `$1${REDACTED}`);
  const line = redactText(text)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .toWellFormed();
  return line.length > LIMITS.logMessageChars ? `${line.slice(0, LIMITS.logMessageChars)}…` : line;
}

/** The text without the given values. Values shorter than four characters are no secrets and stay. */
export function scrub(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < 4) continue;
    for (const form of formsOf(secret)) clean = clean.replaceAll(form, REDACTED);
  }
  return clean;
}

/** The ways in which a value is usually written down, longest first. */
function formsOf(secret: string): string[] {
  const percent = encodeURIComponent(secret);
  const lowerCasePercent = percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const forms = [secret, percent, lowerCasePercent, JSON.stringify(secret).slice(1, -1), ...base64Forms(secret)];
  return [...new Set(forms)].sort((one, other) => other.length - one.length);
}

/**
 * The value inside longer base64 text, as of `user:value`. It can begin at each of three places within a group of three
 * bytes; the characters that it shares with its neighbours are not part of the form. Short forms could be any word.
 */
function base64Forms(secret: string): string[] {
  const forms: string[] = [];
  for (const before of [0, 1, 2]) {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const form = bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    if (form.length >= 8) forms.push(form, form.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : `thrown ${typeof error}`;
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return `${error.name}: ${error.message}${cause}`;
}
