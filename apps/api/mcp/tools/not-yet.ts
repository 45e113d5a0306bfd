/** What owners will look for and this version does not do: each tool says so, and what counts in its place. */
import { z } from "zod";
import { changed, defineTool } from "../define-tool";

const backup = defineTool({
  name: "backup_status",
  title: "See when the last backup was made",
  description:
    "Whether this site has been backed up: state (never_made: this version makes no backups itself), lastBackupAt, reason, todo (what to do instead, step by step).",
  effect: "read",
  input: z.strictObject({}),
  output: z.object({
    state: z.enum(["never_made"]),
    lastBackupAt: z.string().nullable(),
    reason: z.string(),
    todo: z.array(z.string()),
  }),
  async run() {
    return {
      state: "never_made" as const,
      lastBackupAt: null,
      reason: "This version has no backup command, so it has made none; dumps made by hand are not known here.",
      todo: [
        "Dump the database with pg_dump -Fc of the server's version, and keep the file on another machine.",
        "Leave the data of sessions, messages, trace_events, generated_images and visitors out of dumps that are kept longer than visitors were promised.",
        "Keep CONFIG_ENCRYPTION_KEY apart from the dumps: without it the providers' keys in them cannot be opened.",
        "Restore a dump into an empty database now and then: only that shows that it is one.",
      ],
    };
  },
});

const NOT_ENFORCED = {
  enforced: false,
  limits: null,
  reason:
    "Limits for a single visitor are not enforced yet. What all visitors together may spend is bounded by the limits of the providers and of script runs.",
  instead: ["llm_provider_upsert", "websearch_provider_upsert", "imagegen_provider_upsert", "sandbox_config_set"],
};
const visitorLimits = z.object({
  enforced: z.boolean(),
  limits: z.null(),
  reason: z.string(),
  instead: z.array(z.string()).describe("Tools whose limits do count today."),
});

const limitsGet = defineTool({
  name: "visitor_limits_get",
  title: "Read the limits of a visitor",
  description:
    "Limits for each single visitor. Not enforced in this version: enforced (false), limits (null), reason, instead (tools whose limits do count).",
  effect: "read",
  input: z.strictObject({}),
  output: visitorLimits,
  async run() {
    return NOT_ENFORCED;
  },
});

const limitsSet = defineTool({
  name: "visitor_limits_set",
  title: "Set the limits of a visitor",
  description:
    "Changes nothing in this version, which enforces no limits for single visitors and so takes none: changed (false), enforced (false), limits (null), reason, instead (tools whose limits do count).",
  effect: "set",
  input: z.strictObject({}),
  output: visitorLimits.extend({ changed }),
  summary: () => "not enforced yet, nothing set",
  async run() {
    return { ...NOT_ENFORCED, changed: false };
  },
});

export const notYetTools = [backup, limitsGet, limitsSet];
