/**
 * Shows visitors the source that a new site runs from: its clone's last commit, published over the admin endpoint as an
 * owner would. What `up` published it replaces when the clone has moved on; what the owner published stays, since a
 * release's commit is theirs to choose. Uncommitted work is not part of a commit, so it is never shown.
 */
import { readJson, writeJson } from "./files.mts";
import { commitName } from "./git-objects.mts";
import type { AdminSite } from "./mcp-client.mts";
import { publishSource } from "./publish-source.mts";

export interface SeedSourceInput {
  site: AdminSite;
  /** The clone. */
  root: string;
  /** The file that says which commit was published from here. */
  ledger: string;
}

/** Says what is shown now, in a few words. Throws a `Refusal` when the commit could not be published. */
export async function seedSource({ site, root, ledger }: SeedSourceInput): Promise<string> {
  const sha = await commitName(root);
  if (sha === null) return "none: this folder is no clone";
  const snapshots = await site.list<{ sha: string; status: string }>("source_snapshots_list", "snapshots");
  const shown = snapshots.find(({ status }) => status === "current")?.sha;
  if (shown === sha) return short(sha);
  if (shown !== undefined && shown !== readJson<{ published?: string }>(ledger)?.published) {
    return `${short(shown)}, as its owner published it`;
  }
  const { files } = await publishSource(site, root, sha);
  writeJson(ledger, { published: sha });
  return `${short(sha)}, ${files} files`;
}

function short(sha: string): string {
  return sha.slice(0, 7);
}
