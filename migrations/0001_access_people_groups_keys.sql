create schema access;

-- People, their sessions and sign-in methods: read and written by better-auth.
create table access.users (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table access.sessions (
  id uuid primary key,
  user_id uuid not null references access.users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_by_user on access.sessions (user_id);

create table access.accounts (
  id uuid primary key,
  user_id uuid not null references access.users on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index accounts_by_user on access.accounts (user_id);

create table access.verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_by_identifier on access.verifications (identifier);

-- Groups own everything; a person acts in a group by a role.
create table access.groups (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null default now()
);

create table access.memberships (
  group_id uuid not null references access.groups on delete cascade,
  user_id uuid not null references access.users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (group_id, user_id)
);
create index memberships_by_user on access.memberships (user_id);

-- One-time links: the first owner's, and those by which members join.
create table access.invitations (
  id uuid primary key default gen_random_uuid(),
  group_id uuid not null references access.groups on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  email text,
  token_hash bytea not null unique,
  created_by uuid references access.users on delete set null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index invitations_by_group on access.invitations (group_id);

-- Keys for machines. Only the SHA-256 of a key is kept.
create table access.api_keys (
  id uuid primary key default gen_random_uuid(),
  group_id uuid not null references access.groups on delete cascade,
  created_by uuid references access.users on delete set null,
  name text not null check (length(name) between 1 and 100),
  key_hash bytea not null unique,
  key_prefix text not null,
  key_suffix text not null,
  scopes text[] not null,
  provider_key_overrides jsonb not null default '{}',
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_keys_by_group on access.api_keys (group_id, created_at desc);

-- Every process keeps keys in memory; any change here tells all of them to look again.
create function access.tell_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', tg_table_name);
  return null;
end $$;

-- last_used_at is written often and changes nobody's rights.
create trigger api_keys_changed after insert or delete or update of scopes, provider_key_overrides, expires_at, revoked_at, group_id
  on access.api_keys for each statement execute function access.tell_changed();
create trigger memberships_changed after insert or update or delete
  on access.memberships for each statement execute function access.tell_changed();
create trigger groups_changed after update or delete
  on access.groups for each statement execute function access.tell_changed();
