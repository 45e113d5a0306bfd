-- 019_mcp_audit: one row is one write over the admin endpoint, one refused write, or refused attempts to get in (§21.2).
-- Fixed words, names and counts only: never a text, a key or a file of the owner's. remote is the caller's own address.
CREATE TABLE mcp_audit (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  outcome TEXT NOT NULL CHECK (outcome IN ('ok', 'denied', 'error')),
  method TEXT NOT NULL CHECK (char_length(method) <= 64),
  tool TEXT CHECK (char_length(tool) <= 64),
  principal TEXT CHECK (char_length(principal) <= 32),
  summary TEXT NOT NULL CHECK (char_length(summary) <= 500),
  remote TEXT NOT NULL CHECK (char_length(remote) <= 64),
  detail JSONB
);
CREATE INDEX mcp_audit_at ON mcp_audit (at);

GRANT SELECT, INSERT ON mcp_audit TO admin_rw;
GRANT SELECT (id, at), DELETE ON mcp_audit TO purge;
GRANT INSERT ON mcp_audit TO purge;
