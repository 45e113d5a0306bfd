-- 002_visitors: one row is one browser, known by the SHA-256 of its cookie. The cookie itself is never stored, and the
-- row counts only while expires_at lies ahead (§6.1).
CREATE TABLE visitors (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  token_hash TEXT NOT NULL UNIQUE CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  last_seen_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX visitors_expires_at ON visitors (expires_at);

GRANT SELECT, INSERT, UPDATE (last_seen_at, expires_at) ON visitors TO visitor_rw;
GRANT SELECT (id, token_hash, expires_at) ON visitors TO trace_ro;
GRANT SELECT (id, expires_at), DELETE ON visitors TO purge;
