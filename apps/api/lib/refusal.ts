/** A refusal: thrown anywhere under an endpoint, it becomes the answer that `shared/errors.ts` gives its code. */
import type { ErrorCode } from "../../../shared/errors";

export class Refusal extends Error {
  override readonly name = "Refusal";

  /** `retryAfterMs` is told to the client for `rate_limited` only, rounded up to a whole minute. */
  constructor(
    readonly code: ErrorCode,
    readonly retryAfterMs = 60_000,
  ) {
    super(code);
  }
}

/** What a store found; refused with `not_found` when it found nothing. */
export function found<T>(value: T | null): T {
  if (value === null) throw new Refusal("not_found");
  return value;
}
