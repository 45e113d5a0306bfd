/** The error bodies of Encore: `{ code, message, details }`, the status that belongs to each code, and how they leave. */
import type { ServerResponse } from "node:http";
import type { HeaderFields } from "./response-writer.mts";

const STATUS: Record<string, number> = {
  canceled: 499,
  unknown: 500,
  internal: 500,
  data_loss: 500,
  invalid_argument: 400,
  failed_precondition: 400,
  out_of_range: 400,
  deadline_exceeded: 504,
  not_found: 404,
  already_exists: 409,
  aborted: 409,
  permission_denied: 403,
  resource_exhausted: 429,
  unimplemented: 501,
  unavailable: 503,
  unauthenticated: 401,
};

export interface Answer {
  status: number;
  body: string;
}

export function errorAnswer(code: string, message: string, details: unknown = null): Answer {
  return { status: STATUS[code] ?? 500, body: JSON.stringify({ code, message, details }) };
}

export const ENDPOINT_NOT_FOUND = errorAnswer("not_found", "endpoint not found");
export const NO_ROUTE_FOR_METHOD = errorAnswer("not_found", "no route for method");
export const INVALID_PATH = errorAnswer("invalid_argument", "invalid path");
export const UNKNOWN_METHOD = errorAnswer("invalid_argument", "unknown method");

/**
 * What a handler's throw becomes before its first byte. The code of any thrown object counts when it is one of
 * Encore's; everything else is `internal`, whose message stays on the server.
 */
export function thrownAnswer(thrown: unknown): Answer {
  const { code, message, cause, details } = (typeof thrown === "object" && thrown !== null ? thrown : {}) as {
    [key: string]: unknown;
  };
  if (typeof code !== "string" || !Object.hasOwn(STATUS, code) || code === "internal") {
    return errorAnswer("internal", "an internal error occurred");
  }
  const reason = cause instanceof Error ? `: ${cause.message}` : "";
  return errorAnswer(code, `${String(message ?? "")}${reason}`, details ?? null);
}

/** Sends a whole answer of the host's own; an empty body has no type. */
export function sendAnswer(response: ServerResponse, { status, body }: Answer, added: HeaderFields): void {
  const type = body === "" ? {} : { "content-type": "application/json" };
  response.writeHead(status, { ...type, "content-length": String(Buffer.byteLength(body)), ...added });
  response.end(body);
}
