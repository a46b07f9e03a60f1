-- Passwords of the roles under which the SQL proxy runs statements, sealed in the key store.

create table sql.logins (
  role text primary key,
  group_id uuid not null references access.groups on delete cascade,
  secret_id uuid not null references vault.secrets on delete cascade,
  created_at timestamptz(3) not null default now()
);

-- Of the platform's own database, where agents may change records but no schema. Elsewhere the table is created when
-- the roles are.
create table records.signalbox_migrations (
  name text primary key,
  sha256 text not null,
  applied_at timestamptz(3) not null default now(),
  applied_by text not null
);

-- What rows were before an approved change, sealed in the key store until it can no longer be undone.
create table sql.undo_images (
  audit_id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  database text not null,
  schema_name text not null,
  table_name text not null,
  agent_id text not null,
  operation text not null check (operation in ('UPDATE', 'DELETE')),
  row_count integer not null,
  secret_id uuid not null references vault.secrets on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  undone_at timestamptz(3)
);
create index undo_images_by_expiry on sql.undo_images (expires_at);
