-- 024_visitor_limits: the single row that bounds one visitor and one network (architecture §14, Rate limit). NULL is the
-- program's default, 0 is no limit. It holds rules only: what anybody has used is counted in memory and never stored.
CREATE TABLE visitor_limits (
  id INTEGER PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  visitor_turns_per_hour INTEGER CHECK (visitor_turns_per_hour >= 0),
  visitor_sessions_per_hour INTEGER CHECK (visitor_sessions_per_hour >= 0),
  visitor_turns_at_once INTEGER CHECK (visitor_turns_at_once >= 0),
  network_turns_per_hour INTEGER CHECK (network_turns_per_hour >= 0),
  network_sessions_per_hour INTEGER CHECK (network_sessions_per_hour >= 0),
  network_turns_at_once INTEGER CHECK (network_turns_at_once >= 0),
  updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

INSERT INTO visitor_limits DEFAULT VALUES;

GRANT SELECT ON visitor_limits TO config_ro;
GRANT SELECT, UPDATE ON visitor_limits TO admin_rw;

-- A visitor is deleted only after its last session (§20): the purge has to see whose a session is.
GRANT SELECT (visitor_id) ON sessions TO purge;
