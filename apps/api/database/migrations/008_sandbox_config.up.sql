-- 008_sandbox_config: the single row that bounds script runs (§13.2). A daily limit of 0 is no limit.
CREATE TABLE sandbox_config (
  id INTEGER PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  daily_run_limit INTEGER NOT NULL DEFAULT 0 CHECK (daily_run_limit >= 0),
  total_timeout_ms INTEGER NOT NULL DEFAULT 30000 CHECK (total_timeout_ms BETWEEN 5000 AND 120000),
  updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

INSERT INTO sandbox_config DEFAULT VALUES;

GRANT SELECT ON sandbox_config TO config_ro;
GRANT SELECT, INSERT, UPDATE, DELETE ON sandbox_config TO admin_rw;
