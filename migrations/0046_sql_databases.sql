-- Databases that groups add to the SQL proxy themselves, beside those of the server.
create table sql.databases (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  name text not null check (name ~ '^[a-z][a-z0-9_-]{0,62}$'),
  -- The address with its password, sealed in the key store.
  secret_id uuid not null references vault.secrets on delete cascade,
  -- The parts of the address that may be shown.
  host text not null,
  port integer not null,
  database text not null,
  login text not null,
  environment text not null check (environment in ('dev', 'staging', 'prod')),
  schemas text[] not null,
  -- Entered by the local owner of the machine, who may name addresses in private networks.
  is_by_local_owner boolean not null,
  created_by uuid references access.users on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (group_id, name)
);
create index databases_by_creator on sql.databases (created_by) where created_by is not null;

-- Which databases outside our own server are set up. The logins in sql.logins are used only where set_up_at says that
-- they have logged in; before that they are what a printed script contains.
create table sql.setups (
  -- The beginning of the names of its roles.
  role_prefix text primary key,
  schemas text[] not null,
  set_up_at timestamptz
);
