-- 018_notes_search: a chapter's text in small letters, for the same reason as that of a source file.
ALTER TABLE notes_chapters
  ADD COLUMN folded TEXT STORAGE EXTERNAL GENERATED ALWAYS AS (lower(content_md)) STORED;
