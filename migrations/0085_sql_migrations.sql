-- Migrations of the databases that the SQL proxy offers: one row for each text that was asked for or applied.
create table sql.migrations (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  database text not null,
  name text not null,
  -- Of the statements, as in the list that the database itself keeps.
  sha256 text not null,
  -- asked: its approval says what became of it.
  state text not null check (state in ('asked', 'running', 'applied', 'failed', 'rolled_back')),
  -- It was found in the list of the database: nobody asked for it here.
  is_elsewhere boolean not null default false,
  -- For people to read. What runs only where is_complete: secrets are left out of it.
  statements text[] not null,
  is_complete boolean not null,
  checks text[] not null,
  operations text[] not null,
  -- The way back that came with it; null where none was given, or where it has a secret.
  rollback text[],
  agent_id text,
  reason text not null,
  requester text not null,
  requested_key uuid,
  asked_by jsonb,
  approval_id uuid,
  -- What the trial run found, and what became of it when it ran.
  preview jsonb,
  result jsonb,
  -- What a trial on a copy of the schema found.
  copy jsonb,
  -- The attempt that runs now, to apply it or to roll it back: null when it has ended.
  attempt_id uuid,
  -- The last attempt to apply it.
  audit_id uuid,
  error text,
  duration_ms double precision,
  asked_at timestamptz(3) not null,
  applied_at timestamptz(3),
  rollback_approval_id uuid,
  rolled_back_at timestamptz(3),
  rolled_back_by text,
  rollback_audit_id uuid,
  unique (group_id, database, name, sha256)
);
create index migrations_by_group on sql.migrations (group_id, asked_at desc, id desc);
create index migrations_under_way on sql.migrations (attempt_id) where attempt_id is not null;
create index migrations_by_approval on sql.migrations (approval_id) where approval_id is not null;
