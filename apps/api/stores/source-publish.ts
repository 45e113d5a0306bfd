/**
 * Publishing a commit in three steps (§15.3): begin with the manifest, put the files it still lacks, commit. Readers see
 * the old snapshot until the commit's one transaction has made the new one whole. Writers wait for each other, so two
 * uploads at once are two uploads one after the other; a commit ends every other upload.
 */
import { createHash } from "node:crypto";
import { LIMITS } from "../../../shared/limits";
import { kindOf, type PackRefusal, packRefusal, shownPath, textRefusal, utf8Bytes } from "../../../shared/pack-rules";
import { countLines } from "../../../shared/text/lines";
import type { Database, Tx } from "../database/pool";
import { StoreRefusal } from "./store-refusal";

/** One file of the commit, without its text. */
export interface ManifestFile {
  path: string;
  sha256: string;
  bytes: number;
  /** As `shared/text/lines.ts` counts. */
  lines: number;
}
export type SnapshotStatus = "staging" | "current";

export interface Begun {
  sha: string;
  total: number;
  /** Files whose text is here already. */
  reused: number;
  /** Paths whose text is to be put, by path. */
  missing: string[];
  /** This commit is the published one: there is nothing to do. */
  alreadyCurrent: boolean;
  status: SnapshotStatus;
}

/**
 * Starts the upload of a commit, or takes it up again: what was put before and still fits the manifest is kept, and
 * files that are the same in the published commit are copied. Throws `invalid` for a manifest that breaks a rule.
 */
export async function beginSnapshot(db: Database, sha: string, files: readonly ManifestFile[]): Promise<Begun> {
  refuseIf(packRefusal(files, "source"));
  const totalBytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return publishing(db, async (tx) => {
    if ((await statusOf(tx, sha)) === "current") {
      return { sha, total: files.length, reused: files.length, missing: [], alreadyCurrent: true, status: "current" };
    }
    await tx.query(
      `INSERT INTO source_snapshots (sha, status, file_count, total_bytes) VALUES ($1, 'staging', $2, $3)
       ON CONFLICT (sha) DO UPDATE
         SET file_count = excluded.file_count, total_bytes = excluded.total_bytes, created_at = now()`,
      [sha, files.length, totalBytes],
    );
    const manifest = JSON.stringify(files.map((file) => ({ ...file, kind: kindOf(file.path, "source") })));
    await tx.query(
      `DELETE FROM source_files f WHERE sha = $1 AND NOT EXISTS (
         SELECT FROM json_to_recordset($2::json) AS m (path text, sha256 text, bytes integer, lines integer, kind text)
         WHERE (m.path, m.sha256, m.bytes, m.lines, m.kind) = (f.path, f.sha256, f.bytes, f.lines, f.kind))`,
      [sha, manifest],
    );
    await tx.query(
      `INSERT INTO source_files (sha, path, kind, sha256, bytes, lines, content)
       SELECT $1, m.path, m.kind, m.sha256, m.bytes, m.lines, published.content
       FROM json_to_recordset($2::json) AS m (path text, sha256 text, bytes integer, lines integer, kind text)
       LEFT JOIN (SELECT f.* FROM source_files f JOIN source_snapshots s USING (sha) WHERE s.status = 'current') published
         ON (published.path, published.sha256, published.bytes, published.lines) = (m.path, m.sha256, m.bytes, m.lines)
       ON CONFLICT (sha, path) DO NOTHING`,
      [sha, manifest],
    );
    const missing = await missingPaths(tx, sha);
    const reused = files.length - missing.length;
    return { sha, total: files.length, reused, missing, alreadyCurrent: false, status: "staging" };
  });
}

export interface Put {
  sha: string;
  stored: number;
  /** Files whose text is still to be put. */
  pending: number;
}

/**
 * Stores texts of an upload, all of them or none. Throws `not_found` when no such upload is open, and `invalid`, naming
 * the path, for a file that the manifest does not have, that is here already, or that is not what the manifest says.
 */
export async function putSourceFiles(
  db: Database,
  sha: string,
  files: readonly { path: string; content: string }[],
): Promise<Put> {
  if (files.length > LIMITS.sourceBatchFiles) throw invalid(`A batch has at most ${LIMITS.sourceBatchFiles} files.`);
  const sizes = files.map(({ content }) => utf8Bytes(content));
  if (sizes.reduce((sum, bytes) => sum + bytes, 0) > LIMITS.sourceBatchBytes) {
    throw invalid(`A batch has at most ${LIMITS.sourceBatchBytes} bytes.`);
  }
  for (const { path, content } of files) refuseIf(textRefusal(path, content, "source"));
  return publishing(db, async (tx) => {
    await openUpload(tx, sha);
    const awaited = new Map(
      (
        await tx.query<ManifestFile & { here: boolean }>(
          `SELECT path, sha256, bytes, lines, content IS NOT NULL AS here FROM source_files
           WHERE sha = $1 AND path = ANY($2)`,
          [sha, files.map(({ path }) => path)],
        )
      ).map((row) => [row.path, row]),
    );
    for (const [index, { path, content }] of files.entries()) {
      const row = awaited.get(path);
      if (!row) throw invalid(`${shownPath(path)} is not in the manifest.`);
      if (row.here) throw invalid(`${shownPath(path)} is here already.`);
      const sha256 = createHash("sha256").update(content).digest("hex");
      if (row.sha256 !== sha256 || row.bytes !== sizes[index] || row.lines !== countLines(content)) {
        throw invalid(`${shownPath(path)} is not the file that the manifest describes.`);
      }
      // The same path twice in one batch.
      row.here = true;
    }
    await tx.query(
      `UPDATE source_files f SET content = put.content
       FROM unnest($2::text[], $3::text[]) AS put (path, content) WHERE f.sha = $1 AND f.path = put.path`,
      [sha, files.map(({ path }) => path), files.map(({ content }) => content)],
    );
    return { sha, stored: files.length, pending: (await missingPaths(tx, sha)).length };
  });
}

export interface Committed {
  sha: string;
  fileCount: number;
  totalBytes: number;
  publishedAt: string;
  /** The commit that was published before; null when none was. */
  replaced: string | null;
  /** This commit was published already: nothing happened. */
  unchanged: boolean;
  status: "current";
}

/**
 * Makes an upload the published commit and deletes every other snapshot, in one transaction. Throws `not_found` when no
 * such upload is open, `invalid` with the first missing path when a text has not arrived; then all is as it was.
 */
export async function commitSnapshot(db: Database, sha: string): Promise<Committed> {
  return publishing(db, async (tx) => {
    const unchanged = (await statusOf(tx, sha)) === "current";
    let replaced: string | null = null;
    if (!unchanged) {
      await openUpload(tx, sha);
      const missing = await missingPaths(tx, sha);
      if (missing.length > 0) {
        throw new StoreRefusal("invalid", {
          field: "sha",
          count: missing.length,
          reason: `Not all of its files have arrived (missing: ${missing.length}, the first ${shownPath(missing[0]!)}).`,
        });
      }
      const gone = await tx.query<{ sha: string; status: SnapshotStatus }>(
        "DELETE FROM source_snapshots WHERE sha <> $1 RETURNING sha, status",
        [sha],
      );
      replaced = gone.find(({ status }) => status === "current")?.sha ?? null;
      await tx.query("UPDATE source_snapshots SET status = 'current', published_at = now() WHERE sha = $1", [sha]);
    }
    const [row] = await tx.query<Pick<Committed, "fileCount" | "totalBytes" | "publishedAt">>(
      `SELECT file_count AS "fileCount", total_bytes AS "totalBytes", published_at AS "publishedAt"
       FROM source_snapshots WHERE sha = $1`,
      [sha],
    );
    return { sha, ...row!, replaced, unchanged, status: "current" };
  });
}

export interface SnapshotRow {
  sha: string;
  status: SnapshotStatus;
  fileCount: number;
  totalBytes: number;
  /** Files whose text has not arrived. */
  pending: number;
  createdAt: string;
  publishedAt: string | null;
}

/** Every snapshot, the published one first, then the newest upload. */
export async function listSnapshots(db: Database): Promise<SnapshotRow[]> {
  return db.queryAs<SnapshotRow>(
    "admin_rw",
    `SELECT sha, status, file_count AS "fileCount", total_bytes AS "totalBytes", created_at AS "createdAt",
       published_at AS "publishedAt",
       (SELECT count(*) FROM source_files f WHERE f.sha = s.sha AND content IS NULL) AS pending
     FROM source_snapshots s ORDER BY status = 'current' DESC, created_at DESC, sha`,
  );
}

/** Deletes an upload. Throws `not_found` when there is none, `in_use` for the published commit. */
export async function deleteSnapshot(db: Database, sha: string): Promise<void> {
  await publishing(db, async (tx) => {
    if ((await statusOf(tx, sha)) === "current") {
      throw new StoreRefusal("in_use", { field: "sha", reason: "This is the published commit." });
    }
    await openUpload(tx, sha);
    await tx.query("DELETE FROM source_snapshots WHERE sha = $1", [sha]);
  });
}

function invalid(reason: string): StoreRefusal {
  return new StoreRefusal("invalid", { field: "files", reason });
}

function refuseIf(refusal: PackRefusal | null): void {
  if (refusal) throw invalid(refusal.reason);
}

/** One writer at a time; readers are not held up. */
function publishing<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.asRole(
    "admin_rw",
    async (tx) => {
      await tx.query("LOCK TABLE source_snapshots IN SHARE ROW EXCLUSIVE MODE");
      return work(tx);
    },
    { timeoutMs: LIMITS.sourceWriteMs },
  );
}

async function statusOf(tx: Tx, sha: string): Promise<SnapshotStatus | undefined> {
  const [row] = await tx.query<{ status: SnapshotStatus }>("SELECT status FROM source_snapshots WHERE sha = $1", [sha]);
  return row?.status;
}

async function openUpload(tx: Tx, sha: string): Promise<void> {
  if ((await statusOf(tx, sha)) !== "staging") {
    throw new StoreRefusal("not_found", { field: "sha", reason: "No upload of this commit is open." });
  }
}

async function missingPaths(tx: Tx, sha: string): Promise<string[]> {
  const rows = await tx.query<{ path: string }>(
    `SELECT path FROM source_files WHERE sha = $1 AND content IS NULL ORDER BY path COLLATE "C"`,
    [sha],
  );
  return rows.map(({ path }) => path);
}
