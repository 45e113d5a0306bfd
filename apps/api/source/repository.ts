/** Where the source lives publicly, when the owner says so: `XRAY_SOURCE_REPO` is `owner/repo` on GitHub. */
import { readEnvironment } from "../lib/env";

const OWNER_AND_REPO = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/;

/** Both null when nothing, or something that is no `owner/repo`, is named. */
export function repository(
  named = readEnvironment("XRAY_SOURCE_REPO"),
): { repo: string; repoUrl: string } | { repo: null; repoUrl: null } {
  if (named === undefined || !OWNER_AND_REPO.test(named)) return { repo: null, repoUrl: null };
  return { repo: named, repoUrl: `https://github.com/${named}` };
}
