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
