-- 014_skills: the skills library (§12.1). A category holds skills; a skill is a pack of text files, and its archive as it
-- was built from them. content_hash names the pack: which files, in which order, with which bytes. Tools read none of it.
CREATE TABLE skills_categories (
  slug TEXT PRIMARY KEY CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  name TEXT NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
  dot TEXT NOT NULL CHECK (dot ~ '^#[0-9A-Fa-f]{6}$'),
  sort_order INTEGER NOT NULL DEFAULT 0 CHECK (sort_order BETWEEN 0 AND 9999)
);

CREATE TABLE skills (
  name TEXT PRIMARY KEY CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  category_slug TEXT NOT NULL REFERENCES skills_categories,
  summary TEXT NOT NULL CHECK (char_length(summary) BETWEEN 1 AND 512),
  source_type TEXT NOT NULL CHECK (source_type IN ('own', 'curated')),
  repo TEXT NOT NULL CHECK (repo = '' OR repo ~ '^[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}$'),
  repo_url TEXT CHECK (char_length(repo_url) <= 512),
  version TEXT NOT NULL DEFAULT '' CHECK (char_length(version) <= 32),
  sort_order INTEGER NOT NULL DEFAULT 0 CHECK (sort_order BETWEEN 0 AND 9999),
  zip BYTEA NOT NULL,
  zip_size INTEGER NOT NULL,
  content_hash TEXT NOT NULL CHECK (content_hash ~ '^[0-9a-f]{64}$'),
  agent_enabled BOOLEAN NOT NULL DEFAULT FALSE,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  updated_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  CONSTRAINT size_of_zip CHECK (zip_size = octet_length(zip))
);
CREATE INDEX skills_of_category ON skills (category_slug);

CREATE TABLE skill_files (
  skill_name TEXT NOT NULL REFERENCES skills ON DELETE CASCADE,
  path TEXT NOT NULL CHECK (char_length(path) BETWEEN 1 AND 300),
  kind TEXT NOT NULL CHECK (kind IN ('markdown', 'python', 'shell', 'typescript', 'javascript', 'json', 'yaml', 'toml',
                                     'text')),
  content TEXT NOT NULL,
  sha256 TEXT NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes INTEGER NOT NULL CHECK (size_bytes BETWEEN 0 AND 262144),
  line_count INTEGER NOT NULL CHECK (line_count >= 0),
  sort_order INTEGER NOT NULL CHECK (sort_order >= 0),
  PRIMARY KEY (skill_name, path),
  CONSTRAINT size_of_content CHECK (octet_length(content) = size_bytes)
);
-- An archive is unpacked on disks that do not tell `A.md` from `a.md`.
CREATE UNIQUE INDEX skill_files_one_spelling ON skill_files (skill_name, lower(path));

GRANT SELECT ON skills_categories, skills, skill_files TO content_ro;
GRANT SELECT, INSERT, UPDATE, DELETE ON skills_categories, skills, skill_files TO admin_rw;
