-- When a model was last asked for the summary of a session, and how many messages it had then: it is asked again only
-- after the session has grown.
create table transcripts.model_summaries (
  session_no bigint primary key references transcripts.sessions on delete cascade,
  messages integer not null,
  -- Failures since the last summary.
  failures integer not null,
  asked_at timestamptz not null default now()
);
