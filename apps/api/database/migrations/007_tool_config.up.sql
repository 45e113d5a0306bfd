-- 007_tool_config: one row is the switch of one tool. A name without an implementation in code switches nothing, and
-- dangerous can add a tool to the gate but never take one out (§2.2).
CREATE TABLE tool_config (
  name TEXT PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9_]{0,63}$'),
  enabled BOOLEAN NOT NULL,
  dangerous BOOLEAN NOT NULL DEFAULT FALSE,
  note TEXT CHECK (char_length(note) <= 256),
  updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

INSERT INTO tool_config (name, enabled, dangerous) VALUES
  ('notes_list_series', TRUE, FALSE),
  ('notes_get_chapter', TRUE, FALSE),
  ('notes_search', TRUE, FALSE),
  ('session_rename', TRUE, FALSE),
  ('source_list', TRUE, FALSE),
  ('source_read', TRUE, FALSE),
  ('source_search', TRUE, FALSE),
  ('web_search', FALSE, FALSE),
  ('generate_image', FALSE, FALSE),
  ('skill_load', FALSE, FALSE),
  ('skill_run', FALSE, TRUE);

GRANT SELECT ON tool_config TO config_ro;
GRANT SELECT, INSERT, UPDATE, DELETE ON tool_config TO admin_rw;
