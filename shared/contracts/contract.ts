/** The shape of an endpoint's contract: what a request must be, what it answers, and with which refusals. */
import type { z } from "zod";
import type { ErrorCode } from "../errors";

export interface Contract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  method: "GET" | "POST" | "DELETE";
  /** Path as the API serves it, in Encore's notation: `/agent/sessions/:id`. */
  path: string;
  summary: string;
  /** Each part is absent where the endpoint takes none; unknown body and query fields are ignored. */
  params?: Params;
  query?: Query;
  body?: Body;
  /** Limit on the request body, in bytes. Absent: no body is read. */
  bodyBytes?: number;
  /** A zod schema for a JSON answer; "sse" for a stream; "bytes" for a file; null for an empty 204. */
  answer: z.ZodType | "sse" | "bytes" | null;
  refusals: readonly ErrorCode[];
}

/** Keeps the literal types of a contract while checking its shape. */
export function contract<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  value: Contract<P, Q, B>,
): Contract<P, Q, B> {
  return value;
}
