/** What one visitor and one network may do. Counted in memory: these tools set the rules and show nobody's use. */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import { revised } from "../../stores/revision";
import {
  effectiveLimits,
  readVisitorLimits,
  VISITOR_LIMITS,
  type VisitorLimit,
  type VisitorLimitsRow,
  writeVisitorLimits,
} from "../../stores/visitor-limits";
import { changed, defineTool, expectedRevision, revision } from "../define-tool";
import { patchOf } from "../partial-update";

const eachLimit = <Shape>(shape: Shape) =>
  Object.fromEntries(VISITOR_LIMITS.map((name) => [name, shape])) as Record<VisitorLimit, Shape>;

const visitorLimits = z.object({
  ...eachLimit(z.int()),
  changedFromDefault: z.array(z.string()).describe("Limits that the owner has set."),
  revision,
});

const fields = eachLimit(z.int().min(0).max(LIMITS.visitorLimitMost).nullable().optional());

/** What holds, and which of it is not the program's. */
function shown({ revision, ...row }: VisitorLimitsRow & { revision: string }) {
  const changedFromDefault = VISITOR_LIMITS.filter((name) => row[name] !== null);
  return { ...effectiveLimits(row), changedFromDefault, revision };
}

const get = defineTool({
  name: "visitor_limits_get",
  title: "Read the limits of a visitor",
  description:
    "What one visitor and one network (/24, /48) may do: visitorLimits (turns and sessions per hour, turns at once, for each of the two; 0 is no limit; changedFromDefault; revision).",
  effect: "read",
  input: z.strictObject({}),
  output: z.object({ visitorLimits }),
  async run({ db }) {
    return { visitorLimits: shown(revised(await readVisitorLimits(db))) };
  },
});

const set = defineTool({
  name: "visitor_limits_set",
  title: "Set the limits of a visitor",
  description:
    "Changes the given limits of one visitor or one network, for every message from a second later on. 0 is no limit, null the default. Returns visitorLimits and changed.",
  effect: "set",
  input: z.strictObject({ ...fields, expectedRevision }),
  output: z.object({ visitorLimits, changed }),
  summary: (args) =>
    VISITOR_LIMITS.flatMap((name) => (args[name] === undefined ? [] : [`${name} ${args[name] ?? "default"}`])).join(
      ", ",
    ),
  async run({ db, args }) {
    const { row, changed } = await writeVisitorLimits(db, {
      ...patchOf(args, fields),
      expectedRevision: args.expectedRevision,
    });
    return { visitorLimits: shown(row), changed };
  },
});

export const visitorLimitsTools = [get, set];
