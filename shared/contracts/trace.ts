/** Contract of the trace service: the stored and live kernel events of one's own session (§5.1). */
import { z } from "zod";
import { contract } from "./contract";
import { sessionId } from "./agent";
import { traceEvents } from "./frames";

export const traceStreamContract = contract({
  method: "GET",
  path: "/trace/stream",
  summary: "Kernel events after `afterSeq`: stored ones first, then `ready`, then live, until `bye`.",
  query: z.object({
    sessionId,
    /** Last seq the client has; -1 for none. Decimal digits only, as on the wire. */
    afterSeq: z
      .string()
      .regex(/^(-1|0|[1-9]\d{0,8})$/)
      .transform(Number)
      .pipe(z.number().int().min(-1).max(999_999_999))
      .default(-1),
    clientId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  }),
  answer: "sse",
  stream: { events: traceEvents },
  visitor: { needed: true, cookie: "untouched" },
  refusals: ["bad_request", "not_found", "slots_full", "internal"],
});
