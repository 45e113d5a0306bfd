/**
 * The published commit as readers see it (§15.3): the current snapshot and nothing else, however many are being
 * uploaded. Each function is one statement, so no commit can come between two halves of what it returns. The pages read
 * under `content_ro`, the agent's tools under `agent_ro`; whoever calls says which.
 */
import type { SourceEntry, SourceFile, SourceHits } from "../../../shared/contracts/source";
import { LIMITS } from "../../../shared/limits";
import type { Database } from "../database/pool";

export type SourceReader = "agent_ro" | "content_ro";

export interface SourceListing {
  sha: string;
  publishedAt: string;
  fileCount: number;
  totalBytes: number;
  /** By path. */
  files: SourceEntry[];
}

/** The snapshot with those of its files whose path begins with `prefix`; null when nothing is published. */
export async function listSource(db: Database, reader: SourceReader, prefix = ""): Promise<SourceListing | null> {
  const [found] = await db.queryAs<SourceListing>(
    reader,
    `SELECT s.sha, s.published_at AS "publishedAt", s.file_count AS "fileCount", s.total_bytes AS "totalBytes",
       coalesce((
         SELECT json_agg(json_build_object('path', path, 'kind', kind, 'bytes', bytes, 'lines', lines)
           ORDER BY path COLLATE "C")
         FROM source_files WHERE sha = s.sha AND starts_with(path, $1)
       ), '[]') AS files
     FROM source_snapshots s WHERE s.status = 'current'`,
    [prefix],
  );
  return found ?? null;
}

/** One file with its text; null when it is not in the published commit, or nothing is published. */
export async function readSourceFile(db: Database, reader: SourceReader, path: string): Promise<SourceFile | null> {
  const [found] = await db.queryAs<SourceFile>(
    reader,
    `SELECT sha, path, kind, bytes, lines, content FROM source_files JOIN source_snapshots USING (sha)
     WHERE status = 'current' AND path = $1`,
    [path],
  );
  return found ?? null;
}

/**
 * Lines that hold `query` as it stands, letter case aside, in files whose path begins with `prefix`: by path, then by
 * line, at most `sourceSearchHits`. Of a long line, the part around the query. Null when nothing is published.
 */
export async function searchSource(
  db: Database,
  reader: SourceReader,
  query: string,
  prefix = "",
): Promise<SourceHits | null> {
  // A file that holds the query has at least one line with it, unless the query spans lines: as many files as hits are
  // enough, and in the order of the primary key the search ends when it has them. One hit more than is returned tells
  // whether there are more (O5).
  const rows = await db.queryAs<{ path: string | null; line: number; text: string }>(
    reader,
    `WITH published AS (SELECT sha FROM source_snapshots WHERE status = 'current'),
       files AS MATERIALIZED (
         SELECT path, content, folded FROM source_files
         WHERE sha = (SELECT sha FROM published) AND starts_with(path, $2) AND strpos(folded, lower($1)) > 0
         ORDER BY path LIMIT $3
       ),
       hits AS (
         SELECT path, line, CASE WHEN length(text) <= $4 THEN text
           ELSE substr(text, greatest(1, strpos(folded_line, lower($1)) - $4 / 3), $4) END AS text
         FROM files, ROWS FROM (string_to_table(content, E'\\n'), string_to_table(folded, E'\\n')) WITH ORDINALITY
           AS lines (text, folded_line, line)
         WHERE strpos(folded_line, lower($1)) > 0
         ORDER BY path, line LIMIT $3
       )
     SELECT path, line, text FROM published LEFT JOIN hits ON TRUE ORDER BY path, line`,
    [query, prefix, LIMITS.sourceSearchHits + 1, LIMITS.sourceHitChars],
  );
  if (rows.length === 0) return null;
  const hits = rows.flatMap(({ path, line, text }) => (path === null ? [] : [{ path, line, text }]));
  return { hits: hits.slice(0, LIMITS.sourceSearchHits), more: hits.length > LIMITS.sourceSearchHits };
}
