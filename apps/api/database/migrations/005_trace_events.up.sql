-- 005_trace_events: one row is one sanitised kernel event; seq counts 0, 1, 2 within a session. turn_seq is the seq of
-- the visitor's message whose turn it belongs to. Rows are never updated. data is JSON and not JSONB, which would put
-- the properties into another order: what is replayed must be what was streamed, byte for byte.
CREATE TABLE trace_events (
  session_id UUID NOT NULL REFERENCES sessions ON DELETE CASCADE,
  seq INTEGER NOT NULL CHECK (seq >= 0),
  turn_seq INTEGER CHECK (turn_seq >= 0),
  event_type TEXT NOT NULL CHECK (event_type <> ''),
  mode TEXT NOT NULL CHECK (mode IN ('notify', 'veto', 'chain', 'takeover')),
  ts TIMESTAMPTZ NOT NULL,
  data JSON NOT NULL CHECK (json_typeof(data) = 'object'),
  PRIMARY KEY (session_id, seq)
);

GRANT SELECT, INSERT ON trace_events TO visitor_rw;
GRANT SELECT ON trace_events TO trace_ro;
