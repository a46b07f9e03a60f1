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

-- Built-in prices are told apart by their content, which is their id: another version of the table may say otherwise.
create unique index model_pricing_in_force on usage.model_pricing (model_id, source, group_id)
  nulls not distinct where effective_to is null and source <> 'built_in';
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
  id uuid not null,
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
  metadata jsonb,
  -- An id belongs to one group for ever, so this is as unique as the id alone, and it is the order in which a group
  -- reads its log: one index where two would stand.
  primary key (group_id, id)
) partition by range (id);

-- Everything by which sums are kept, but for the time, in one number: eight bytes of index where four columns would
-- take sixty. Two that share a number by chance are told apart when the row is read.
create function usage.cell(group_id uuid, api_key_id uuid, provider text, model text, is_error boolean) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended(group_id::text || coalesce(api_key_id::text, '') || case when is_error then '!' else '.' end
    || coalesce(provider, '') || '/' || model, 0)
$$;

-- The sums tell on which days a filter has rows, and in which cells; this finds them, however rare they are.
create index usage_logs_cells on usage.usage_logs
  (usage.cell(group_id, api_key_id, provider, model, status_code >= 400), id);

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
) with (fillfactor = 80);
create index hourly_by_hour on usage.hourly (hour);

-- The same by day and by month (UTC, the month under its first day): long ranges read a fraction of the rows. A trigger
-- keeps them, so that whatever changes the hours changes days and months with them.
create table usage.daily (
  group_id uuid not null,
  day date not null,
  api_key_id uuid,
  provider text,
  model text not null,
  is_error boolean not null,
  requests bigint not null,
  unpriced_requests bigint not null,
  estimated_requests bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  reasoning_tokens bigint not null,
  input_cost numeric,
  output_cost numeric,
  duration_ms bigint not null,
  unique nulls not distinct (group_id, day, api_key_id, provider, model, is_error)
) with (fillfactor = 80);
create index daily_by_day on usage.daily (day);

create table usage.monthly (
  group_id uuid not null,
  month date not null,
  api_key_id uuid,
  provider text,
  model text not null,
  is_error boolean not null,
  requests bigint not null,
  unpriced_requests bigint not null,
  estimated_requests bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  reasoning_tokens bigint not null,
  input_cost numeric,
  output_cost numeric,
  duration_ms bigint not null,
  unique nulls not distinct (group_id, month, api_key_id, provider, model, is_error)
) with (fillfactor = 80);

-- Adds sums to their days and months. In the order of the key, so that two writers never wait for each other in a circle.
create function usage.add_to_longer(change usage.hourly[]) returns void language plpgsql as $$
declare
  unit text;
begin
  foreach unit in array array['day', 'month'] loop
    execute format('
      insert into usage.%2$I as sums
      select group_id, date_trunc(%1$L, hour at time zone ''UTC'')::date, api_key_id, provider, model, is_error,
        sum(requests), sum(unpriced_requests), sum(estimated_requests), sum(prompt_tokens), sum(completion_tokens),
        sum(cached_tokens), sum(cache_write_tokens), sum(reasoning_tokens), sum(input_cost), sum(output_cost),
        sum(duration_ms)
      from unnest($1) group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
      on conflict (group_id, %1$I, api_key_id, provider, model, is_error) do update set
        requests = sums.requests + excluded.requests,
        unpriced_requests = sums.unpriced_requests + excluded.unpriced_requests,
        estimated_requests = sums.estimated_requests + excluded.estimated_requests,
        prompt_tokens = sums.prompt_tokens + excluded.prompt_tokens,
        completion_tokens = sums.completion_tokens + excluded.completion_tokens,
        cached_tokens = sums.cached_tokens + excluded.cached_tokens,
        cache_write_tokens = sums.cache_write_tokens + excluded.cache_write_tokens,
        reasoning_tokens = sums.reasoning_tokens + excluded.reasoning_tokens,
        input_cost = coalesce(sums.input_cost + excluded.input_cost, sums.input_cost, excluded.input_cost),
        output_cost = coalesce(sums.output_cost + excluded.output_cost, sums.output_cost, excluded.output_cost),
        duration_ms = sums.duration_ms + excluded.duration_ms
    ', unit, case unit when 'day' then 'daily' else 'monthly' end) using change;
  end loop;
end $$;

create function usage.hours_added() returns trigger language plpgsql as $$
begin
  perform usage.add_to_longer(array_agg(row(written.*)::usage.hourly)) from written;
  return null;
end $$;

create function usage.hours_changed() returns trigger language plpgsql as $$
begin
  perform usage.add_to_longer(array_agg(row(change.*)::usage.hourly)) from (
    select * from written
    union all
    select group_id, hour, api_key_id, provider, model, is_error, -requests, -unpriced_requests, -estimated_requests,
      -prompt_tokens, -completion_tokens, -cached_tokens, -cache_write_tokens, -reasoning_tokens,
      -input_cost, -output_cost, -duration_ms
    from replaced
  ) as change;
  return null;
end $$;

create trigger hours_added after insert on usage.hourly referencing new table as written
  for each statement execute function usage.hours_added();
create trigger hours_changed after update on usage.hourly referencing new table as written old table as replaced
  for each statement execute function usage.hours_changed();
