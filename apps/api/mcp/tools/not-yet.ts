/** What owners will look for and this version does not do: each tool says so, and what counts in its place. */
import { z } from "zod";
import { defineTool } from "../define-tool";

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

export const notYetTools = [backup];
