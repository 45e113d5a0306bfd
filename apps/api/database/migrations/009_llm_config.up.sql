-- 009_llm_config: one row is one model provider. The key is AES-256-GCM, bound to this table and the row's name (§23);
-- the hint is all that is ever shown of it. models lists [{id, contextWindow, maxOutput, price}], prices in micro-USD
-- per million tokens. A limit of 0 is no limit (§8).
CREATE TABLE llm_config (
  provider TEXT PRIMARY KEY CHECK (provider ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  api TEXT NOT NULL DEFAULT 'openai-completions' CHECK (api ~ '^[a-z][a-z0-9-]{0,63}$'),
  base_url TEXT NOT NULL CHECK (char_length(base_url) <= 512),
  -- nonce(12), one byte of key at least, tag(16)
  api_key_enc BYTEA NOT NULL CHECK (octet_length(api_key_enc) > 28),
  api_key_hint TEXT NOT NULL,
  model_id TEXT NOT NULL CHECK (char_length(model_id) BETWEEN 1 AND 128),
  models JSONB CHECK (jsonb_typeof(models) = 'array'),
  is_default BOOLEAN NOT NULL DEFAULT FALSE,
  daily_token_limit BIGINT NOT NULL DEFAULT 0 CHECK (daily_token_limit >= 0),
  daily_cost_limit_cents INTEGER NOT NULL DEFAULT 0 CHECK (daily_cost_limit_cents >= 0),
  max_turns_per_session INTEGER NOT NULL DEFAULT 0 CHECK (max_turns_per_session >= 0),
  updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX llm_config_one_default ON llm_config (is_default) WHERE is_default;

GRANT SELECT ON llm_config TO config_ro;
GRANT SELECT, INSERT, UPDATE, DELETE ON llm_config TO admin_rw;
