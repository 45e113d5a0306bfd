/**
 * What a failed statement becomes: a closed code and a fixed sentence. Postgres puts row values and SQL into its own
 * texts, and visitors' words are in our rows, so nothing of them passes, except where the text can only name objects
 * of the schema or the state of the server; then it stays as `cause`, for the log.
 */

const SENTENCES = {
  permission_denied: "The database refused: this role has no right to do that.",
  timeout: "The database took too long.",
  unavailable: "The database is not reachable.",
  conflict: "The row exists already.",
  missing_reference: "A row that this one refers to does not exist.",
  check_failed: "The database refused a value.",
  serialization: "The transaction met another one.",
  rolled_back: "The transaction was rolled back.",
  out_of_range: "A number from the database is too large to be exact.",
  failed: "The database statement failed.",
} as const;

export type DatabaseErrorCode = keyof typeof SENTENCES;

export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  constructor(
    readonly code: DatabaseErrorCode,
    /** Five characters of SQLSTATE, or undefined when the server never answered. */
    readonly sqlState?: string,
    /** Name of the violated constraint, which is ours and therefore safe. */
    readonly constraint?: string,
    options?: { cause?: unknown },
  ) {
    const facts = [sqlState, constraint].filter(Boolean).join(" ");
    super(facts ? `${SENTENCES[code]} (${facts})` : SENTENCES[code], options);
  }
}

const BY_STATE: Record<string, DatabaseErrorCode> = {
  "42501": "permission_denied",
  "25006": "permission_denied",
  "57014": "timeout",
  "55P03": "timeout",
  "25P03": "timeout",
  "23505": "conflict",
  "23503": "missing_reference",
  "23502": "check_failed",
  "23514": "check_failed",
  "40001": "serialization",
  "40P01": "serialization",
};

/** Turns whatever the driver threw into a `DatabaseError`. Passes one through unchanged. */
export function databaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const { code: state, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  const sqlState = typeof state === "string" && /^[0-9A-Z]{5}$/.test(state) ? state : undefined;
  // Without a state the server did not answer: refused, reset, closed or timed out on the way.
  if (!sqlState) return new DatabaseError("unavailable", undefined, undefined, { cause: error });

  const unavailable = /^(08|53|57P|58)/.test(sqlState);
  const code = BY_STATE[sqlState] ?? (unavailable ? "unavailable" : "failed");
  const namesOnlyOurs = unavailable || sqlState.startsWith("42");
  const named = typeof constraint === "string" ? constraint : undefined;
  return new DatabaseError(code, sqlState, named, namesOnlyOurs ? { cause: error } : undefined);
}
