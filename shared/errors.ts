/**
 * The closed table of refusals (architecture §14, Errors). Every refusal of the API is `{ error, code }` with one of
 * these codes; the sentence is fixed, English, and holds no number, no upstream text and no exception text. The page
 * translates the code.
 */
export const ERRORS = {
  bad_request: { status: 400, sentence: "The request is not valid." },
  too_large: { status: 413, sentence: "The request is too large." },
  not_found: { status: 404, sentence: "There is nothing here." },
  turn_running: { status: 409, sentence: "This session is still answering. Send again when it is done." },
  slots_full: { status: 429, sentence: "All seats are taken right now. Try again in a minute." },
  daily_tokens: {
    status: 429,
    sentence: "Today's allowance is used up. New sessions open again at midnight, China time.",
  },
  daily_cost: {
    status: 429,
    sentence: "Today's allowance is used up. New sessions open again at midnight, China time.",
  },
  turn_limit: { status: 429, sentence: "This session has reached its last turn." },
  rate_limited: { status: 429, sentence: "Too many requests from your network. Try again later." },
  not_configured: { status: 503, sentence: "No model is configured on this site yet." },
  internal: { status: 500, sentence: "Something went wrong on our side." },
} as const satisfies Record<string, { status: number; sentence: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Body of every refusal on the wire. */
export interface ErrorBody {
  error: string;
  code: ErrorCode;
}

/** The sentences an ask stream may close with (§4.2). `error.code` on the wire names one of them. */
export const TURN_ERRORS = {
  model_failed: "The model did not answer. What arrived is kept.",
  not_stored: "The reply could not be stored.",
  interrupted: "The turn was interrupted. What arrived is kept.",
} as const;

export type TurnErrorCode = keyof typeof TURN_ERRORS;
