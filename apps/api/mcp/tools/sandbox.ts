/** What scripts of skills may take (§13.2, §21.3). How they are confined is the runner's, and nothing here loosens it. */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import { readSandboxConfig, writeSandboxConfig } from "../../stores/sandbox-config";
import { revised } from "../../stores/revision";
import { changed, defineTool, expectedRevision, revision } from "../define-tool";
import { patchOf } from "../partial-update";

const sandbox = z.object({ dailyRunLimit: z.int(), totalTimeoutMs: z.int(), revision });

const fields = {
  dailyRunLimit: z.int().min(0).max(LIMITS.dailyCalls).optional().describe("Of all visitors together; 0 is no limit."),
  totalTimeoutMs: z
    .int()
    .min(LIMITS.scriptTimeoutMinMs)
    .max(LIMITS.scriptTimeoutMaxMs)
    .optional()
    .describe("One run, its wait in the queue included."),
};

const get = defineTool({
  name: "sandbox_config_get",
  title: "Read the bounds of script runs",
  description:
    "What scripts of skills may take: sandbox (dailyRunLimit: runs a day of all visitors, 0 is no limit; totalTimeoutMs: one run with its wait; revision).",
  effect: "read",
  input: z.strictObject({}),
  output: z.object({ sandbox }),
  async run({ db }) {
    return { sandbox: revised(await readSandboxConfig(db)) };
  },
});

const set = defineTool({
  name: "sandbox_config_set",
  title: "Set the bounds of script runs",
  description:
    "Changes the given bounds of script runs, from the next message of each visitor on. Returns sandbox (dailyRunLimit, totalTimeoutMs, revision) and changed.",
  effect: "set",
  input: z.strictObject({ ...fields, expectedRevision }),
  output: z.object({ sandbox, changed }),
  summary: ({ dailyRunLimit, totalTimeoutMs }) =>
    [
      ...(dailyRunLimit === undefined ? [] : [`dailyRunLimit ${dailyRunLimit}`]),
      ...(totalTimeoutMs === undefined ? [] : [`totalTimeoutMs ${totalTimeoutMs}`]),
    ].join(", "),
  async run({ db, args }) {
    const written = await writeSandboxConfig(db, {
      ...patchOf(args, fields),
      expectedRevision: args.expectedRevision,
    });
    return { sandbox: written.row, changed: written.changed };
  },
});

export const sandboxTools = [get, set];
