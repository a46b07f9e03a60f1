create schema gateway;

-- Providers that a group's owners added: any server that speaks chat completions.
create table gateway.providers (
  group_id uuid not null references access.groups on delete cascade,
  id text not null check (id ~ '^[a-z][a-z0-9-]{1,39}$'),
  name text not null,
  base_url text not null,
  docs_url text not null default '',
  prefixes text[] not null check (cardinality(prefixes) > 0),
  allow_private boolean not null default false,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (group_id, id)
);

-- What a synchronisation brought. Prices are numeric: a float would lose fractions of a cent.
create table gateway.models (
  provider_id text not null,
  id text not null,
  name text,
  context_length integer,
  max_output integer,
  input_price_per_1m numeric,
  output_price_per_1m numeric,
  cache_read_price_per_1m numeric,
  cache_write_price_per_1m numeric,
  request_price numeric,
  capabilities text[] not null default '{}',
  synced_at timestamptz not null,
  primary key (provider_id, id)
);

create function gateway.tell_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('gateway_changed', tg_table_name);
  return null;
end $$;

create trigger providers_changed after insert or update or delete
  on gateway.providers for each statement execute function gateway.tell_changed();
create trigger models_changed after insert or update or delete
  on gateway.models for each statement execute function gateway.tell_changed();
