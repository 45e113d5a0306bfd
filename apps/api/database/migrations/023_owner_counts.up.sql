-- 023_owner_counts: the owner's side may count sessions, turns and their outcomes, and read what a day used (§8, §21.3).
-- By columns: no title, no text, and nothing that tells one visitor from another.
GRANT SELECT (id, created_at) ON sessions TO admin_rw;
GRANT SELECT (session_id, seq, role, outcome, created_at) ON messages TO admin_rw;
GRANT SELECT ON daily_quota TO admin_rw;
