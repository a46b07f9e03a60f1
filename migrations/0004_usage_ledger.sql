create schema usage;

-- Every price that ever counted. A change closes a row and opens another; a request keeps the id of its own.
-- US dollars for a million tokens, numeric: a float would lose fractions of a cent.
create table usage.model_pricing (
  id uuid primary key,
  -- Null: for every group (synchronised and built-in prices). Own prices belong to a group.
  group_id uuid,
  model_id text not null,
  source text not null check (source in ('own', 'synced', 'built_in')),
  input_price_per_1m numeric not null check (input_price_per_1m >= 0),
  output_price_per_1m numeric not null check (output_price_per_1m >= 0),
  cache_read_price_per_1m numeric check (cache_read_price_per_1m >= 0),
  cache_write_price_per_1m numeric check (cache_write_price_per_1m >= 0),
  -- The long lifetime of a cache entry (an hour where the short one is minutes).
  cache_write_long_price_per_1m numeric check (cache_write_long_price_per_1m >= 0),
  audio_input_price_per_1m numeric check (audio_input_price_per_1m >= 0),
  audio_output_price_per_1m numeric check (audio_output_price_per_1m >= 0),
  request_price numeric check (request_price >= 0),
  -- Prices of other units, such as {"web_search": "0.01"}: US dollars each.
  unit_prices jsonb,
  -- Other prices above a number of input tokens: [{"above_tokens": 200000, "input_price_per_1m": "6", …}]
  tiers jsonb,
  effective_from timestamptz not null,
  effective_to timestamptz,
  -- Who set an own price.
  created_by uuid,
  created_at timestamptz not null default now(),
  check ((source = 'own') = (group_id is not null)),
  check (effective_to is null or effective_to >= effective_from)
);

create unique index model_pricing_in_force on usage.model_pricing (model_id, source, group_id)
  nulls not distinct where effective_to is null;
create index model_pricing_history on usage.model_pricing (model_id, effective_from desc);

create function usage.tell_prices_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('usage_prices_changed', '');
  return null;
end $$;

create trigger prices_changed after insert or update or delete
  on usage.model_pricing for each statement execute function usage.tell_prices_changed();

-- One row a request. The id is a time-ordered uuid: it is the request id, the order of the log and the key by which
-- partitions are cut, so that retention drops tables instead of deleting rows. total_tokens, total_cost and
-- created_at (the time in the id, which is started_at) follow from what is here.
create table usage.usage_logs (
  id uuid primary key,
  group_id uuid not null,
  -- Null: a person in the playground.
  api_key_id uuid,
  provider_key_id uuid,
  price_id uuid,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  -- Include cached and cache-written tokens; the completion's include reasoning.
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  cached_tokens bigint not null,
  -- Both lifetimes together; the long one again by itself.
  cache_write_tokens bigint not null,
  cache_write_long_tokens bigint not null,
  reasoning_tokens bigint not null,
  audio_input_tokens bigint not null,
  audio_output_tokens bigint not null,
  duration_ms integer not null,
  ttft_ms integer,
  status_code smallint not null,
  streamed boolean not null,
  usage_source text not null check (usage_source in ('provider', 'estimated', 'none')),
  provider text,
  model text not null,
  endpoint text not null,
  input_cost numeric,
  output_cost numeric,
  -- What the provider says it cost, where it says so.
  stated_cost numeric,
  user_label text,
  error_message text,
  units jsonb,
  metadata jsonb
) partition by range (id);

create index usage_logs_by_group on usage.usage_logs (group_id, id desc);

-- Sums by hour, kept in the transaction that inserts the rows, so that they always add up to the log.
create table usage.hourly (
  group_id uuid not null,
  hour timestamptz not null,
  api_key_id uuid,
  provider text,
  model text not null,
  is_error boolean not null,
  requests bigint not null,
  -- Requests without a known price: their costs are null.
  unpriced_requests bigint not null,
  estimated_requests bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  reasoning_tokens bigint not null,
  -- Null while no request had a price.
  input_cost numeric,
  output_cost numeric,
  duration_ms bigint not null,
  unique nulls not distinct (group_id, hour, api_key_id, provider, model, is_error)
);
create index hourly_by_hour on usage.hourly (hour);
