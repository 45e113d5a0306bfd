-- 015_about: what the owner says of themselves and the site (§17). One row or none; each list is JSON as the page shows
-- it, its items bounded where they are written.
CREATE TABLE about_content (
  id BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (id),
  github_user TEXT NOT NULL DEFAULT '' CHECK (char_length(github_user) <= 39),
  origin_url TEXT NOT NULL DEFAULT '' CHECK (char_length(origin_url) <= 512),
  intro TEXT NOT NULL DEFAULT '' CHECK (char_length(intro) <= 1024),
  build_points JSONB NOT NULL DEFAULT '[]',
  repos JSONB NOT NULL DEFAULT '[]',
  lang_bar JSONB NOT NULL DEFAULT '[]',
  updated_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  CONSTRAINT lists_are_short CHECK (
    jsonb_typeof(build_points) = 'array' AND jsonb_array_length(build_points) <= 32
    AND jsonb_typeof(repos) = 'array' AND jsonb_array_length(repos) <= 24
    AND jsonb_typeof(lang_bar) = 'array' AND jsonb_array_length(lang_bar) <= 12)
);

GRANT SELECT ON about_content TO content_ro;
GRANT SELECT, INSERT, UPDATE, DELETE ON about_content TO admin_rw;
