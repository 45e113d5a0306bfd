-- 004_messages: one row is one message. A visitor's message has an even seq and its reply the seq after it, so that a
-- reply can be written twice without being there twice (§4.3). Rows are never updated; a message is deleted only when
-- its turn could not start. The payload describes the turn's tool calls and exists only when there were any (§4.4).
CREATE TABLE messages (
  session_id UUID NOT NULL REFERENCES sessions ON DELETE CASCADE,
  seq INTEGER NOT NULL CHECK (seq >= 0),
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
  content TEXT NOT NULL,
  outcome TEXT CHECK (outcome IN ('completed', 'stopped', 'failed', 'interrupted')),
  payload JSONB CHECK (jsonb_typeof(payload) = 'object'),
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  PRIMARY KEY (session_id, seq),
  CONSTRAINT question_is_even CHECK (role <> 'user' OR seq % 2 = 0),
  CONSTRAINT reply_is_odd CHECK (role <> 'assistant' OR seq % 2 = 1),
  CONSTRAINT only_replies_have_outcomes CHECK ((role = 'assistant') = (outcome IS NOT NULL)),
  CONSTRAINT only_replies_have_payloads CHECK (role = 'assistant' OR payload IS NULL)
);

GRANT SELECT, INSERT, DELETE ON messages TO visitor_rw;
