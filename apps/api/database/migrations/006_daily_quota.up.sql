-- 006_daily_quota: one row is what strangers used on one civil day in Asia/Shanghai (§8). Money is micro-USD.
CREATE TABLE daily_quota (
  day DATE PRIMARY KEY,
  tokens BIGINT NOT NULL DEFAULT 0 CHECK (tokens >= 0),
  cost_micros BIGINT NOT NULL DEFAULT 0 CHECK (cost_micros >= 0),
  turns BIGINT NOT NULL DEFAULT 0 CHECK (turns >= 0),
  searches BIGINT NOT NULL DEFAULT 0 CHECK (searches >= 0),
  images BIGINT NOT NULL DEFAULT 0 CHECK (images >= 0),
  skill_runs BIGINT NOT NULL DEFAULT 0 CHECK (skill_runs >= 0)
);

GRANT SELECT, INSERT, UPDATE ON daily_quota TO visitor_rw;
GRANT SELECT (day), DELETE ON daily_quota TO purge;
