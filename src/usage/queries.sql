-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/usage/cost/price-store.ts changeSynced
select *
from "usage"."model_pricing"
where "source" = $1
  and ("effective_to" is null or "effective_to" > $2)
order by effective_to asc nulls last;

update "usage"."model_pricing"
set "effective_to" = greatest(effective_from, $1::timestamptz)
where id = any($2::uuid[]);

insert into "usage"."model_pricing" ("id", "group_id", "model_id", "source", "input_price_per_1m",
  "output_price_per_1m", "cache_read_price_per_1m", "cache_write_price_per_1m",
  "cache_write_long_price_per_1m", "audio_input_price_per_1m", "audio_output_price_per_1m", "request_price",
  "unit_prices", "tiers", "effective_from", "effective_to", "created_by")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17);

-- src/usage/cost/price-store.ts closePrices
update "usage"."model_pricing"
set "effective_to" = greatest(effective_from, $1::timestamptz)
where "model_id" = $2
  and "source" = $3
  and group_id is not distinct from $4::uuid
  and ("effective_to" is null or "effective_to" > $5);

-- src/usage/cost/price-store.ts insertBuiltIn
insert into "usage"."model_pricing" ("id", "group_id", "model_id", "source", "input_price_per_1m",
  "output_price_per_1m", "cache_read_price_per_1m", "cache_write_price_per_1m",
  "cache_write_long_price_per_1m", "audio_input_price_per_1m", "audio_output_price_per_1m", "request_price",
  "unit_prices", "tiers", "effective_from", "effective_to", "created_by")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
on conflict do nothing;

-- src/usage/cost/price-store.ts listAllPrices
select *
from "usage"."model_pricing";

-- src/usage/cost/price-store.ts listPricesOf
select *
from "usage"."model_pricing"
where ("group_id" = $1 or "source" = $2)
order by "effective_from" desc, "created_at" desc;

select *
from "usage"."model_pricing"
where ("group_id" = $1 or "source" = $2)
  and "model_id" = $3
order by "effective_from" desc, "created_at" desc;

-- src/usage/cost/price-store.ts listPricesSince
select *
from "usage"."model_pricing"
where ("effective_to" is null or "effective_to" > $1);

-- src/usage/cost/price-store.ts openPrices
insert into "usage"."model_pricing" ("id", "group_id", "model_id", "source", "input_price_per_1m",
  "output_price_per_1m", "cache_read_price_per_1m", "cache_write_price_per_1m",
  "cache_write_long_price_per_1m", "audio_input_price_per_1m", "audio_output_price_per_1m", "request_price",
  "unit_prices", "tiers", "effective_from", "effective_to", "created_by")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17);

-- src/usage/cost/reprice-store.ts changeSums
select 1
  from usage.hourly as hourly join jsonb_to_recordset($1::jsonb) as given(group_id uuid, hour timestamptz,
api_key_id uuid, provider text, model text, is_error boolean, newly_priced bigint, input_cost numeric,
output_cost numeric) on hourly.group_id = given.group_id and hourly.hour = given.hour
and hourly.model = given.model and hourly.is_error = given.is_error
and hourly.api_key_id is not distinct from given.api_key_id
and hourly.provider is not distinct from given.provider
order by hourly.group_id, hourly.hour, hourly.api_key_id, hourly.provider, hourly.model, hourly.is_error
for update of hourly;

update usage.hourly as hourly set
  input_cost = coalesce(hourly.input_cost, 0) + given.input_cost,
  output_cost = coalesce(hourly.output_cost, 0) + given.output_cost,
  unpriced_requests = hourly.unpriced_requests - given.newly_priced
from jsonb_to_recordset($1::jsonb) as given(group_id uuid, hour timestamptz,
api_key_id uuid, provider text, model text, is_error boolean, newly_priced bigint, input_cost numeric,
output_cost numeric) where hourly.group_id = given.group_id and hourly.hour = given.hour
and hourly.model = given.model and hourly.is_error = given.is_error
and hourly.api_key_id is not distinct from given.api_key_id
and hourly.provider is not distinct from given.provider;

-- src/usage/cost/reprice-store.ts groupsWithRequests
select distinct "group_id"
from "usage"."hourly"
where "hour" > $1
  and "hour" < $2
order by "group_id";

-- src/usage/cost/reprice-store.ts nextRows
select "id", "group_id", "api_key_id", "price_id", "started_at", "provider", "model", "status_code",
  "usage_source", "prompt_tokens", "completion_tokens", "cached_tokens", "cache_write_tokens",
  "cache_write_long_tokens", "reasoning_tokens", "audio_input_tokens", "audio_output_tokens", "units",
  "input_cost", "output_cost", "attempts"
from "usage"."usage_logs"
where "group_id" = $1
  and "id" >= $2
  and "id" < $3
order by "id"
limit $4;

select "id", "group_id", "api_key_id", "price_id", "started_at", "provider", "model", "status_code",
  "usage_source", "prompt_tokens", "completion_tokens", "cached_tokens", "cache_write_tokens",
  "cache_write_long_tokens", "reasoning_tokens", "audio_input_tokens", "audio_output_tokens", "units",
  "input_cost", "output_cost", "attempts"
from "usage"."usage_logs"
where "group_id" = $1
  and "id" > $2
  and "id" < $3
  and (model = $4 or attempts @> $5::jsonb)
order by "id"
limit $6
for update;

-- src/usage/cost/reprice-store.ts writeCosts
update usage.usage_logs as log
set price_id = given.price_id, input_cost = given.input_cost, output_cost = given.output_cost,
  attempts = given.attempts
from jsonb_to_recordset($1::jsonb)
  as given(id uuid, price_id uuid, input_cost numeric, output_cost numeric, attempts jsonb)
where log.group_id = $2 and log.id = given.id
  and log.id >= $3::uuid and log.id <= $4::uuid;

-- src/usage/ledger/insert.ts insertWritten
insert into usage.model_pricing (id, group_id, model_id, source, input_price_per_1m, output_price_per_1m,
  cache_read_price_per_1m, cache_write_price_per_1m, cache_write_long_price_per_1m, audio_input_price_per_1m,
  audio_output_price_per_1m, request_price, unit_prices, tiers, effective_from, effective_to)
select *
  from json_to_recordset($1::json) as given(id uuid, group_id uuid, model_id text, source text,
  input_price_per_1m numeric, output_price_per_1m numeric, cache_read_price_per_1m numeric,
  cache_write_price_per_1m numeric, cache_write_long_price_per_1m numeric, audio_input_price_per_1m numeric,
  audio_output_price_per_1m numeric, request_price numeric, unit_prices jsonb, tiers jsonb,
  effective_from timestamptz, effective_to timestamptz)
  order by id
on conflict do nothing;

with given as (
  select id, group_id, api_key_id, provider_key_id, price_id, started_at, ended_at, prompt_tokens,
    completion_tokens, cached_tokens, cache_write_tokens, cache_write_long_tokens, reasoning_tokens,
    audio_input_tokens, audio_output_tokens, duration_ms, ttft_ms, status_code, streamed, usage_source,
    provider, model, endpoint, input_cost, output_cost, stated_cost, user_label, error_message, units,
    metadata, session_key, subagent_key, upstream_request_id, route, attempts, attempt_count, upstream_ms
    from json_to_recordset($1::json) as given(id uuid, group_id uuid, api_key_id uuid, provider_key_id uuid,
    price_id uuid, started_at timestamptz, ended_at timestamptz, prompt_tokens bigint,
    completion_tokens bigint, cached_tokens bigint, cache_write_tokens bigint, cache_write_long_tokens bigint,
    reasoning_tokens bigint, audio_input_tokens bigint, audio_output_tokens bigint, duration_ms integer,
    ttft_ms integer, status_code smallint, streamed boolean, usage_source text, provider text, model text,
    endpoint text, input_cost numeric, output_cost numeric, stated_cost numeric, user_label text,
    error_message text, units jsonb, metadata jsonb, session_key text, subagent_key text,
    upstream_request_id text, route text, attempts jsonb, attempt_count smallint, upstream_ms integer)
), inserted as (
  insert into usage.usage_logs (id, group_id, api_key_id, provider_key_id, price_id, started_at, ended_at,
    prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, cache_write_long_tokens,
    reasoning_tokens, audio_input_tokens, audio_output_tokens, duration_ms, ttft_ms, status_code, streamed,
    usage_source, provider, model, endpoint, input_cost, output_cost, stated_cost, user_label, error_message,
    units, metadata, session_key, subagent_key, upstream_request_id, route, attempts, attempt_count,
    upstream_ms)
  select id, group_id, api_key_id, provider_key_id, price_id, started_at, ended_at, coalesce(prompt_tokens, 0),
    coalesce(completion_tokens, 0), coalesce(cached_tokens, 0), coalesce(cache_write_tokens, 0),
    coalesce(cache_write_long_tokens, 0), coalesce(reasoning_tokens, 0), coalesce(audio_input_tokens, 0),
    coalesce(audio_output_tokens, 0), duration_ms, ttft_ms, status_code, streamed, usage_source, provider,
    model, endpoint, input_cost, output_cost, stated_cost, user_label, error_message, units, metadata,
    session_key, subagent_key, upstream_request_id, route, attempts, attempt_count, upstream_ms
    from given
    order by id
  on conflict (group_id, id) do nothing
  returning *
)
insert into usage.hourly as hourly (group_id, hour, api_key_id, provider, model, is_error, requests,
  unpriced_requests, estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens,
  reasoning_tokens, duration_ms, input_cost, output_cost)
select group_id, date_trunc('hour', started_at, 'UTC') as hour, api_key_id, provider, model,
  status_code >= 400 as is_error, count(*), count(*) filter (where input_cost is null),
  count(*) filter (where usage_source = 'estimated'), sum(prompt_tokens), sum(completion_tokens),
  sum(cached_tokens), sum(cache_write_tokens), sum(reasoning_tokens), sum(duration_ms::bigint),
  sum(input_cost), sum(output_cost)
from inserted
  group by group_id, hour, api_key_id, provider, model, is_error
  order by group_id, hour, api_key_id, provider, model, is_error
on conflict (group_id, hour, api_key_id, provider, model, is_error) do update set
  requests = hourly.requests + excluded.requests,
    unpriced_requests = hourly.unpriced_requests + excluded.unpriced_requests,
    estimated_requests = hourly.estimated_requests + excluded.estimated_requests,
    prompt_tokens = hourly.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = hourly.completion_tokens + excluded.completion_tokens,
    cached_tokens = hourly.cached_tokens + excluded.cached_tokens,
    cache_write_tokens = hourly.cache_write_tokens + excluded.cache_write_tokens,
    reasoning_tokens = hourly.reasoning_tokens + excluded.reasoning_tokens,
    duration_ms = hourly.duration_ms + excluded.duration_ms,
  input_cost = coalesce(hourly.input_cost + excluded.input_cost, hourly.input_cost, excluded.input_cost),
    output_cost = coalesce(hourly.output_cost + excluded.output_cost, hourly.output_cost,
    excluded.output_cost);

-- src/usage/log/export.ts readPiece
select string_agg(concat_ws(',', coalesce((id)::text, ''), coalesce(('req_' || replace(id::text, '-',
  ''))::text, ''), coalesce((group_id)::text, ''), coalesce((api_key_id)::text, ''),
  coalesce((provider_key_id)::text, ''), case when coalesce((provider)::text,
  '') ~ '[",\r\n]' then '"' || replace((case when coalesce((provider)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((provider)::text, '')), '"',
  '""') || '"' else (case when coalesce((provider)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((provider)::text, '')) end,
  case when coalesce((model)::text, '') ~ '[",\r\n]' then '"' || replace((case when coalesce((model)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((model)::text, '')), '"',
  '""') || '"' else (case when coalesce((model)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((model)::text, '')) end,
  case when coalesce((endpoint)::text,
  '') ~ '[",\r\n]' then '"' || replace((case when coalesce((endpoint)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((endpoint)::text, '')), '"',
  '""') || '"' else (case when coalesce((endpoint)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((endpoint)::text, '')) end,
  case when coalesce((user_label)::text,
  '') ~ '[",\r\n]' then '"' || replace((case when coalesce((user_label)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((user_label)::text, '')), '"',
  '""') || '"' else (case when coalesce((user_label)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((user_label)::text, '')) end,
  coalesce((prompt_tokens)::text, ''), coalesce((completion_tokens)::text, ''),
  coalesce((prompt_tokens + completion_tokens)::text, ''), coalesce((cached_tokens)::text, ''),
  coalesce((cache_write_tokens)::text, ''), coalesce((cache_write_long_tokens)::text, ''),
  coalesce((reasoning_tokens)::text, ''), coalesce((audio_input_tokens)::text, ''),
  coalesce((audio_output_tokens)::text, ''), coalesce((input_cost)::text, ''), coalesce((output_cost)::text,
  ''), coalesce((trim_scale(coalesce(input_cost + output_cost, input_cost, output_cost)))::text, ''),
  coalesce((stated_cost)::text, ''), coalesce((price_id)::text, ''), coalesce((usage_source)::text, ''),
  case when coalesce((units)::text, '') ~ '[",\r\n]' then '"' || replace((case when coalesce((units)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((units)::text, '')), '"',
  '""') || '"' else (case when coalesce((units)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((units)::text, '')) end,
  coalesce((duration_ms)::text, ''), coalesce((ttft_ms)::text, ''), coalesce((streamed)::text, ''),
  coalesce((status_code)::text, ''), case when coalesce((error_message)::text,
  '') ~ '[",\r\n]' then '"' || replace((case when coalesce((error_message)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((error_message)::text, '')),
  '"', '""') || '"' else (case when coalesce((error_message)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((error_message)::text,
  '')) end, case when coalesce((metadata)::text,
  '') ~ '[",\r\n]' then '"' || replace((case when coalesce((metadata)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((metadata)::text, '')), '"',
  '""') || '"' else (case when coalesce((metadata)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((metadata)::text, '')) end,
  coalesce((to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, ''),
  coalesce((to_char(ended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, ''),
  coalesce((to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, ''),
  case when coalesce((session_key)::text,
  '') ~ '[",\r\n]' then '"' || replace((case when coalesce((session_key)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((session_key)::text, '')),
  '"', '""') || '"' else (case when coalesce((session_key)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((session_key)::text, '')) end,
  case when coalesce((subagent_key)::text,
  '') ~ '[",\r\n]' then '"' || replace((case when coalesce((subagent_key)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((subagent_key)::text, '')),
  '"', '""') || '"' else (case when coalesce((subagent_key)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((subagent_key)::text,
  '')) end, case when coalesce((upstream_request_id)::text,
  '') ~ '[",\r\n]' then '"' || replace((case when coalesce((upstream_request_id)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((upstream_request_id)::text,
  '')), '"', '""') || '"' else (case when coalesce((upstream_request_id)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((upstream_request_id)::text,
  '')) end, case when coalesce((route)::text,
  '') ~ '[",\r\n]' then '"' || replace((case when coalesce((route)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((route)::text, '')), '"',
  '""') || '"' else (case when coalesce((route)::text,
  '') ~ '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@＝＋－＠−-]|^[\t\r]' then '''' else '' end || coalesce((route)::text, '')) end,
  coalesce((coalesce(attempt_count, (provider_key_id is not null)::integer))::text, ''),
  coalesce((upstream_ms)::text, ''),
  coalesce((case when upstream_ms is not null then greatest(duration_ms - upstream_ms, 0) end)::text, '')),
  $1::text
  order by id desc) as text, count(*)::integer as count,
  (array_agg(id order by id))[1] as last
from (
select * from usage.usage_logs
where group_id = $2 and id >= $3::uuid and id < $4::uuid and true
order by id desc limit $5 offset $6) as wanted;

select string_agg(concat_ws(',', coalesce((id)::text, ''), coalesce(('req_' || replace(id::text, '-',
  ''))::text, ''), coalesce((group_id)::text, ''), coalesce((api_key_id)::text, ''),
  coalesce((provider_key_id)::text, ''), case when coalesce((provider)::text,
  '') ~ '[",\r\n]' then '"' || replace(coalesce((provider)::text, ''), '"',
  '""') || '"' else coalesce((provider)::text, '') end, case when coalesce((model)::text,
  '') ~ '[",\r\n]' then '"' || replace(coalesce((model)::text, ''), '"',
  '""') || '"' else coalesce((model)::text, '') end, case when coalesce((endpoint)::text,
  '') ~ '[",\r\n]' then '"' || replace(coalesce((endpoint)::text, ''), '"',
  '""') || '"' else coalesce((endpoint)::text, '') end, case when coalesce((user_label)::text,
  '') ~ '[",\r\n]' then '"' || replace(coalesce((user_label)::text, ''), '"',
  '""') || '"' else coalesce((user_label)::text, '') end, coalesce((prompt_tokens)::text, ''),
  coalesce((completion_tokens)::text, ''), coalesce((prompt_tokens + completion_tokens)::text, ''),
  coalesce((cached_tokens)::text, ''), coalesce((cache_write_tokens)::text, ''),
  coalesce((cache_write_long_tokens)::text, ''), coalesce((reasoning_tokens)::text, ''),
  coalesce((audio_input_tokens)::text, ''), coalesce((audio_output_tokens)::text, ''),
  coalesce((input_cost)::text, ''), coalesce((output_cost)::text, ''),
  coalesce((trim_scale(coalesce(input_cost + output_cost, input_cost, output_cost)))::text, ''),
  coalesce((stated_cost)::text, ''), coalesce((price_id)::text, ''), coalesce((usage_source)::text, ''),
  case when coalesce((units)::text, '') ~ '[",\r\n]' then '"' || replace(coalesce((units)::text, ''), '"',
  '""') || '"' else coalesce((units)::text, '') end, coalesce((duration_ms)::text, ''),
  coalesce((ttft_ms)::text, ''), coalesce((streamed)::text, ''), coalesce((status_code)::text, ''),
  case when coalesce((error_message)::text,
  '') ~ '[",\r\n]' then '"' || replace(coalesce((error_message)::text, ''), '"',
  '""') || '"' else coalesce((error_message)::text, '') end, case when coalesce((metadata)::text,
  '') ~ '[",\r\n]' then '"' || replace(coalesce((metadata)::text, ''), '"',
  '""') || '"' else coalesce((metadata)::text, '') end, coalesce((to_char(started_at at time zone 'UTC',
  'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, ''), coalesce((to_char(ended_at at time zone 'UTC',
  'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, ''), coalesce((to_char(started_at at time zone 'UTC',
  'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, ''), case when coalesce((session_key)::text,
  '') ~ '[",\r\n]' then '"' || replace(coalesce((session_key)::text, ''), '"',
  '""') || '"' else coalesce((session_key)::text, '') end, case when coalesce((subagent_key)::text,
  '') ~ '[",\r\n]' then '"' || replace(coalesce((subagent_key)::text, ''), '"',
  '""') || '"' else coalesce((subagent_key)::text, '') end, case when coalesce((upstream_request_id)::text,
  '') ~ '[",\r\n]' then '"' || replace(coalesce((upstream_request_id)::text, ''), '"',
  '""') || '"' else coalesce((upstream_request_id)::text, '') end, case when coalesce((route)::text,
  '') ~ '[",\r\n]' then '"' || replace(coalesce((route)::text, ''), '"',
  '""') || '"' else coalesce((route)::text, '') end, coalesce((coalesce(attempt_count,
  (provider_key_id is not null)::integer))::text, ''), coalesce((upstream_ms)::text, ''),
  coalesce((case when upstream_ms is not null then greatest(duration_ms - upstream_ms, 0) end)::text, '')),
  $1::text
  order by id desc) as text, count(*)::integer as count,
  (array_agg(id order by id))[1] as last
from (
select * from usage.usage_logs
where group_id = $2 and id >= $3::uuid and id < $4::uuid and true
order by id desc limit $5 offset $6) as wanted;

select string_agg(json_build_object('id', (id), 'request_id', ('req_' || replace(id::text, '-', '')),
  'group_id', (group_id), 'api_key_id', (api_key_id), 'provider_key_id', (provider_key_id), 'provider',
  (provider), 'model', (model), 'endpoint', (endpoint), 'user_label', (user_label), 'prompt_tokens',
  (prompt_tokens), 'completion_tokens', (completion_tokens), 'total_tokens',
  (prompt_tokens + completion_tokens), 'cached_tokens', (cached_tokens), 'cache_write_tokens',
  (cache_write_tokens), 'cache_write_long_tokens', (cache_write_long_tokens), 'reasoning_tokens',
  (reasoning_tokens), 'audio_input_tokens', (audio_input_tokens), 'audio_output_tokens', (audio_output_tokens),
  'input_cost', (input_cost)::text, 'output_cost', (output_cost)::text, 'total_cost',
  (trim_scale(coalesce(input_cost + output_cost, input_cost, output_cost)))::text, 'stated_cost',
  (stated_cost)::text, 'price_id', (price_id), 'usage_source', (usage_source), 'units', (units), 'duration_ms',
  (duration_ms), 'ttft_ms', (ttft_ms), 'streamed', (streamed), 'status_code', (status_code), 'error_message',
  (error_message), 'metadata', (metadata), 'started_at', (to_char(started_at at time zone 'UTC',
  'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'ended_at', (to_char(ended_at at time zone 'UTC',
  'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'created_at', (to_char(started_at at time zone 'UTC',
  'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'session_key', (session_key), 'subagent_key', (subagent_key),
  'upstream_request_id', (upstream_request_id), 'route', (route), 'attempt_count', (coalesce(attempt_count,
  (provider_key_id is not null)::integer)), 'upstream_ms', (upstream_ms), 'own_ms',
  (case when upstream_ms is not null then greatest(duration_ms - upstream_ms, 0) end))::text, $1::text
  order by id desc) as text, count(*)::integer as count,
  (array_agg(id order by id))[1] as last
from (
select * from usage.usage_logs
where group_id = $2 and id >= $3::uuid and id < $4::uuid and true
order by id desc limit $5 offset $6) as wanted;

-- src/usage/log/log-store.ts countMonths
select since, till, sum(requests) filter (where true) as matched, sum(requests) as every
from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests, estimated_requests,
  prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens, input_cost,
  output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
  (month + interval '1 month') at time zone 'UTC' as till
from usage.monthly where (group_id = $1)) as sums group by since, till order by since desc;

select since, till,
  sum(requests) filter (where (model = any($1::text[]) and provider = any($2::text[]) and api_key_id = any($3::uuid[]) and is_error = $4)) as matched,
  sum(requests) as every
from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests, estimated_requests,
  prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens, input_cost,
  output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
  (month + interval '1 month') at time zone 'UTC' as till
from usage.monthly
  where (group_id = $5 and month >= $6::date and month < $7::date)
  union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
  (day + interval '1 day') at time zone 'UTC' as till
from usage.daily
  where (group_id = $8 and day >= $9::date and day < $10::date)
  union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
  (day + interval '1 day') at time zone 'UTC' as till
from usage.daily
  where (group_id = $11 and day >= $12::date and day < $13::date)) as sums
  group by since, till
  order by since desc;

select since, till, sum(requests) filter (where ((strpos(lower(model), $1) > 0 or strpos(lower(provider),
  $2) > 0
or api_key_id = any($3::uuid[])))) as matched, sum(requests) as every
from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests, estimated_requests,
  prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens, input_cost,
  output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
  (month + interval '1 month') at time zone 'UTC' as till
from usage.monthly
  where (group_id = $4 and month >= $5::date and month < $6::date)
  union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
  (day + interval '1 day') at time zone 'UTC' as till
from usage.daily
  where (group_id = $7 and day >= $8::date and day < $9::date)
  union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, hour as since, hour + interval '1 hour' as till
from usage.hourly
  where (group_id = $10 and hour >= $11 and hour < $12)
  union all select group_id, api_key_id, provider, model, status_code >= 400 as is_error,
  1::bigint as requests, (input_cost is null)::integer::bigint as unpriced_requests,
  (usage_source = 'estimated')::integer::bigint as estimated_requests, prompt_tokens, completion_tokens,
  cached_tokens, cache_write_tokens, reasoning_tokens, input_cost, output_cost,
  duration_ms::bigint as duration_ms, $13::timestamptz as since, $14::timestamptz as till
from usage.usage_logs
  where (group_id = $15 and id >= $16::uuid and id < $17::uuid)
  union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
  (day + interval '1 day') at time zone 'UTC' as till
from usage.daily
  where (group_id = $18 and day >= $19::date and day < $20::date)
  union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, hour as since, hour + interval '1 hour' as till
from usage.hourly
  where (group_id = $21 and hour >= $22 and hour < $23)
  union all select group_id, api_key_id, provider, model, status_code >= 400 as is_error,
  1::bigint as requests, (input_cost is null)::integer::bigint as unpriced_requests,
  (usage_source = 'estimated')::integer::bigint as estimated_requests, prompt_tokens, completion_tokens,
  cached_tokens, cache_write_tokens, reasoning_tokens, input_cost, output_cost,
  duration_ms::bigint as duration_ms, $24::timestamptz as since, $25::timestamptz as till
from usage.usage_logs
  where (group_id = $26 and id >= $27::uuid and id < $28::uuid)) as sums
  group by since, till
  order by since desc;

select since, till,
  sum(requests) filter (where (model = any($1::text[]) and provider = any($2::text[]) and api_key_id is null and is_error = $3)) as matched,
  sum(requests) as every
from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests, estimated_requests,
  prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens, input_cost,
  output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
  (month + interval '1 month') at time zone 'UTC' as till
from usage.monthly
  where (group_id = $4 and month >= $5::date and month < $6::date)
  union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
  (day + interval '1 day') at time zone 'UTC' as till
from usage.daily
  where (group_id = $7 and day >= $8::date and day < $9::date)
  union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
  (day + interval '1 day') at time zone 'UTC' as till
from usage.daily
  where (group_id = $10 and day >= $11::date and day < $12::date)) as sums
  group by since, till
  order by since desc;

select since, till,
  sum(requests) filter (where (model = any($1::text[]) and provider = any($2::text[]) and (api_key_id is null or api_key_id = any($3::uuid[])) and is_error = $4)) as matched,
  sum(requests) as every
from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests, estimated_requests,
  prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens, input_cost,
  output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
  (month + interval '1 month') at time zone 'UTC' as till
from usage.monthly
  where (group_id = $5 and month >= $6::date and month < $7::date)
  union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
  (day + interval '1 day') at time zone 'UTC' as till
from usage.daily
  where (group_id = $8 and day >= $9::date and day < $10::date)
  union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
  (day + interval '1 day') at time zone 'UTC' as till
from usage.daily
  where (group_id = $11 and day >= $12::date and day < $13::date)) as sums
  group by since, till
  order by since desc;

-- src/usage/log/log-store.ts findPrices
select *
from "usage"."model_pricing"
where id = any($1::uuid[]);

-- src/usage/log/log-store.ts findRow
select *
from "usage"."usage_logs"
where "group_id" = $1
  and "id" = $2;

-- src/usage/log/log-store.ts listCells
select usage.cell(group_id, api_key_id, provider, model, is_error) as cell, sum(requests) as matched
from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests, estimated_requests,
  prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens, input_cost,
  output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
  (month + interval '1 month') at time zone 'UTC' as till
from usage.monthly
  where (group_id = $1 and month >= $2::date and month < $3::date)) as sums
  where (model = any($4::text[]) and provider = any($5::text[]) and api_key_id = any($6::uuid[]) and is_error = $7)
  group by 1;

-- src/usage/log/partitions.ts create
create table usage.usage_logs_20260115 (like usage.usage_logs including defaults including constraints including storage);

alter table usage.usage_logs attach partition usage.usage_logs_20260115
for values from ('019bbef3-b000-0000-0000-000000000000') to ('019bc41a-0c00-0000-0000-000000000000');

-- src/usage/log/partitions.ts listPartitions
select c.oid::regclass::text as "table", pg_get_expr(c.relpartbound, c.oid) as bound
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'usage.usage_logs'::regclass;

-- src/usage/log/read-log.ts readInOrder
set local enable_bitmapscan = off;

-- src/usage/log/read-log.ts readPageAs
select found.* from unnest($1::bigint[]) as asked (cell)
cross join lateral (
  select * from usage.usage_logs
  where usage.cell(group_id, api_key_id, provider, model, status_code >= 400) = asked.cell
    and group_id = $2 and id >= $3::uuid and id < $4::uuid and (model = any($5::text[]) and provider = any($6::text[]) and api_key_id = any($7::uuid[]) and (status_code >= 400) = $8)
  order by id desc limit $9
) as found
order by id desc limit $10 offset $11;

select duration_ms, ttft_ms from (
select found.* from unnest($1::bigint[]) as asked (cell)
cross join lateral (
  select * from usage.usage_logs
  where usage.cell(group_id, api_key_id, provider, model, status_code >= 400) = asked.cell
    and group_id = $2 and id >= $3::uuid and id < $4::uuid and (model = any($5::text[]) and provider = any($6::text[]) and api_key_id = any($7::uuid[]) and (status_code >= 400) = $8)
  order by id desc limit $9
) as found
order by id desc limit $10 offset $11) as newest;

with wanted as materialized (
  select * from usage.usage_logs
  where (group_id = $1 and ((session_key = $2 or subagent_key = $3))) and id >= $4::uuid and id < $5::uuid
)
select * from wanted order by id desc limit $6 offset $7;

with wanted as materialized (
  select * from usage.usage_logs
 
    where (group_id = $1 and (model = any($2::text[]) and provider = any($3::text[]) and api_key_id = any($4::uuid[]) and (status_code >= 400) = $5 and (session_key = $6 or subagent_key = $7)) and id >= $8::uuid and id < $9::uuid) and id >= $10::uuid and id < $11::uuid
)
select * from wanted order by id desc limit $12 offset $13;

with wanted as materialized (
  select * from usage.usage_logs
  where (group_id = $1 and (id >= $2::uuid and id <= $3::uuid)) and id >= $4::uuid and id < $5::uuid
)
select * from wanted order by id desc limit $6 offset $7;

select * from usage.usage_logs
where group_id = $1 and id >= $2::uuid and id < $3::uuid and (route = $4)
order by id desc limit $5 offset $6;

select * from usage.usage_logs
where group_id = $1 and id >= $2::uuid and id < $3::uuid and (model = any($4::text[]) and provider = any($5::text[]) and api_key_id = any($6::uuid[]) and (status_code >= 400) = $7 and attempt_count >= 2)
order by id desc limit $8 offset $9;

-- src/usage/log/retention.ts deleteBefore
set local lock_timeout = '2s';

-- src/usage/log/retention.ts forget
delete from usage.usage_logs_20260101
where id < $1;

delete from usage.hourly
where hour < $1;

delete from usage.daily
where day < $1::date;

delete from usage.monthly
where month < $1::date;

delete from usage.daily_parts
where day < $1::date;

delete from usage.days_to_sum
where day < $1::date;

insert into usage.monthly
select group_id, $1::date, api_key_id, provider, model, is_error, sum(requests), sum(unpriced_requests),
  sum(estimated_requests), sum(prompt_tokens), sum(completion_tokens), sum(cached_tokens),
    sum(cache_write_tokens),
  sum(reasoning_tokens), sum(input_cost), sum(output_cost), sum(duration_ms)
from usage.daily where day >= $1::date and day < $2::date
group by group_id, api_key_id, provider, model, is_error;

drop table usage.usage_logs_20251201;

-- src/usage/log/route-shares-store.ts countByRoute
select route, provider, model, count(*)::int as requests
from (
  select route, provider, model from usage.usage_logs
  where group_id = $1 and id >= $2 and route is not null
  order by id desc limit $3
) as named
group by route, provider, model order by route, requests desc, model;

-- src/usage/log/search-kind.ts createLogSearchKind
select "id"
from "usage"."usage_logs"
order by "id"
limit $1;

-- src/usage/log/search-kind.ts selectWithWords
select id, group_id, model, status_code, user_label, error_message, metadata from usage.usage_logs
where id > $1 and id < $2
  and (user_label is not null or error_message is not null or metadata is not null)
order by id limit $3;

-- src/usage/log/session-store.ts countMatching
select count(*) as matched, min(started_at) as first, max(started_at) as last
from usage.usage_logs where (group_id = $1 and ((session_key = $2 or subagent_key = $3)));

select count(*) as matched, min(started_at) as first, max(started_at) as last
from usage.usage_logs
  where (group_id = $1 and (model = any($2::text[]) and provider = any($3::text[]) and api_key_id = any($4::uuid[]) and (status_code >= 400) = $5 and (session_key = $6 or subagent_key = $7)) and id >= $8::uuid and id < $9::uuid);

select count(*) as matched, min(started_at) as first, max(started_at) as last
from usage.usage_logs where (group_id = $1 and (id >= $2::uuid and id <= $3::uuid));

select count(*) as matched, min(started_at) as first, max(started_at) as last
from usage.usage_logs where (group_id = $1 and (route = $2));

select count(*) as matched, min(started_at) as first, max(started_at) as last
from usage.usage_logs
  where (group_id = $1 and (model = any($2::text[]) and provider = any($3::text[]) and api_key_id = any($4::uuid[]) and (status_code >= 400) = $5 and attempt_count >= 2) and id >= $6::uuid and id < $7::uuid);

-- src/usage/log/session-store.ts listCalls
with wanted as materialized (
  select * from usage.usage_logs
  where group_id = $1 and (session_key = $2 or subagent_key = $3)
)
select id, api_key_id, subagent_key, model, endpoint, started_at, ended_at, status_code, error_message,
  prompt_tokens,
  completion_tokens, trim_scale(coalesce(input_cost + output_cost, input_cost, output_cost)) as cost
from wanted order by id desc limit $4;

-- src/usage/log/session-store.ts sumRequests
select model, count(*) as requests, count(*) filter (where cost is null) as unpriced,
  trim_scale(sum(cost)) as cost
from (
  select model, coalesce(input_cost + output_cost, input_cost, output_cost) as cost from usage.usage_logs
  where group_id = $1
    and (session_key = any($2::text[]) or subagent_key = any($3::text[]))
) as calls
group by model order by sum(calls.cost) desc nulls last, count(*) desc, model;

-- src/usage/log/session-store.ts sumSessions
select key, model, count(*) as requests, count(*) filter (where cost is null) as unpriced,
  trim_scale(sum(cost)) as cost
from (
  select session_key as key, model, coalesce(input_cost + output_cost, input_cost, output_cost) as cost
    from usage.usage_logs
  where group_id = $1 and session_key = any($2::text[])
  union all
  select subagent_key, model, coalesce(input_cost + output_cost, input_cost, output_cost)
    from usage.usage_logs
  where group_id = $3 and subagent_key = any($4::text[])
) as calls
group by key, model order by sum(calls.cost) desc nulls last, count(*) desc, model;

-- src/usage/log/spent-store.ts spentBefore
select
coalesce(trim_scale(sum(input_cost) + sum(output_cost)), 0) as cost,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as tokens,
count(provider_key_id) as requests from usage.usage_logs where group_id = $1 and id >= $2 and ended_at < $3;

select
coalesce(trim_scale(sum(input_cost) + sum(output_cost)), 0) as cost,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as tokens,
count(provider_key_id) as requests
  from usage.usage_logs
  where group_id = $1 and id >= $2 and id < $3 and api_key_id = any ($4::uuid[]) and user_label = $5 and provider = $6 and model = $7 and model like $8 and (metadata -> 'tags' is not null and $9 in (select usage.tags_of(metadata))) and ended_at < $10;

-- src/usage/log/spent-store.ts spentByEnd
select date_bin($1 * interval '1 millisecond', ended_at, timestamptz 'epoch') as "from",
coalesce(trim_scale(sum(input_cost) + sum(output_cost)), 0) as cost,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as tokens,
count(provider_key_id) as requests
  from usage.usage_logs where group_id = $2 and id >= $3 and ended_at >= $4 and ended_at < $5 group by 1;

select date_bin($1 * interval '1 millisecond', ended_at, timestamptz 'epoch') as "from",
coalesce(trim_scale(sum(input_cost) + sum(output_cost)), 0) as cost,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as tokens,
count(provider_key_id) as requests
 
    from usage.usage_logs
    where group_id = $2 and id >= $3 and id < $4 and api_key_id = any ($5::uuid[]) and user_label = $6 and provider = $7 and model = $8 and model like $9 and (metadata -> 'tags' is not null and $10 in (select usage.tags_of(metadata))) and ended_at >= $11 and ended_at < $12
    group by 1;

-- src/usage/log/spent-store.ts spentRequests
select started_at as "startedAt", duration_ms as "durationMs",
  trim_scale(input_cost + output_cost) as cost, prompt_tokens + completion_tokens as tokens
from usage.usage_logs where group_id = $1 and id >= $2 and provider_key_id is not null
order by id desc limit $3;

select started_at as "startedAt", duration_ms as "durationMs",
  trim_scale(input_cost + output_cost) as cost, prompt_tokens + completion_tokens as tokens
from usage.usage_logs
  where group_id = $1 and id >= $2 and id < $3 and api_key_id = any ($4::uuid[]) and user_label = $5 and provider = $6 and model = $7 and model like $8 and (metadata -> 'tags' is not null and $9 in (select usage.tags_of(metadata))) and provider_key_id is not null
order by id desc limit $10;

-- src/usage/log/sums-store.ts sumAll
select
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms
  from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
  from usage.monthly where (group_id = $1)) as sums where true;

select
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms
  from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
 
    from usage.monthly
    where (group_id = $1 and month >= $2::date and month < $3::date)
    union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
 
    from usage.daily
    where (group_id = $4 and day >= $5::date and day < $6::date)
    union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
 
    from usage.daily
    where (group_id = $7 and day >= $8::date and day < $9::date)) as sums
    where (model = any($10::text[]) and provider = any($11::text[]) and api_key_id = any($12::uuid[]) and is_error = $13);

select
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms
  from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
 
    from usage.monthly
    where (group_id = $1 and month >= $2::date and month < $3::date)
    union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
 
    from usage.daily
    where (group_id = $4 and day >= $5::date and day < $6::date)
    union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, hour as since, hour + interval '1 hour' as till
 
    from usage.hourly
    where (group_id = $7 and hour >= $8 and hour < $9)
    union all select group_id, api_key_id, provider, model, status_code >= 400 as is_error,
    1::bigint as requests, (input_cost is null)::integer::bigint as unpriced_requests,
    (usage_source = 'estimated')::integer::bigint as estimated_requests, prompt_tokens, completion_tokens,
    cached_tokens, cache_write_tokens, reasoning_tokens, input_cost, output_cost,
    duration_ms::bigint as duration_ms, $10::timestamptz as since, $11::timestamptz as till
 
    from usage.usage_logs
    where (group_id = $12 and id >= $13::uuid and id < $14::uuid)
    union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
 
    from usage.daily
    where (group_id = $15 and day >= $16::date and day < $17::date)
    union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, hour as since, hour + interval '1 hour' as till
 
    from usage.hourly
    where (group_id = $18 and hour >= $19 and hour < $20)
    union all select group_id, api_key_id, provider, model, status_code >= 400 as is_error,
    1::bigint as requests, (input_cost is null)::integer::bigint as unpriced_requests,
    (usage_source = 'estimated')::integer::bigint as estimated_requests, prompt_tokens, completion_tokens,
    cached_tokens, cache_write_tokens, reasoning_tokens, input_cost, output_cost,
    duration_ms::bigint as duration_ms, $21::timestamptz as since, $22::timestamptz as till
 
    from usage.usage_logs
    where (group_id = $23 and id >= $24::uuid and id < $25::uuid)) as sums
    where ((strpos(lower(model), $26) > 0 or strpos(lower(provider), $27) > 0
  or api_key_id = any($28::uuid[])));

select
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms
  from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
 
    from usage.monthly
    where (group_id = $1 and month >= $2::date and month < $3::date)
    union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
 
    from usage.daily
    where (group_id = $4 and day >= $5::date and day < $6::date)
    union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
 
    from usage.daily
    where (group_id = $7 and day >= $8::date and day < $9::date)) as sums
    where (model = any($10::text[]) and provider = any($11::text[]) and api_key_id is null and is_error = $12);

select
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms
  from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
 
    from usage.monthly
    where (group_id = $1 and month >= $2::date and month < $3::date)
    union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
 
    from usage.daily
    where (group_id = $4 and day >= $5::date and day < $6::date)
    union all select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
 
    from usage.daily
    where (group_id = $7 and day >= $8::date and day < $9::date)) as sums
    where (model = any($10::text[]) and provider = any($11::text[]) and (api_key_id is null or api_key_id = any($12::uuid[])) and is_error = $13);

select
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms from (
  select group_id, api_key_id, provider, model, status_code >= 400 as is_error, 1::bigint as requests,
    (input_cost is null)::integer::bigint as unpriced_requests,
    (usage_source = 'estimated')::integer::bigint as estimated_requests, prompt_tokens, completion_tokens,
    cached_tokens, cache_write_tokens, reasoning_tokens, input_cost, output_cost,
    duration_ms::bigint as duration_ms
    from usage.usage_logs
    where (group_id = $1 and ((session_key = $2 or subagent_key = $3)))
) as sums;

select
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms from (
  select group_id, api_key_id, provider, model, status_code >= 400 as is_error, 1::bigint as requests,
    (input_cost is null)::integer::bigint as unpriced_requests,
    (usage_source = 'estimated')::integer::bigint as estimated_requests, prompt_tokens, completion_tokens,
    cached_tokens, cache_write_tokens, reasoning_tokens, input_cost, output_cost,
    duration_ms::bigint as duration_ms
    from usage.usage_logs
    where (group_id = $1 and (model = any($2::text[]) and provider = any($3::text[]) and api_key_id = any($4::uuid[]) and (status_code >= 400) = $5 and (session_key = $6 or subagent_key = $7)) and id >= $8::uuid and id < $9::uuid)
) as sums;

select
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms from (
  select group_id, api_key_id, provider, model, status_code >= 400 as is_error, 1::bigint as requests,
    (input_cost is null)::integer::bigint as unpriced_requests,
    (usage_source = 'estimated')::integer::bigint as estimated_requests, prompt_tokens, completion_tokens,
    cached_tokens, cache_write_tokens, reasoning_tokens, input_cost, output_cost,
    duration_ms::bigint as duration_ms
    from usage.usage_logs
    where (group_id = $1 and (id >= $2::uuid and id <= $3::uuid))
) as sums;

select
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms from (
  select group_id, api_key_id, provider, model, status_code >= 400 as is_error, 1::bigint as requests,
    (input_cost is null)::integer::bigint as unpriced_requests,
    (usage_source = 'estimated')::integer::bigint as estimated_requests, prompt_tokens, completion_tokens,
    cached_tokens, cache_write_tokens, reasoning_tokens, input_cost, output_cost,
    duration_ms::bigint as duration_ms
    from usage.usage_logs
    where (group_id = $1 and (route = $2))
) as sums;

select
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms from (
  select group_id, api_key_id, provider, model, status_code >= 400 as is_error, 1::bigint as requests,
    (input_cost is null)::integer::bigint as unpriced_requests,
    (usage_source = 'estimated')::integer::bigint as estimated_requests, prompt_tokens, completion_tokens,
    cached_tokens, cache_write_tokens, reasoning_tokens, input_cost, output_cost,
    duration_ms::bigint as duration_ms
    from usage.usage_logs
    where (group_id = $1 and (model = any($2::text[]) and provider = any($3::text[]) and api_key_id = any($4::uuid[]) and (status_code >= 400) = $5 and attempt_count >= 2) and id >= $6::uuid and id < $7::uuid)
) as sums;

-- src/usage/log/sums-store.ts sumBy
select model, provider,
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms
  from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
  from usage.monthly where (group_id = $1)) as sums where true group by model, provider
  order by total_cost desc nulls last, requests desc, model, provider;

select provider,
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms
  from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
  estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
  input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
  from usage.monthly where (group_id = $1)) as sums where true group by provider
  order by total_cost desc nulls last, requests desc, provider;

-- src/usage/log/sums-store.ts sumByKey
select coalesce($1::jsonb ->> api_key_id::text, api_key_id::text) as api_key_id,
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms
 
    from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
 
    from usage.monthly
    where (group_id = $2)) as sums
    where true
    group by 1
    order by total_cost desc nulls last, requests desc, 1;

-- src/usage/log/sums-store.ts sumDays
select day::text as date,
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms
  from usage.daily
  where (group_id = $1 and day >= $2::date and day < $3::date) and (model = any($4::text[]) and provider = any($5::text[]) and api_key_id = any($6::uuid[]) and is_error = $7)
  group by day order by day;

-- src/usage/log/sums-store.ts sumHours
select hour,
coalesce(sum(requests), 0) as requests,
coalesce(sum(requests) filter (where is_error), 0) as errors,
coalesce(sum(unpriced_requests), 0) as unpriced_requests,
coalesce(sum(estimated_requests), 0) as estimated_requests,
coalesce(sum(prompt_tokens), 0) as prompt_tokens,
coalesce(sum(completion_tokens), 0) as completion_tokens,
coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as total_tokens,
coalesce(sum(cached_tokens), 0) as cached_tokens,
coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
trim_scale(sum(input_cost)) as input_cost,
trim_scale(sum(output_cost)) as output_cost,
trim_scale(coalesce(sum(input_cost) + sum(output_cost), sum(input_cost), sum(output_cost))) as total_cost,
round(sum(duration_ms) / nullif(sum(requests), 0), 1) as avg_duration_ms
  from usage.hourly
  where (group_id = $1 and hour >= $2 and hour < $3) and (model = any($4::text[]) and provider = any($5::text[]) and api_key_id = any($6::uuid[]) and is_error = $7)
  group by hour order by hour;

-- src/usage/spend/older-days.ts sumNextDay
select max(day)::text as day
from usage.days_to_sum having count(*) > 0;

select usage.sum_day($1::date, $2::uuid, $3::uuid);

-- src/usage/spend/parts-store.ts isSummed
select 1
from usage.days_to_sum
where (day >= $1::date and day < $2::date) or (day >= $3::date and day < $4::date)
limit 1;

-- src/usage/spend/parts-store.ts readDays
select day::text as date, requests, errors, unpriced_requests as unpriced,
  prompt_tokens + completion_tokens as tokens, trim_scale(total_cost) as cost
from usage.daily_parts
  where kind = $1 and value = $2 and (group_id = $3 and day >= $4::date and day < $5::date)
  order by day;

-- src/usage/spend/parts-store.ts readParts
select
coalesce(sum(requests) filter (where not is_before), 0) as requests,
coalesce(sum(errors) filter (where not is_before), 0) as errors,
coalesce(sum(unpriced) filter (where not is_before), 0) as unpriced,
coalesce(sum(tokens) filter (where not is_before), 0) as tokens,
trim_scale(sum(cost) filter (where not is_before)) as cost,
coalesce(sum(requests) filter (where is_before), 0) as requests_before,
coalesce(sum(unpriced) filter (where is_before), 0) as unpriced_before,
trim_scale(sum(cost) filter (where is_before)) as cost_before
  from (select null::text as id, $1::boolean as is_before,
  case when is_error then requests else 0 end as errors, requests, unpriced_requests as unpriced,
prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost,
  output_cost) as cost
 
    from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
 
    from usage.monthly
    where (group_id = $2 and month >= $3::date and month < $4::date)) as sums
    where true
    union all select null::text as id, $5::boolean as is_before,
    case when is_error then requests else 0 end as errors, requests, unpriced_requests as unpriced,
prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost,
  output_cost) as cost
 
    from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
  from usage.daily where (group_id = $6 and day >= $7::date and day < $8::date)) as sums where true) as parts;

select id,
coalesce(sum(requests) filter (where not is_before), 0) as requests,
coalesce(sum(errors) filter (where not is_before), 0) as errors,
coalesce(sum(unpriced) filter (where not is_before), 0) as unpriced,
coalesce(sum(tokens) filter (where not is_before), 0) as tokens,
trim_scale(sum(cost) filter (where not is_before)) as cost,
coalesce(sum(requests) filter (where is_before), 0) as requests_before,
coalesce(sum(unpriced) filter (where is_before), 0) as unpriced_before,
trim_scale(sum(cost) filter (where is_before)) as cost_before, count(*) over () as count
  from (select model as id, $1::boolean as is_before, case when is_error then requests else 0 end as errors,
  requests, unpriced_requests as unpriced,
prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost,
  output_cost) as cost
   
      from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
      estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens,
      reasoning_tokens, input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
 
    from usage.monthly
    where (group_id = $2 and month >= $3::date and month < $4::date)) as sums
    where true
    union all select model as id, $5::boolean as is_before,
    case when is_error then requests else 0 end as errors, requests, unpriced_requests as unpriced,
prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost,
  output_cost) as cost
   
      from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
      estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens,
      reasoning_tokens, input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
  from usage.daily where (group_id = $6 and day >= $7::date and day < $8::date)) as sums where true) as parts
     
        group by id having sum(requests) > 0
        order by sum(cost) filter (where not is_before) desc nulls last, 2 desc, id
      limit $9;

select id,
coalesce(sum(requests) filter (where not is_before), 0) as requests,
coalesce(sum(errors) filter (where not is_before), 0) as errors,
coalesce(sum(unpriced) filter (where not is_before), 0) as unpriced,
coalesce(sum(tokens) filter (where not is_before), 0) as tokens,
trim_scale(sum(cost) filter (where not is_before)) as cost,
coalesce(sum(requests) filter (where is_before), 0) as requests_before,
coalesce(sum(unpriced) filter (where is_before), 0) as unpriced_before,
trim_scale(sum(cost) filter (where is_before)) as cost_before, count(*) over () as count
  from (select coalesce($1::jsonb ->> api_key_id::text, api_key_id::text) as id, $2::boolean as is_before,
  case when is_error then requests else 0 end as errors, requests, unpriced_requests as unpriced,
prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost,
  output_cost) as cost
   
      from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
      estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens,
      reasoning_tokens, input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
 
    from usage.monthly
    where (group_id = $3 and month >= $4::date and month < $5::date)) as sums
    where true
    union all select coalesce($6::jsonb ->> api_key_id::text, api_key_id::text) as id,
    $7::boolean as is_before, case when is_error then requests else 0 end as errors, requests,
    unpriced_requests as unpriced,
prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost,
  output_cost) as cost
   
      from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
      estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens,
      reasoning_tokens, input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
  from usage.daily where (group_id = $8 and day >= $9::date and day < $10::date)) as sums where true) as parts
     
        group by id having sum(requests) > 0
        order by sum(cost) filter (where not is_before) desc nulls last, 2 desc, id
      limit $11;

select id,
coalesce(sum(requests) filter (where not is_before), 0) as requests,
coalesce(sum(errors) filter (where not is_before), 0) as errors,
coalesce(sum(unpriced) filter (where not is_before), 0) as unpriced,
coalesce(sum(tokens) filter (where not is_before), 0) as tokens,
trim_scale(sum(cost) filter (where not is_before)) as cost,
coalesce(sum(requests) filter (where is_before), 0) as requests_before,
coalesce(sum(unpriced) filter (where is_before), 0) as unpriced_before,
trim_scale(sum(cost) filter (where is_before)) as cost_before, count(*) over () as count
  from (select coalesce($1::jsonb ->> api_key_id::text, case when api_key_id is not null then $2 end) as id,
  $3::boolean as is_before, case when is_error then requests else 0 end as errors, requests,
  unpriced_requests as unpriced,
prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost,
  output_cost) as cost
   
      from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
      estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens,
      reasoning_tokens, input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
 
    from usage.monthly
    where (group_id = $4 and month >= $5::date and month < $6::date)) as sums
    where true
    union all select coalesce($7::jsonb ->> api_key_id::text,
    case when api_key_id is not null then $8 end) as id, $9::boolean as is_before,
    case when is_error then requests else 0 end as errors, requests, unpriced_requests as unpriced,
prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost,
  output_cost) as cost
   
      from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
      estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens,
      reasoning_tokens, input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
 
    from usage.daily
    where (group_id = $10 and day >= $11::date and day < $12::date)) as sums
    where true) as parts
     
        group by id having sum(requests) > 0
        order by sum(cost) filter (where not is_before) desc nulls last, 2 desc, id
      limit $13;

select id,
coalesce(sum(requests) filter (where not is_before), 0) as requests,
coalesce(sum(errors) filter (where not is_before), 0) as errors,
coalesce(sum(unpriced) filter (where not is_before), 0) as unpriced,
coalesce(sum(tokens) filter (where not is_before), 0) as tokens,
trim_scale(sum(cost) filter (where not is_before)) as cost,
coalesce(sum(requests) filter (where is_before), 0) as requests_before,
coalesce(sum(unpriced) filter (where is_before), 0) as unpriced_before,
trim_scale(sum(cost) filter (where is_before)) as cost_before, count(*) over () as count
  from (select value::text as id, $1::boolean as is_before, errors as errors,
    requests as requests, unpriced_requests as unpriced,
    (prompt_tokens + completion_tokens) as tokens, total_cost as cost
  from usage.daily_parts where kind = $2 and (group_id = $3 and day >= $4::date and day < $5::date)
 
    union all select null::text as id, $6::boolean as is_before,
    case when is_error then requests else 0 end as errors, requests, unpriced_requests as unpriced,
prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost,
  output_cost) as cost
 
    from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
  from usage.monthly where (group_id = $7 and month >= $8::date and month < $9::date)) as sums where true
  union all select null::text as id, $10::boolean as is_before, -errors as errors,
    -requests as requests, -unpriced_requests as unpriced,
    -(prompt_tokens + completion_tokens) as tokens, -total_cost as cost
 
    from usage.daily_parts
    where kind = $11 and (group_id = $12 and day >= $13::date and day < $14::date)
    union all select value::text as id, $15::boolean as is_before, errors as errors,
    requests as requests, unpriced_requests as unpriced,
    (prompt_tokens + completion_tokens) as tokens, total_cost as cost
  from usage.daily_parts where kind = $16 and (group_id = $17 and day >= $18::date and day < $19::date)
 
    union all select null::text as id, $20::boolean as is_before,
    case when is_error then requests else 0 end as errors, requests, unpriced_requests as unpriced,
prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost,
  output_cost) as cost
 
    from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
  from usage.daily where (group_id = $21 and day >= $22::date and day < $23::date)) as sums where true
  union all select null::text as id, $24::boolean as is_before, -errors as errors,
    -requests as requests, -unpriced_requests as unpriced,
    -(prompt_tokens + completion_tokens) as tokens, -total_cost as cost
 
    from usage.daily_parts
    where kind = $25 and (group_id = $26 and day >= $27::date and day < $28::date)) as parts
     
        group by id having sum(requests) > 0
        order by sum(cost) filter (where not is_before) desc nulls last, 2 desc, id
      limit $29;

select id,
coalesce(sum(requests) filter (where not is_before), 0) as requests,
coalesce(sum(errors) filter (where not is_before), 0) as errors,
coalesce(sum(unpriced) filter (where not is_before), 0) as unpriced,
coalesce(sum(tokens) filter (where not is_before), 0) as tokens,
trim_scale(sum(cost) filter (where not is_before)) as cost,
coalesce(sum(requests) filter (where is_before), 0) as requests_before,
coalesce(sum(unpriced) filter (where is_before), 0) as unpriced_before,
trim_scale(sum(cost) filter (where is_before)) as cost_before, count(*) over () as count
  from (select provider as id, $1::boolean as is_before, case when is_error then requests else 0 end as errors,
  requests, unpriced_requests as unpriced,
prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost,
  output_cost) as cost
   
      from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
      estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens,
      reasoning_tokens, input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
 
    from usage.monthly
    where (group_id = $2 and month >= $3::date and month < $4::date)) as sums
    where true
    union all select provider as id, $5::boolean as is_before,
    case when is_error then requests else 0 end as errors, requests, unpriced_requests as unpriced,
prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost,
  output_cost) as cost
   
      from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
      estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens,
      reasoning_tokens, input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
  from usage.daily where (group_id = $6 and day >= $7::date and day < $8::date)) as sums where true) as parts
     
        group by id having sum(requests) > 0
        order by abs(coalesce(sum(cost) filter (where not is_before),
        0) - coalesce(sum(cost) filter (where is_before), 0)) desc nulls last, 2 desc, id
      limit $9;

-- src/usage/spend/parts-store.ts readWhole
select
coalesce(sum(requests) filter (where not is_before), 0) as requests,
coalesce(sum(errors) filter (where not is_before), 0) as errors,
coalesce(sum(unpriced) filter (where not is_before), 0) as unpriced,
coalesce(sum(tokens) filter (where not is_before), 0) as tokens,
trim_scale(sum(cost) filter (where not is_before)) as cost,
coalesce(sum(requests) filter (where is_before), 0) as requests_before,
coalesce(sum(unpriced) filter (where is_before), 0) as unpriced_before,
trim_scale(sum(cost) filter (where is_before)) as cost_before
  from (select null::text as id, $1::boolean as is_before,
  case when is_error then requests else 0 end as errors, requests, unpriced_requests as unpriced,
prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost,
  output_cost) as cost
 
    from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, month::timestamp at time zone 'UTC' as since,
    (month + interval '1 month') at time zone 'UTC' as till
 
    from usage.monthly
    where (group_id = $2 and month >= $3::date and month < $4::date)) as sums
    where true
    union all select null::text as id, $5::boolean as is_before,
    case when is_error then requests else 0 end as errors, requests, unpriced_requests as unpriced,
prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost,
  output_cost) as cost
 
    from (select group_id, api_key_id, provider, model, is_error, requests, unpriced_requests,
    estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
    input_cost, output_cost, duration_ms, day::timestamp at time zone 'UTC' as since,
    (day + interval '1 day') at time zone 'UTC' as till
  from usage.daily where (group_id = $6 and day >= $7::date and day < $8::date)) as sums where true) as parts;
