/** The shape of an endpoint's contract: what a request must be, what it answers, and with which refusals. */
import type { z } from "zod";
import type { ErrorCode } from "../errors";

/** A zod schema for a JSON answer; "sse" for a stream; "bytes" for a file; null for an empty 204. */
export type Answer = z.ZodType | "sse" | "bytes" | null;

/** What an endpoint does with the visitor's cookie (§6.1). Absent in a contract: it does not look at it. */
export interface VisitorRule {
  /** Without a living cookie nothing is found. */
  needed: boolean;
  /** `issued`: a new one where none lives; `renewed`: a living one lives on; `untouched`: only read. */
  cookie: "issued" | "renewed" | "untouched";
}

/** What a stream of server-sent events holds. */
export interface StreamShape {
  /** Absent: its events carry no id. */
  id?: z.ZodType;
  /** The closed set of events, each with the schema of its data. */
  events: Readonly<Record<string, z.ZodType>>;
  /** There may be nothing to stream; the answer is then an empty 204. */
  mayBeIdle?: boolean;
}

export interface Contract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  A extends Answer = Answer,
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
  answer: A;
  /** Media types of the file, given where the answer is "bytes". Such an endpoint answers HEAD too. */
  media?: readonly string[];
  /** Given where the answer is "sse". */
  stream?: StreamShape;
  visitor?: VisitorRule;
  refusals: readonly ErrorCode[];
}

/** Keeps the literal types of a contract while checking its shape. */
export function contract<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends Answer>(
  value: Contract<P, Q, B, A>,
): Contract<P, Q, B, A> {
  return value;
}
