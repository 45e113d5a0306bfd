/** What visitors do, in counts and sums by day (architecture §14, MCP). No row of one visitor is read for it. */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import { countByDay } from "../../stores/site-counts";
import { defineTool } from "../define-tool";
import { daysUpTo } from "./traffic";

const day = z.object({
  day: z.string(),
  sessions: z.int(),
  completed: z.int(),
  stopped: z.int(),
  failed: z.int(),
  interrupted: z.int(),
  turns: z.int(),
  tokens: z.int(),
  costMicros: z.int(),
  searches: z.int(),
  images: z.int(),
  skillRuns: z.int(),
});

const stats = defineTool({
  name: "sessions_stats",
  title: "Count sessions and turns",
  description:
    "Counts by day in Asia/Shanghai, newest first: from, to, days (sessions begun and replies completed, stopped, failed, interrupted, of kept sessions only; turns, tokens, costMicros: micro-USD, searches, images, skillRuns of all). Days without anything are left out.",
  effect: "read",
  input: z.strictObject({
    days: z
      .int()
      .min(1)
      .max(LIMITS.statsDays)
      .optional()
      .describe(`Days up to today; ${LIMITS.statsDaysDefault} if absent.`),
  }),
  output: z.object({ from: z.string(), to: z.string(), days: z.array(day) }),
  async run({ db, args, now }) {
    const within = daysUpTo(now, args.days ?? LIMITS.statsDaysDefault);
    return { ...within, days: await countByDay(db, within) };
  },
});

export const sessionsStatsTools = [stats];
