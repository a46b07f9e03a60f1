-- Limits of a group (docs/limits.md, docs/decisions/035). Amounts are whole numbers: tokens, requests, places, and for
-- cost millionths of a millionth of a dollar.
set local lock_timeout = '3s';
create schema limits;

create table limits.limits (
  id uuid primary key,
  group_id uuid not null references access.groups (id) on delete cascade,
  subject_type text not null check (subject_type in ('group', 'api_key', 'user', 'model', 'provider', 'tag')),
  -- Null for the group itself.
  subject_id text check ((subject_type = 'group') = (subject_id is null)),
  metric text not null check (metric in ('cost', 'tokens', 'requests', 'concurrent')),
  amount numeric(38, 0) not null check (amount >= 0),
  -- Null for requests at the same time.
  time_window text check (time_window in ('minute', 'hour', 'day', 'week', 'month', 'total')),
  action text not null check (action in ('block', 'warn')),
  on_outage text not null check (on_outage in ('refuse', 'allow')),
  unpriced text not null check (unpriced in ('block', 'allow')),
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((metric = 'concurrent') = (time_window is null))
);
create index limits_of_group on limits.limits (group_id, created_at, id);

create function limits.tell_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('limits_changed', '');
  return null;
end $$;
create trigger limits_changed after insert or update or delete
  on limits.limits for each statement execute function limits.tell_changed();

-- What is used of a limit in one of its windows, and how much of the rest processes hold. Locked by whoever changes it.
create table limits.windows (
  limit_id uuid not null references limits.limits (id) on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz,
  used numeric(38, 0) not null,
  -- The sum of the leases.
  leased numeric(38, 0) not null default 0,
  -- When the limit was first reached.
  reached_at timestamptz,
  primary key (limit_id, starts_at)
);

-- The share of the rest that one process holds, so that it asks nobody while it has room.
create table limits.leases (
  limit_id uuid not null,
  starts_at timestamptz not null,
  holder uuid not null,
  granted numeric(38, 0) not null,
  -- Of it, by requests that run.
  reserved numeric(38, 0) not null,
  -- The number of the last report, so that one that is sent again counts once.
  report bigint not null,
  primary key (limit_id, starts_at, holder),
  foreign key (limit_id, starts_at) references limits.windows (limit_id, starts_at) on delete cascade
);
create index leases_of_holder on limits.leases (holder);

-- Processes that hold leases. One that is not seen any more has ended.
create table limits.holders (id uuid primary key, seen_at timestamptz not null default now());

-- What was used by when the requests ended, for the last hours: what a process reported can be counted again from the
-- usage log.
create table limits.spent (
  limit_id uuid not null,
  starts_at timestamptz not null,
  ended_from timestamptz not null,
  amount numeric(38, 0) not null,
  primary key (limit_id, starts_at, ended_from),
  foreign key (limit_id, starts_at) references limits.windows (limit_id, starts_at) on delete cascade
);
create index spent_by_time on limits.spent (ended_from);

-- Times that have to be counted again from the usage log, because a process that ended may not have reported them.
create table limits.recounts (
  id uuid primary key,
  limit_id uuid not null,
  starts_at timestamptz not null,
  ended_from timestamptz not null,
  ended_to timestamptz not null,
  due_at timestamptz not null,
  runs integer not null default 0,
  foreign key (limit_id, starts_at) references limits.windows (limit_id, starts_at) on delete cascade
);
create index recounts_due on limits.recounts (due_at);
create index recounts_of_window on limits.recounts (limit_id, starts_at);
