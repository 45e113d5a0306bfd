/** Page views (§22): sums by day, page and browser family. Nothing here tells one reader from another. */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import { quotaDay } from "../../stores/quota";
import { type Days, readTraffic, readTrafficAgents, readTrafficPaths } from "../../stores/traffic";
import { defineTool } from "../define-tool";

const days = z
  .int()
  .min(1)
  .max(LIMITS.trafficDays)
  .optional()
  .describe(`Days up to today; ${LIMITS.trafficDaysDefault} if absent.`);
const period = { from: z.string(), to: z.string() };
const counts = { views: z.int(), visitorDays: z.int() };

const overview = defineTool({
  name: "traffic_overview",
  title: "Read the traffic",
  description:
    "Page views by day: from, to, views, visitorDays, days (day, views, visitors; only days with a view, oldest first). A visitor counts anew each day, so visitorDays is the sum of daily visitors, never a number of people.",
  effect: "read",
  input: z.strictObject({ days }),
  output: z.object({
    ...period,
    ...counts,
    days: z.array(z.object({ day: z.string(), views: z.int(), visitors: z.int() })),
  }),
  async run({ db, args, now }) {
    const within = daysUpTo(now, args.days);
    return { ...within, ...(await readTraffic(db, within)) };
  },
});

const paths = defineTool({
  name: "traffic_paths",
  title: "Read the traffic by page",
  description:
    "The pages that were opened most: from, to, paths (path, views, visitorDays: the sum of daily visitors), total (pages in all). /* is every address that is no page; files of a skill or of the source count for their page.",
  effect: "read",
  input: z.strictObject({
    days,
    limit: z
      .int()
      .min(1)
      .max(LIMITS.trafficPaths)
      .optional()
      .describe(`Pages at most; ${LIMITS.trafficPathsDefault} if absent.`),
  }),
  output: z.object({ ...period, paths: z.array(z.object({ path: z.string(), ...counts })), total: z.int() }),
  async run({ db, args, now }) {
    const within = daysUpTo(now, args.days);
    return { ...within, ...(await readTrafficPaths(db, within, args.limit ?? LIMITS.trafficPathsDefault)) };
  },
});

const agents = defineTool({
  name: "traffic_agents",
  title: "Read the traffic by browser",
  description:
    "Page views by family, the most used first: from, to, agents (agent: <browser>/<platform> such as Chrome/Windows, views, visitorDays: the sum of daily visitors). Programs that say what they are count as Bot.",
  effect: "read",
  input: z.strictObject({ days }),
  output: z.object({ ...period, agents: z.array(z.object({ agent: z.string(), ...counts })) }),
  async run({ db, args, now }) {
    const within = daysUpTo(now, args.days);
    return { ...within, agents: await readTrafficAgents(db, within) };
  },
});

export const trafficTools = [overview, paths, agents];

/** As many days as were asked for, today among them. */
export function daysUpTo(now: Date, count: number = LIMITS.trafficDaysDefault): Days {
  const to = quotaDay(now);
  const from = new Date(`${to}T00:00:00Z`);
  from.setUTCDate(from.getUTCDate() - (count - 1));
  return { from: from.toISOString().slice(0, 10), to };
}
