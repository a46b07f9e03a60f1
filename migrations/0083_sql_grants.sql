-- More than the policy of an agent allows, for a time (docs/decisions/038).
create table sql.grants (
  id uuid primary key,
  group_id uuid not null references access.groups (id) on delete cascade,
  agent_id text not null,
  database text not null,
  operations text[] not null,
  tables text[] not null,
  unmask text[] not null,
  reason text not null,
  given_by uuid references access.users (id) on delete set null,
  giver text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  revoker text
);
create index grants_by_agent on sql.grants (group_id, database, agent_id, expires_at);
