-- 012_source: the site's own repository at one commit (§15.1). Readers see only the current snapshot; one being
-- uploaded is staging, its files without content until they arrive.
CREATE TABLE source_snapshots (
  sha TEXT PRIMARY KEY CHECK (sha ~ '^[0-9a-f]{40}$'),
  status TEXT NOT NULL CHECK (status IN ('staging', 'current')),
  file_count INTEGER NOT NULL CHECK (file_count BETWEEN 1 AND 2000),
  total_bytes BIGINT NOT NULL CHECK (total_bytes >= 0),
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  published_at TIMESTAMPTZ,
  CONSTRAINT current_is_published CHECK ((status = 'current') = (published_at IS NOT NULL))
);
CREATE UNIQUE INDEX source_snapshots_one_current ON source_snapshots (status) WHERE status = 'current';

CREATE TABLE source_files (
  sha TEXT NOT NULL REFERENCES source_snapshots ON DELETE CASCADE,
  path TEXT NOT NULL CHECK (char_length(path) BETWEEN 1 AND 300),
  kind TEXT NOT NULL CHECK (kind IN ('markdown', 'typescript', 'javascript', 'python', 'shell', 'powershell', 'sql',
                                     'json', 'yaml', 'toml', 'css', 'dockerfile', 'text')),
  sha256 TEXT NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  bytes INTEGER NOT NULL CHECK (bytes BETWEEN 0 AND 262144),
  lines INTEGER NOT NULL CHECK (lines >= 0),
  content TEXT,
  PRIMARY KEY (sha, path),
  CONSTRAINT size_of_content CHECK (octet_length(content) = bytes)
);

GRANT SELECT ON source_snapshots, source_files TO agent_ro, content_ro;
GRANT SELECT, INSERT, UPDATE, DELETE ON source_snapshots, source_files TO admin_rw;
GRANT SELECT (sha, status, created_at), DELETE ON source_snapshots TO purge;
