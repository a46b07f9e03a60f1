-- Keys that a run of an agent works with. They are bound to it and end with it.
alter table access.api_keys add column run_id uuid;
alter table access.api_keys add column run_agent_id text;
alter table access.api_keys add column run_mode text;
create index api_keys_by_run on access.api_keys (run_id) where run_id is not null;

create table agents.runs (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  agent_id text not null,
  agent_version integer not null,
  request text not null,
  status text not null check (status in ('queued', 'running', 'waiting', 'completed', 'failed', 'cancelled')),
  waiting_for jsonb,
  response text,
  error jsonb,
  workflow jsonb,
  tool_calls jsonb not null default '[]',
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost numeric,
  steps integer not null default 0,
  limits jsonb not null,
  -- Time in which it ran; waiting for a person does not count.
  active_ms bigint not null default 0,
  -- While it waits: the conversation, and the calls of tools that wait.
  memory jsonb,
  -- What a person decided, for the process that continues it.
  decision jsonb,
  started_by uuid references access.users on delete set null,
  started_by_name text not null,
  -- The API key that asked, whose rights the run's keys have at most.
  started_key uuid references access.api_keys on delete set null,
  scopes text[] not null,
  -- How many runs asked each other before this one.
  depth integer not null default 0,
  -- The process that runs it says so again and again; when it stops to, the run has ended.
  process_id uuid,
  lease_until timestamptz(3),
  cancel_requested boolean not null default false,
  last_seq integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
create index runs_by_group on agents.runs (group_id, created_at desc, id desc);
create index runs_by_agent on agents.runs (group_id, agent_id, created_at desc, id desc);
create index runs_open on agents.runs (status, created_at) where status in ('queued', 'running', 'waiting');
create index runs_by_starter on agents.runs (started_by) where started_by is not null;
create index runs_by_key on agents.runs (started_key) where started_key is not null;
create index runs_finished on agents.runs (finished_at) where finished_at is not null;

-- Every key that a run had: entries of the SQL audit with one of them are the run's.
create table agents.run_keys (
  run_id uuid not null references agents.runs on delete cascade,
  key_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (run_id, key_id)
);
create index run_keys_by_key on agents.run_keys (key_id);

create table agents.run_events (
  run_id uuid not null references agents.runs on delete cascade,
  seq integer not null,
  type text not null,
  data jsonb not null,
  at timestamptz(3) not null default now(),
  primary key (run_id, seq)
);

create function agents.tell_run_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('agent_runs', new.id::text);
  return null;
end $$;
create trigger runs_changed after insert or update of status, cancel_requested on agents.runs
  for each row execute function agents.tell_run_changed();

create function agents.tell_run_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('agent_run_events', new.run_id::text);
  return null;
end $$;
create trigger run_events_added after insert on agents.run_events
  for each row execute function agents.tell_run_event();
