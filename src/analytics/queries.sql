-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/analytics/days/read-days.ts countAfterDay
with changed as materialized (
  select distinct day from analytics.changed_days
  where group_id = $1 and kind = $2 and day > analytics.day_of($3)
)
select (
  (select coalesce(sum(count), 0) from analytics.day_columns
    where group_id = $1 and kind = $2 and day > analytics.day_of($3) and day not in (select day from changed))
  + (select coalesce(sum(count), 0) from changed, analytics.pack_deployments($1, day))
)::int as count;

with changed as materialized (
  select distinct day from analytics.changed_days
  where group_id = $1 and kind = $2 and day > analytics.day_of($3)
)
select (
  (select coalesce(sum(count), 0) from analytics.day_columns
    where group_id = $1 and kind = $2 and day > analytics.day_of($3) and day not in (select day from changed))
  + (select coalesce(sum(count), 0) from changed, analytics.pack_tickets_created($1, day))
)::int as count;

with changed as materialized (
  select distinct day from analytics.changed_days
  where group_id = $1 and kind = $2 and day > analytics.day_of($3)
)
select (
  (select coalesce(sum(count), 0) from analytics.day_columns
    where group_id = $1 and kind = $2 and day > analytics.day_of($3) and day not in (select day from changed))
  + (select coalesce(sum(count), 0) from changed, analytics.pack_tickets_closed($1, day))
)::int as count;

with changed as materialized (
  select distinct day from analytics.changed_days
  where group_id = $1 and kind = $2 and day > analytics.day_of($3)
)
select (
  (select coalesce(sum(count), 0) from analytics.day_columns
    where group_id = $1 and kind = $2 and day > analytics.day_of($3) and day not in (select day from changed))
  + (select coalesce(sum(count), 0) from changed, analytics.pack_devlogs($1, day))
)::int as count;

-- src/analytics/days/read-days.ts findDays
with changed as materialized (
  select distinct day from analytics.changed_days
  where group_id = $1 and kind = $2 and day >= analytics.day_of($3) and day <= analytics.day_of($4)
)
select day - date '1970-01-01' as day, version, array_to_json(services) as services,
  array_to_json(environments) as environments, encode(records, 'base64') as records from (
  select day, version, null::text[] as services, null::text[] as environments, null::bytea as records
  from analytics.day_columns
  where group_id = $1 and kind = $2 and day >= analytics.day_of($3) and day <= analytics.day_of($4)
    and day not in (select day from changed)
  union all
  select day, null, coalesce(services, '{}'), coalesce(environments, '{}'), coalesce(records, '')
  from changed, analytics.pack_deployments($1, day)
) as days order by day;

with changed as materialized (
  select distinct day from analytics.changed_days
  where group_id = $1 and kind = $2 and day >= analytics.day_of($3) and day <= analytics.day_of($4)
)
select day - date '1970-01-01' as day, version, array_to_json(services) as services,
  array_to_json(environments) as environments, encode(records, 'base64') as records from (
  select day, version, null::text[] as services, null::text[] as environments, null::bytea as records
  from analytics.day_columns
  where group_id = $1 and kind = $2 and day >= analytics.day_of($3) and day <= analytics.day_of($4)
    and day not in (select day from changed)
  union all
  select day, null, coalesce(services, '{}'), coalesce(environments, '{}'), coalesce(records, '')
  from changed, analytics.pack_tickets_created($1, day)
) as days order by day;

with changed as materialized (
  select distinct day from analytics.changed_days
  where group_id = $1 and kind = $2 and day >= analytics.day_of($3) and day <= analytics.day_of($4)
)
select day - date '1970-01-01' as day, version, array_to_json(services) as services,
  array_to_json(environments) as environments, encode(records, 'base64') as records from (
  select day, version, null::text[] as services, null::text[] as environments, null::bytea as records
  from analytics.day_columns
  where group_id = $1 and kind = $2 and day >= analytics.day_of($3) and day <= analytics.day_of($4)
    and day not in (select day from changed)
  union all
  select day, null, coalesce(services, '{}'), coalesce(environments, '{}'), coalesce(records, '')
  from changed, analytics.pack_tickets_closed($1, day)
) as days order by day;

with changed as materialized (
  select distinct day from analytics.changed_days
  where group_id = $1 and kind = $2 and day >= analytics.day_of($3) and day <= analytics.day_of($4)
)
select day - date '1970-01-01' as day, version, array_to_json(services) as services,
  array_to_json(environments) as environments, encode(records, 'base64') as records from (
  select day, version, null::text[] as services, null::text[] as environments, null::bytea as records
  from analytics.day_columns
  where group_id = $1 and kind = $2 and day >= analytics.day_of($3) and day <= analytics.day_of($4)
    and day not in (select day from changed)
  union all
  select day, null, coalesce(services, '{}'), coalesce(environments, '{}'), coalesce(records, '')
  from changed, analytics.pack_devlogs($1, day)
) as days order by day;

-- src/analytics/days/read-days.ts readPacked
select day - date '1970-01-01' as day, version, array_to_json(services) as services,
  array_to_json(environments) as environments, encode(records, 'base64') as records
from analytics.day_columns
where group_id = $1 and kind = $2 and day in (select date '1970-01-01' + n from unnest($3::int[]) as n);

-- src/analytics/days/store-days.ts storePortion
with chosen as materialized (
  select distinct group_id, day from analytics.changed_days
  where kind = $1 and day < analytics.day_of(now()) limit 100
), forgotten as (
  delete from analytics.changed_days
  where kind = $1 and (group_id, day) in (select group_id, day from chosen)
), stored as (
  insert into analytics.day_columns (group_id, kind, day, services, environments, count, records)
  select group_id, $1, day, coalesce(services, '{}'), coalesce(environments, '{}'), count, coalesce(records,
    '')
  from chosen, analytics.pack_deployments(group_id, day)
  where exists (select from access.groups where id = group_id)
  on conflict (group_id, kind, day) do update set services = excluded.services,
    environments = excluded.environments, count = excluded.count, records = excluded.records,
    version = excluded.version
)
select count(*)::int as days from chosen;

with chosen as materialized (
  select distinct group_id, day from analytics.changed_days
  where kind = $1 and day < analytics.day_of(now()) limit 100
), forgotten as (
  delete from analytics.changed_days
  where kind = $1 and (group_id, day) in (select group_id, day from chosen)
), stored as (
  insert into analytics.day_columns (group_id, kind, day, services, environments, count, records)
  select group_id, $1, day, coalesce(services, '{}'), coalesce(environments, '{}'), count, coalesce(records,
    '')
  from chosen, analytics.pack_tickets_created(group_id, day)
  where exists (select from access.groups where id = group_id)
  on conflict (group_id, kind, day) do update set services = excluded.services,
    environments = excluded.environments, count = excluded.count, records = excluded.records,
    version = excluded.version
)
select count(*)::int as days from chosen;

with chosen as materialized (
  select distinct group_id, day from analytics.changed_days
  where kind = $1 and day < analytics.day_of(now()) limit 100
), forgotten as (
  delete from analytics.changed_days
  where kind = $1 and (group_id, day) in (select group_id, day from chosen)
), stored as (
  insert into analytics.day_columns (group_id, kind, day, services, environments, count, records)
  select group_id, $1, day, coalesce(services, '{}'), coalesce(environments, '{}'), count, coalesce(records,
    '')
  from chosen, analytics.pack_tickets_closed(group_id, day)
  where exists (select from access.groups where id = group_id)
  on conflict (group_id, kind, day) do update set services = excluded.services,
    environments = excluded.environments, count = excluded.count, records = excluded.records,
    version = excluded.version
)
select count(*)::int as days from chosen;

with chosen as materialized (
  select distinct group_id, day from analytics.changed_days
  where kind = $1 and day < analytics.day_of(now()) limit 100
), forgotten as (
  delete from analytics.changed_days
  where kind = $1 and (group_id, day) in (select group_id, day from chosen)
), stored as (
  insert into analytics.day_columns (group_id, kind, day, services, environments, count, records)
  select group_id, $1, day, coalesce(services, '{}'), coalesce(environments, '{}'), count, coalesce(records,
    '')
  from chosen, analytics.pack_devlogs(group_id, day)
  where exists (select from access.groups where id = group_id)
  on conflict (group_id, kind, day) do update set services = excluded.services,
    environments = excluded.environments, count = excluded.count, records = excluded.records,
    version = excluded.version
)
select count(*)::int as days from chosen;

-- src/analytics/days/zone.ts readZoneDays
with days as (
  select day, day at time zone $3 as start, (day + interval '1 day') at time zone $3 as "end"
  from generate_series(date_trunc('day', $1::timestamptz at time zone $3),
    ($2::timestamptz at time zone $3) - interval '1 microsecond', interval '1 day') as day
), ahead as (
  select *, start at time zone $3 - start at time zone 'UTC' as early,
    "end" at time zone $3 - "end" at time zone 'UTC' as late
  from days
)
select to_char(day, 'YYYY-MM-DD') as date, extract(epoch from start)::float8 * 1000 as start,
  extract(epoch from early)::float8 * 1000 as offset, extract(epoch from late)::float8 * 1000 as later_offset,
  case when early <> late then (
    select extract(epoch from min(quarter))::float8 * 1000
    from generate_series(start, "end", interval '15 minutes') as quarter
    where quarter at time zone $3 - quarter at time zone 'UTC' <> early
  ) end as changes_at
from ahead order by day;

-- src/analytics/queries/deployments.ts blamedDeployments
with named as materialized (
  select deployment_id, case when bool_and(closed_at is not null)
      then extract(epoch from max(closed_at))::float8 * 1000 end as "closedAt"
  from analytics.incidents where group_id = $1 and deployment_id is not null group by deployment_id
)
select extract(epoch from d.finished_at)::float8 * 1000 as "finishedAt",
  ('x' || encode(analytics.end_of(d.id), 'hex'))::bit(32)::bigint::float8 as mark, "closedAt"
from named cross join lateral (
  select id, finished_at from analytics.deployments
  where id = deployment_id and group_id = $1 and finished_at >= $2 and finished_at < $3 offset 0
) as d;

-- src/analytics/queries/deployments.ts firstSuccesses
select lane.service, lane.environment, extract(epoch from first.finished_at)::float8 * 1000 as "finishedAt"
from unnest($2::text[], $3::text[]) as lane (service, environment)
cross join lateral (
  select finished_at from analytics.deployments d
  where d.group_id = $1 and d.service = lane.service and d.environment = lane.environment
    and d.status = 'succeeded' and d.finished_at >= $4
  order by finished_at limit 1
) as first;

-- src/analytics/queries/health.ts healthBuckets
select service_id, array_to_json(array_agg(place)) as place,
  array_to_json(array_agg(ok)) as ok, array_to_json(array_agg(failed)) as failed,
  array_to_json(array_agg(maintenance)) as maintenance,
  array_to_json(array_agg(average_latency_ms)) as average_latency_ms
from (
  select service_id, width_bucket(r.at, $6::timestamptz[]) - 1 as place,
    sum(ok_count) as ok, sum(failed_count) as failed, sum(maintenance_count) as maintenance,
    sum(latency_sum_ms)::float8 / nullif(sum(latency_count), 0) as average_latency_ms
  from analytics.services s join analytics.health_rollups r on r.service_id = s.id
  where s.group_id = $1 and ($2::text is null or s.name = $2)
    and r.resolution = $5 and r.at >= $3 and r.at < $4
  group by 1, 2 order by 1, 2
) as buckets group by service_id;

-- src/analytics/queries/health.ts sumHealth
select s.id, s.name, s.title, s.state, coalesce(h.ok, 0) as ok, coalesce(h.failed, 0) as failed,
  coalesce(h.maintenance, 0) as maintenance, h.average_latency_ms,
  case when s.url is not null
    then greatest(extract(epoch
      from $4::timestamptz - greatest($3::timestamptz, s.created_at)),
      0)::float8 / s.interval_s end as expected,
  i.incidents, i.incident_seconds, i.resolved, i.average_restore_seconds
from analytics.services s
left join lateral (
  select sum(ok_count)::int as ok, sum(failed_count)::int as failed,
    sum(maintenance_count)::int as maintenance,
    sum(latency_sum_ms)::float8 / nullif(sum(latency_count), 0) as average_latency_ms
  from analytics.health_rollups
  where service_id = s.id and resolution = $5 and at >= $3 and at < $4
) h on true
cross join lateral (
  select count(*) filter (where opened_at >= $3)::int as incidents,
    coalesce(sum(extract(epoch
      from least(coalesce(closed_at, now()), $4) - greatest(opened_at, $3))), 0)::float8
      as incident_seconds,
    count(closed_at) filter (where opened_at >= $3)::int as resolved,
    avg(extract(epoch from closed_at - opened_at)::float8) filter (where opened_at >= $3)
      as average_restore_seconds
  from analytics.incidents
  where service_id = s.id and opened_at < $4 and (closed_at is null or closed_at > $3)
) i
where s.group_id = $1 and ($2::text is null or s.name = $2)
order by s.name limit 500;

-- src/analytics/queries/period.ts daysPeriod
with clock as (select now() at time zone $2 as now),
 bounds as (select date_trunc('day', now) - ($1::int - 1) * interval '1 day' as first, now from clock)
select first at time zone $2 as "from", now at time zone $2 as "to",
  (first - $1::int * interval '1 day') at time zone $2 as "previousFrom",
  (now - $1::int * interval '1 day') at time zone $2 as "previousTo"
from bounds;

-- src/analytics/queries/period.ts rangePeriod
with given as (
  select case when $3 then $1::text::timestamp at time zone $5 else $1::text::timestamptz end as first,
    case when $4 then ($2::text::timestamp + interval '1 day') at time zone $5 else $2::text::timestamptz end as last,
    case when $3 and $4 then $2::text::date - $1::text::date + 1 end as days
), bounds as (
  select first, least(last, now()) as last, days, coalesce(days * interval '1 day', least(last,
    now()) - first) as long
  from given
)
select first as "from", last as "to",
  case when days is null then first - long else (first at time zone $5 - long) at time zone $5 end as "previousFrom",
  case when days is null then first else (last at time zone $5 - long) at time zone $5 end as "previousTo",
  coalesce(days, extract(epoch from last - first) / 86400)::float8 as days
from bounds;

-- src/analytics/queries/tickets.ts countOpen
select count(*)::int as open,
  count(*) filter (where last_activity_at < now() - $2::int * interval '1 day')::int as stale
from analytics.tickets where group_id = $1 and status in ('open', 'in_progress');

-- src/analytics/queries/tickets.ts staleTickets
select id, title, status, priority, assignee, url, created_at, last_activity_at from analytics.tickets
where group_id = $1 and status in ('open', 'in_progress')
  and last_activity_at < now() - $2::int * interval '1 day'
order by last_activity_at, id limit $3;
