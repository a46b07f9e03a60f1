-- Requests that are made to an agent again and again, at times that a cron expression names.
create table agents.schedules (
  id uuid primary key,
  group_id uuid not null,
  agent_id text not null,
  cron text not null,
  time_zone text not null,
  request text not null,
  enabled boolean not null,
  -- Null while it is switched off.
  next_at timestamptz(3),
  last_at timestamptz(3),
  last_run_id uuid,
  -- Why the last time started no run.
  last_error text,
  -- Whose rights its runs have: who made it, or changed it last.
  runs_as uuid references access.users on delete set null,
  runs_as_name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  foreign key (group_id, agent_id) references agents.agents on delete cascade
);
create index schedules_of_agent on agents.schedules (group_id, agent_id);
create index schedules_due on agents.schedules (next_at) where next_at is not null;
create index schedules_by_person on agents.schedules (runs_as) where runs_as is not null;

-- The schedule that asked for a run.
alter table agents.runs add column schedule_id uuid;
