-- 022_imagegen_config: one row is one service that draws pictures (§11.1). Its key is its own, sealed as those of
-- llm_config are and bound to this table and the row's name. image_size is sent where the style has a place for it; NULL
-- leaves the size to the service. A limit of 0 is no limit (§8).
CREATE TABLE imagegen_config (
  provider TEXT PRIMARY KEY CHECK (provider ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  base_url TEXT NOT NULL CHECK (char_length(base_url) <= 512),
  -- nonce(12), one byte of key at least, tag(16)
  api_key_enc BYTEA NOT NULL CHECK (octet_length(api_key_enc) > 28),
  api_key_hint TEXT NOT NULL,
  model_id TEXT NOT NULL CHECK (char_length(model_id) BETWEEN 1 AND 128),
  api_style TEXT NOT NULL DEFAULT 'images' CHECK (api_style IN ('images', 'chat')),
  image_size TEXT CHECK (image_size ~ '^(auto|\d{3,4}x\d{3,4})$'),
  total_timeout_ms INTEGER NOT NULL DEFAULT 180000 CHECK (total_timeout_ms BETWEEN 10000 AND 300000),
  idle_timeout_ms INTEGER NOT NULL DEFAULT 30000 CHECK (idle_timeout_ms BETWEEN 5000 AND 120000),
  daily_image_limit INTEGER NOT NULL DEFAULT 0 CHECK (daily_image_limit >= 0),
  is_default BOOLEAN NOT NULL DEFAULT FALSE,
  updated_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  CONSTRAINT picture_idles_within_total CHECK (idle_timeout_ms <= total_timeout_ms)
);
CREATE UNIQUE INDEX imagegen_config_one_default ON imagegen_config (is_default) WHERE is_default;

GRANT SELECT ON imagegen_config TO config_ro;
GRANT SELECT, INSERT, UPDATE, DELETE ON imagegen_config TO admin_rw;
