/** Arguments that the tools of the content have in common. Their bounds are those of the stores. */
import { z } from "zod";
import { slug } from "../../../../shared/contracts/notes";
import { LIMITS } from "../../../../shared/limits";

export { slug };

export const dot = z.string().regex(/^#[0-9A-Fa-f]{6}$/);

/** Rows stand in ascending order. */
export const sortOrder = z.int().min(0).max(LIMITS.noteSortOrder);
