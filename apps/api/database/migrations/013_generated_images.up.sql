-- 013_generated_images: one row is one picture the agent made in a session; it lives and dies with it (§11.1). The tool
-- may append and not even read back: ids are made by the caller. Its foreign-key check runs as the tables' owner.
CREATE TABLE generated_images (
  id UUID PRIMARY KEY,
  session_id UUID NOT NULL REFERENCES sessions ON DELETE CASCADE,
  content_type TEXT NOT NULL CHECK (content_type IN ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
  bytes BYTEA NOT NULL,
  byte_size INTEGER NOT NULL CHECK (byte_size > 0 AND byte_size <= 8388608),
  etag TEXT NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  CONSTRAINT size_of_image CHECK (byte_size = octet_length(bytes))
);
CREATE INDEX generated_images_of_session ON generated_images (session_id);

GRANT INSERT ON generated_images TO agent_image;
GRANT SELECT ON generated_images TO visitor_rw;
