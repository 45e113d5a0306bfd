/** Arguments that the tools of the content have in common. Their bounds are those of the stores. */
import { z } from "zod";
import { slug } from "../../../../shared/contracts/notes";
import { LIMITS } from "../../../../shared/limits";

export { slug };

export const dot = z.string().regex(/^#[0-9A-Fa-f]{6}$/);

/** Rows stand in ascending order. */
export const sortOrder = z.int().min(0).max(LIMITS.noteSortOrder);

/** How long the agent waits for a service it calls. */
export const totalTimeoutMs = z.int().min(LIMITS.providerTotalMinMs).max(LIMITS.providerTotalMaxMs).optional();
export const idleTimeoutMs = z
  .int()
  .min(LIMITS.providerIdleMinMs)
  .max(LIMITS.providerIdleMaxMs)
  .optional()
  .describe("At most totalTimeoutMs.");
