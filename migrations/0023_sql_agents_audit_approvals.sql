create schema agents;

-- The registry. IDs are names that people choose, so they are unique in a group only.
create table agents.agents (
  group_id uuid not null references access.groups on delete cascade,
  id text not null check (id ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name text not null,
  model text not null,
  category text not null,
  description text not null,
  capabilities text[] not null,
  config jsonb not null,
  version integer not null,
  -- Changes only with the policy: approvals are bound to it.
  policy_version integer not null,
  created_by uuid references access.users on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (group_id, id)
);

-- Every version that ever was. It outlives the agent, so that an agent created again does not repeat a version.
create table agents.versions (
  group_id uuid not null references access.groups on delete cascade,
  agent_id text not null,
  version integer not null,
  policy_version integer not null,
  change text not null check (change in ('created', 'changed', 'deleted')),
  record jsonb not null,
  changed_by uuid,
  changed_by_name text not null,
  changed_at timestamptz(3) not null default now(),
  primary key (group_id, agent_id, version)
);

-- Groups that have got the built-in agents: one that was deleted does not come back.
create table agents.seeded_groups (
  group_id uuid primary key references access.groups on delete cascade
);

-- What an agent may see of the registry: neither prompts, commands nor policies. The proxy offers this database to the
-- first group only; a view shows rows regardless of row security, so it names that group itself.
create view records.agents with (security_barrier) as
  select group_id, id, name, model, category, description, capabilities, version, created_at, updated_at
  from agents.agents
  where group_id = (select id from access.groups order by created_at, id limit 1);

create schema sql;

-- The end of each group's chain. Its row is the lock under which entries are added.
create table sql.audit_heads (
  group_id uuid primary key references access.groups on delete cascade,
  seq bigint not null default 0,
  previous bytea not null default decode(repeat('00', 32), 'hex'),
  hash bytea not null default decode(repeat('00', 32), 'hex')
);

-- Entries are only added. An attempt that runs something has two: `before` and `after`. People and keys are written
-- out and not referenced: what is deleted elsewhere must not change an entry.
create table sql.audit (
  group_id uuid not null references access.groups on delete cascade,
  seq bigint not null,
  attempt_id uuid not null,
  phase text not null check (phase in ('before', 'after')),
  kind text not null,
  database text not null,
  sql text not null,
  truncated boolean not null,
  sql_hash bytea not null,
  executor text not null,
  user_id uuid,
  api_key_id uuid,
  agent_id text,
  policy_version integer,
  reason text not null,
  operations text[] not null,
  status text not null,
  rule text,
  error text,
  rows_affected bigint,
  duration_ms double precision,
  approval_id uuid,
  created_at timestamptz(3) not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (group_id, seq)
);
create unique index audit_by_attempt on sql.audit (attempt_id, phase);
create index audit_by_approval on sql.audit (approval_id) where approval_id is not null;

create function sql.keep_audit() returns trigger language plpgsql as $$
begin
  -- A deleted group takes its entries with it.
  if tg_op = 'DELETE' and not exists (select from access.groups where id = old.group_id) then
    return old;
  end if;
  raise exception 'entries of the SQL audit cannot be changed or deleted';
end $$;
create trigger keep_audit before update or delete on sql.audit for each row execute function sql.keep_audit();

-- Attempts that run now, and the process that runs them. A process that starts settles those of dead processes.
create table sql.open_attempts (
  attempt_id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  process_id text not null
);

create table sql.approvals (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  kind text not null check (kind in ('execute', 'migrate', 'undo')),
  database text not null,
  -- For people to read. It is what runs only where is_complete: secrets are left out of it.
  sql text not null,
  is_complete boolean not null,
  -- The body of the request, so that a person can run it; null where it has a secret.
  request jsonb,
  bound_hash bytea not null,
  agent_id text not null,
  policy_version integer not null,
  operations text[] not null,
  rule text not null,
  reason text not null,
  preview jsonb not null,
  -- What the statement did when it was tried; null where it could not be tried.
  effect jsonb,
  status text not null check (status in ('pending', 'approved', 'rejected', 'used')),
  requested_by uuid references access.users on delete set null,
  requested_key uuid,
  requester text not null,
  decided_by uuid references access.users on delete set null,
  decider text,
  note text,
  decided_at timestamptz(3),
  used_at timestamptz(3),
  audit_id uuid,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index approvals_by_group on sql.approvals (group_id, created_at desc, id);
create index approvals_waiting on sql.approvals (group_id, bound_hash) where status = 'pending';
create index approvals_by_requester on sql.approvals (requested_by) where requested_by is not null;
create index approvals_by_decider on sql.approvals (decided_by) where decided_by is not null;
