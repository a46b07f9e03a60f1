-- What applies to every agent and person in a database (docs/decisions/038). Beside sql.databases, because those of the
-- server have no row there.
create table sql.database_rules (
  group_id uuid not null references access.groups (id) on delete cascade,
  database text not null,
  masked_columns text[] not null,
  updated_at timestamptz(3) not null default now(),
  primary key (group_id, database)
);

-- Null in entries in which no rule by column and no grant took part: those hash as they always did.
alter table sql.audit add column masked text[], add column grant_id uuid;
