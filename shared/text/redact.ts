/**
 * What never leaves the server inside a preview or an event (§5.3): values that look like credentials, and whatever
 * stands under a key that names one. A pattern cannot know every key, so the key of a call is also removed exactly
 * where its error is made (`apps/api/lib/safe-error.ts`).
 */
export const REDACTED = "[redacted]";

const SECRET_KEY = /authorization|api[-_ ]?key|token|secret|credential|cookie|passw|private[-_ ]?key|bearer|headers/i;
/** `sk-`, `rk-`, `pk-` and `sess-` keys of ten characters or more, and bearer tokens of eight or more. */
const SECRET_VALUE = /(?<![A-Za-z0-9])(?:(?:sk|rk|pk|sess)-[A-Za-z0-9_-]{10,}|bearer\s+[^\s"'\\]{8,})/gi;

/** True when whatever is stored under `key` must not be shown. */
export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key);
}

/** The text with each value that looks like a credential replaced. Idempotent, linear in the text. */
export function redactText(text: string): string {
  return text.replace(SECRET_VALUE, REDACTED);
}
