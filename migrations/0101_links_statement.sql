-- Whose key a watcher works with: spend past the gateway is shown by person.
alter table transcripts.watchers add column user_id uuid;

-- The statement has two sides: what the usage log has, and what transcripts have and the log has not.

-- The usage log by quarter of an hour, which no time zone divides; each request is in one row. Those of a session, with
-- its subagents, are counted whole under the session that is at the top; all others have none. So the sums of an hour
-- are those of the log exactly when everything in it has been counted.
create table links.statement_gateway (
  group_id uuid not null references access.groups on delete cascade,
  session_id uuid references transcripts.sessions (id) on delete cascade,
  quarter timestamptz(3) not null,
  person uuid,
  part text not null
    check (part in ('in_both', 'side_calls', 'failed', 'no_transcript', 'no_session', 'own_work')),
  requests bigint not null,
  cost numeric not null
);
create index statement_gateway_in_order on links.statement_gateway (group_id, quarter);
create index statement_gateway_by_session on links.statement_gateway (session_id) where session_id is not null;

-- Responses in transcripts that no request of the log accounts for.
create table links.statement_transcripts (
  group_id uuid not null references access.groups on delete cascade,
  session_id uuid not null references transcripts.sessions (id) on delete cascade,
  quarter timestamptz(3) not null,
  -- Whose keys most requests of the session carry; null where it has none.
  person uuid,
  model text not null,
  responses bigint not null,
  input_tokens bigint not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  output_tokens bigint not null
);
create index statement_transcripts_in_order on links.statement_transcripts (group_id, quarter);
create index statement_transcripts_by_session on links.statement_transcripts (session_id);

-- Requests without the ID of a session that were found to be a session's, by their tokens and their time.
create table links.statement_claims (
  group_id uuid not null references access.groups on delete cascade,
  request_id uuid not null,
  session_id uuid not null references transcripts.sessions (id) on delete cascade,
  primary key (group_id, request_id)
);
create index statement_claims_by_session on links.statement_claims (session_id);

-- As src/kernel/uuid has it.
create function links.lowest_id(at timestamptz) returns uuid language sql immutable parallel safe
  return rpad(lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
create function links.uuid_in(name text) returns uuid language sql immutable parallel safe
  return case when name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then name::uuid end;

create or replace view links.requests as
  select id, group_id, api_key_id, session_key, subagent_key, started_at, model, endpoint, user_label,
    coalesce(input_cost + output_cost, input_cost, output_cost, 0) as cost,
    ended_at, status_code, prompt_tokens, completion_tokens
  from usage.usage_logs;
create view links.ledger_hours as
  select group_id, hour, requests, coalesce(input_cost, 0) + coalesce(output_cost, 0) as cost from usage.hourly;
create view links.responses as
  select s.id as session_id, coalesce(u.created_at, s.started_at, s.created_at) as at, u.model, u.input_tokens,
    u.cached_tokens, u.cache_write_tokens, u.output_tokens
  from transcripts.usage u join transcripts.sessions s on s.no = u.session_no
  where u.input_tokens + u.output_tokens > 0;
create view links.watchers as
  select g.group_id, w.machine, w.user_id
  from transcripts.watchers w join transcripts.groups g on g.no = w.group_no;
