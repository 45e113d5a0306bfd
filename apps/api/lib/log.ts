/**
 * The application's log: fixed messages with facts, as JSON lines through the runtime's logger. An error is reduced to
 * its redacted message before it gets here (`safeErrorText`), and text among the facts is redacted too, so a key that
 * slipped into an error cannot reach a log line.
 */
import runtimeLog from "encore.dev/log";
import { redactText, safeErrorText } from "./safe-error";

export interface Log {
  info(message: string, facts?: Record<string, unknown>): void;
  error(message: string, cause?: unknown, facts?: Record<string, unknown>): void;
}

export const log: Log = {
  info: (message, facts = {}) => runtimeLog.info(message, redactFacts(facts)),
  error: (message, cause, facts = {}) =>
    runtimeLog.error(message, {
      ...redactFacts(facts),
      ...(cause === undefined ? {} : { cause: safeErrorText(cause) }),
    }),
};

type Fact = string | number | boolean | null;

/** Facts are flat: what is neither text, number nor boolean is not written. */
function redactFacts(facts: Record<string, unknown>): Record<string, Fact> {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([key, value]): [string, Fact][] => {
      if (typeof value === "string") return [[key, redactText(value)]];
      return typeof value === "number" || typeof value === "boolean" || value === null ? [[key, value]] : [];
    }),
  );
}
