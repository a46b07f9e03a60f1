-- Names of a group for one or more models.
create table gateway.routes (
  group_id uuid not null references access.groups on delete cascade,
  name text not null check (length(name) between 1 and 100),
  description text not null default '',
  strategy text not null default 'order' check (strategy in ('order', 'weighted', 'least_busy', 'cheapest')),
  targets jsonb not null check (jsonb_typeof(targets) = 'array'),
  -- Null: the number of targets and one more.
  attempts smallint check (attempts between 1 and 10),
  timeout_ms integer check (timeout_ms > 0),
  first_token_timeout_ms integer check (first_token_timeout_ms > 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (group_id, name)
);

-- Every process keeps routes in memory; any change here tells all of them to look again.
create function gateway.tell_routes_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('gateway_routes_changed', '');
  return null;
end $$;

create trigger routes_changed after insert or update or delete
  on gateway.routes for each statement execute function gateway.tell_routes_changed();
