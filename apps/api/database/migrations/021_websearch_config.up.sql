-- 021_websearch_config: one row is one service that searches the web (§10.1). Its key is its own, sealed as those of
-- llm_config are and bound to this table and the row's name. tool_type alone says which of two protocols it speaks. A
-- limit of 0 is no limit (§8).
CREATE TABLE websearch_config (
  provider TEXT PRIMARY KEY CHECK (provider ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  base_url TEXT NOT NULL CHECK (char_length(base_url) <= 512),
  -- nonce(12), one byte of key at least, tag(16)
  api_key_enc BYTEA NOT NULL CHECK (octet_length(api_key_enc) > 28),
  api_key_hint TEXT NOT NULL,
  model_id TEXT NOT NULL CHECK (char_length(model_id) BETWEEN 1 AND 128),
  tool_type TEXT NOT NULL DEFAULT 'web_search'
    CHECK (tool_type ~ '^(web_search(_\d{4}_\d{2}_\d{2})?|google_search)$'),
  total_timeout_ms INTEGER NOT NULL DEFAULT 180000 CHECK (total_timeout_ms BETWEEN 10000 AND 300000),
  idle_timeout_ms INTEGER NOT NULL DEFAULT 45000 CHECK (idle_timeout_ms BETWEEN 5000 AND 120000),
  daily_search_limit INTEGER NOT NULL DEFAULT 0 CHECK (daily_search_limit >= 0),
  is_default BOOLEAN NOT NULL DEFAULT FALSE,
  updated_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  CONSTRAINT search_idles_within_total CHECK (idle_timeout_ms <= total_timeout_ms)
);
CREATE UNIQUE INDEX websearch_config_one_default ON websearch_config (is_default) WHERE is_default;

GRANT SELECT ON websearch_config TO config_ro;
GRANT SELECT, INSERT, UPDATE, DELETE ON websearch_config TO admin_rw;
