/**
 * What the command line says when it cannot go on: one sentence, and what to do about it. Every failure a person can
 * cause or cure is a `Refusal`; `refusalOf` turns the system errors that can surface anywhere into one.
 */
export class Refusal extends Error {
  constructor(
    readonly sentence: string,
    readonly remedy = "",
    readonly exitCode = 1,
  ) {
    super(sentence);
    this.name = "Refusal";
  }
}

/** Wrong words on the command line; exit code 2. */
export class UsageError extends Refusal {
  constructor(sentence: string, remedy = "") {
    super(sentence, remedy, 2);
    this.name = "UsageError";
  }
}

/** The sentence for any thrown value. `doing` names the step, as in "starting the database". */
export function refusalOf(error: unknown, doing = ""): Refusal {
  if (error instanceof Refusal) return error;
  const while_ = doing ? ` while ${doing}` : "";
  const { code, path, message } = facts(error);
  const at = path ? ` (${path})` : "";
  switch (code) {
    case "ENOSPC":
      return new Refusal(`The disk is full${while_}${at}.`, "Free some space, then run this again.");
    case "EACCES":
    case "EPERM":
      return new Refusal(
        `No permission${while_}${at}.`,
        "Run it as the user who owns that (an earlier run as root may have made it), or set XRAY_HOME to a folder of yours.",
      );
    case "EROFS":
      return new Refusal(
        `The file system is read-only${while_}${at}.`,
        "Set XRAY_HOME to a folder that can be written.",
      );
    case "EADDRINUSE":
      return new Refusal(`A port is taken${while_}.`, "Choose another one with --port.");
    case "EMFILE":
    case "ENFILE":
      return new Refusal(`Too many open files${while_}.`, "Raise the limit (ulimit -n 4096), then run this again.");
    case "ENOMEM":
      return new Refusal(`Not enough memory${while_}.`, "Close something large, then run this again.");
    default:
      return new Refusal(`Failed${while_}: ${message}`);
  }
}

function facts(error: unknown): { code: string; path: string; message: string } {
  const e = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
  const message = error instanceof Error ? error.message : String(error);
  // Errors of children and drivers often carry the system's code in their text only.
  const code =
    typeof e.code === "string" && e.code.startsWith("E") ? e.code : (message.match(/\b(ENOSPC|EROFS)\b/)?.[1] ?? "");
  // 53100 is Postgres's disk_full.
  const isFull =
    [e.code, e.sqlState].includes("53100") ||
    /No space left on device|could not (?:write|extend) .*space/i.test(message);
  return { code: isFull ? "ENOSPC" : code, path: typeof e.path === "string" ? e.path : "", message };
}
