-- 011_notes_assets: one row is one picture of a series. Never SVG, which could run script on our own origin (§16.3).
-- Tools cannot read it: pictures have no place in a model's context.
CREATE TABLE notes_assets (
  series_slug TEXT NOT NULL REFERENCES notes_series ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,95}$'),
  content_type TEXT NOT NULL CHECK (content_type IN ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
  bytes BYTEA NOT NULL,
  byte_size INTEGER NOT NULL CHECK (byte_size BETWEEN 1 AND 4194304),
  etag TEXT NOT NULL,
  PRIMARY KEY (series_slug, name),
  CONSTRAINT size_of_bytes CHECK (byte_size = octet_length(bytes))
);

GRANT SELECT ON notes_assets TO content_ro;
GRANT SELECT, INSERT, UPDATE, DELETE ON notes_assets TO admin_rw;
