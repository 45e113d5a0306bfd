-- 003_sessions: one row is one conversation. A row without an owner is visible to nobody, since NULL equals nothing
-- (§6.4). The title is derived from the first message until the agent names the session, which it may do once (§7).
CREATE TABLE sessions (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  visitor_id UUID REFERENCES visitors ON DELETE CASCADE,
  title TEXT NOT NULL DEFAULT '',
  title_source TEXT NOT NULL DEFAULT 'derived' CHECK (title_source IN ('derived', 'agent')),
  total_tokens BIGINT NOT NULL DEFAULT 0 CHECK (total_tokens >= 0),
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  last_active_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX sessions_of_visitor ON sessions (visitor_id, last_active_at DESC);
CREATE INDEX sessions_last_active_at ON sessions (last_active_at);

GRANT SELECT, INSERT, UPDATE (title, total_tokens, last_active_at), DELETE ON sessions TO visitor_rw;
GRANT SELECT (id, title, title_source), UPDATE (title, title_source) ON sessions TO agent_title;
GRANT SELECT (id, visitor_id) ON sessions TO trace_ro;
GRANT SELECT (id, last_active_at), DELETE ON sessions TO purge;
