-- Secrets of other parts, sealed like provider keys. A stored value never changes: a new secret is a new row.
create table vault.secrets (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  encrypted_value text not null,
  created_at timestamptz not null default now()
);
create index secrets_by_group on vault.secrets (group_id);

create schema webhooks;

create table webhooks.hooks (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  kind text not null check (kind in ('github', 'gitlab', 'alertmanager', 'grafana', 'generic')),
  name text not null check (length(name) between 1 and 100),
  -- A hook without its secret could verify nothing, so it is deleted with it.
  secret_id uuid not null references vault.secrets on delete cascade,
  is_active boolean not null default true,
  deploy_workflows text[] not null default '{}',
  created_by uuid references access.users on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index hooks_by_group on webhooks.hooks (group_id, created_at, id);
create index hooks_by_kind on webhooks.hooks (kind, created_at) where is_active;
create index hooks_by_secret on webhooks.hooks (secret_id);

-- Every process keeps hooks in memory; any change here tells all of them to look again.
create function webhooks.tell_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('webhooks_changed', '');
  return null;
end $$;
create trigger hooks_changed after insert or update or delete
  on webhooks.hooks for each statement execute function webhooks.tell_changed();

-- What senders sent, as it came, so that it can be replayed.
create table webhooks.deliveries (
  id uuid primary key,
  hook_id uuid not null references webhooks.hooks on delete cascade,
  group_id uuid not null references access.groups on delete cascade,
  event text,
  -- The sender's ID of the delivery. It is not signed, so the hash below counts as well.
  external_id text,
  body_hash bytea not null,
  content_type text not null,
  body bytea not null,
  status text not null check (status in ('pending', 'processed', 'ignored', 'failed')),
  reason text,
  attempts integer not null default 1,
  received_at timestamptz(3) not null default now(),
  -- When the last attempt began: one that never ended may be repeated.
  started_at timestamptz(3) not null default now(),
  processed_at timestamptz(3)
);
create unique index deliveries_by_external_id on webhooks.deliveries (hook_id, external_id)
  where external_id is not null;
create unique index deliveries_by_hash on webhooks.deliveries (hook_id, body_hash);
create index deliveries_in_order on webhooks.deliveries (hook_id, id desc);
create index deliveries_by_time on webhooks.deliveries (received_at);
create index deliveries_by_group on webhooks.deliveries (group_id, id desc);

-- When commits were made: a deployment that names one gets its lead time from it.
create table webhooks.commits (
  group_id uuid not null references access.groups on delete cascade,
  sha text not null,
  committed_at timestamptz(3) not null,
  received_at timestamptz(3) not null default now(),
  primary key (group_id, sha)
);
create index commits_by_time on webhooks.commits (received_at);

-- A push that comes after the deployment of its commits looks for it.
create index deployments_by_commit on records.deployments (group_id, commit) where commit is not null;
