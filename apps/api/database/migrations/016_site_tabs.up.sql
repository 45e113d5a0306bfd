-- 016_site_tabs: whether the navigation shows a page (§18). Navigation only: the data of a hidden page stays public. A
-- page without a row is shown; a row of a page that the code does not know shows nothing.
CREATE TABLE site_tab_config (
  key TEXT PRIMARY KEY CHECK (key ~ '^[a-z][a-z0-9_]{0,31}$'),
  visible BOOLEAN NOT NULL DEFAULT TRUE,
  updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

INSERT INTO site_tab_config (key) VALUES ('runtime'), ('notes'), ('skills'), ('source'), ('about');

GRANT SELECT ON site_tab_config TO content_ro;
GRANT SELECT, INSERT, UPDATE, DELETE ON site_tab_config TO admin_rw;
