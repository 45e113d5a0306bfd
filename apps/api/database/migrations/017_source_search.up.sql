-- 017_source_search: the text of a source file in small letters, so that a search folds no case while it looks. Stored
-- uncompressed: a search reads all of it, and unpacking would cost more than looking. Written by the server alone.
ALTER TABLE source_files
  ADD COLUMN folded TEXT STORAGE EXTERNAL GENERATED ALWAYS AS (lower(content)) STORED;
