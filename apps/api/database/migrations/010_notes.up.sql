-- 010_notes: the library (§16.1). A category holds series, a series holds chapters; one chapter row is one Markdown text.
-- content_hash is the SHA-256 of content_md.
CREATE TABLE notes_categories (
  slug TEXT PRIMARY KEY CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  name TEXT NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
  dot TEXT NOT NULL CHECK (dot ~ '^#[0-9A-Fa-f]{6}$'),
  sort_order INTEGER NOT NULL DEFAULT 0 CHECK (sort_order BETWEEN 0 AND 9999)
);

CREATE TABLE notes_series (
  slug TEXT PRIMARY KEY CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  category_slug TEXT NOT NULL REFERENCES notes_categories,
  name TEXT NOT NULL CHECK (char_length(name) BETWEEN 1 AND 128),
  description TEXT NOT NULL DEFAULT '' CHECK (char_length(description) <= 512),
  sort_order INTEGER NOT NULL DEFAULT 0 CHECK (sort_order BETWEEN 0 AND 9999)
);
CREATE INDEX notes_series_of_category ON notes_series (category_slug);

CREATE TABLE notes_chapters (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  series_slug TEXT NOT NULL REFERENCES notes_series ON DELETE CASCADE,
  slug TEXT NOT NULL CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
  label TEXT NOT NULL DEFAULT '' CHECK (char_length(label) <= 32),
  pinned BOOLEAN NOT NULL DEFAULT FALSE,
  title TEXT NOT NULL CHECK (char_length(title) BETWEEN 1 AND 256),
  summary TEXT NOT NULL DEFAULT '' CHECK (char_length(summary) <= 512),
  content_md TEXT NOT NULL CHECK (octet_length(content_md) <= 1048576),
  word_count INTEGER NOT NULL CHECK (word_count >= 0),
  source_url TEXT CHECK (char_length(source_url) <= 1024),
  content_hash TEXT NOT NULL CHECK (content_hash ~ '^[0-9a-f]{64}$'),
  published_at TIMESTAMPTZ NOT NULL,
  updated_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  UNIQUE (series_slug, slug)
);

GRANT SELECT ON notes_categories, notes_series, notes_chapters TO agent_ro, content_ro;
GRANT SELECT, INSERT, UPDATE, DELETE ON notes_categories, notes_series, notes_chapters TO admin_rw;
