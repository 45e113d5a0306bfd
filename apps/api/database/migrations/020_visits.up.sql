-- 020_visits: page views (§22). One row is one page on one day for one visitor of that day: a hash that is another
-- tomorrow and leads back to nobody. Every column is a value of a closed set that the server derived; path is '/*'
-- where the site has no such page. No agent role reads any of it.
CREATE TABLE visits (
  day DATE NOT NULL,
  path TEXT NOT NULL CHECK (char_length(path) BETWEEN 1 AND 256),
  visitor TEXT NOT NULL CHECK (visitor ~ '^[0-9a-f]{32}$'),
  ua TEXT NOT NULL CHECK (ua ~ '^(Bot|Edge|Opera|Firefox|Chrome|Safari|Other)/(Android|iOS|Windows|macOS|Linux|Other)$'),
  hits BIGINT NOT NULL CHECK (hits > 0),
  first_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  last_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  PRIMARY KEY (day, path, visitor)
);

GRANT INSERT, SELECT (day, path, visitor, hits), UPDATE (hits, last_at) ON visits TO metrics_w;
-- Whether a page exists, and no word of what it says.
GRANT SELECT (slug) ON notes_series TO metrics_w;
GRANT SELECT (series_slug, slug) ON notes_chapters TO metrics_w;
GRANT SELECT (name) ON skills TO metrics_w;
GRANT SELECT ON visits TO admin_rw;
GRANT SELECT (day, path, visitor), DELETE ON visits TO purge;
