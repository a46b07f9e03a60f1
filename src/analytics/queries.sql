-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/analytics/calendar.ts readDays
select to_char(day, 'YYYY-MM-DD') as name, day at time zone $3 as start
from generate_series(date_trunc('day', $1::timestamptz at time zone $3),
  ($2::timestamptz at time zone $3) - interval '1 microsecond', interval '1 day') as day;

-- src/analytics/queries/delivery.ts sumDelivery
with chosen as materialized (
     select id, service collate "C" as service, environment collate "C" as environment, status, at,
       started_at,
       is_rework, is_rework or incident_id is not null as repairs,
         case when status = 'succeeded' and committed_at is not null
then greatest(round(date_part('epoch', finished_at - committed_at) * 1000) / 1000, 0) end as lead
     from analytics.deployments
     where group_id = $1 and at >= $2 and at < $5::timestamptz + interval '48 hours'
       and ($6::text is null or service = $6) and ($7::text is null or environment = $7)
   ), production as (
     select environment from (select distinct environment from chosen) as environments
     where $7::text is not null or environment ~* '^(prod|production|live)([^a-z0-9]|$)'
   ), line as materialized (
     select *, lag(is_rework) over following as next_is_rework,
       lag(started_at) over following as next_started_at,
       min(at) filter (where status = 'succeeded') over (
         partition by service, environment
           order by at desc groups between unbounded preceding and 1 preceding)
         as next_success
     from chosen
     where status <> 'started' and environment in (select environment from production)
     window following as (partition by service, environment order by at desc, id desc)
   ), success_after as materialized (
     select service, environment, (
       select finished_at from analytics.deployments d
       where d.group_id = $1 and d.service = lines.service and d.environment = lines.environment
         and d.status = 'succeeded' and d.finished_at >= $5::timestamptz + interval '48 hours'
       order by finished_at limit 1
     ) as later_success
     from (select distinct service, environment from line) as lines
     where $5::timestamptz + interval '48 hours' <= now()
   ), incident as materialized (
     select deployment_id, case when bool_and(closed_at is not null) then max(closed_at) end as closed_at
     from analytics.incidents where group_id = $1 and deployment_id is not null group by deployment_id
   ), judged as (
     select line.*, at >= $4 as is_current,
       status <> 'succeeded' or deployment_id is not null
         or coalesce(next_is_rework and next_started_at <= at + interval '24 hours', false) as is_failure,
       case when deployment_id is not null then closed_at else coalesce(next_success, later_success) end
         as recovered_at
     from line left join success_after using (service, environment) left join incident on deployment_id = id
     where at < $5 and (at < $3 or at >= $4)
   ), sums as (
     select is_current, count(*) as deployments, count(*) filter (where status = 'succeeded') as succeeded,
       count(*) filter (where is_failure) as failures,
       count(*) filter (where is_failure and recovered_at is null) as unrecovered,
       count(*) filter (where repairs) as rework,
       percentile_cont(0.5) within group (order by lead) as median_lead_seconds,
       percentile_cont(0.5) within group (order by greatest(round(date_part('epoch',
         recovered_at - at) * 1000) / 1000, 0))
         filter (where is_failure and recovered_at is not null) as median_recovery_seconds
     from judged group by is_current
   ), steps as (
     select width_bucket(at, $8::timestamptz[]) - 1 as step, count(*) as succeeded,
       count(*) filter (where environment in (select environment from production)) as released
     from chosen where status = 'succeeded' and at < $5 group by 1
   )
   select coalesce((select json_agg(sums) from sums), '[]') as sums,
     coalesce((select json_agg(steps) from steps), '[]') as steps;

-- src/analytics/queries/deployments.ts countDeployments
with chosen as materialized (
     select at >= $4 as is_current, width_bucket(at, $8::timestamptz[]) - 1 as step,
       case when at >= $4 then service end collate "C" as service, status,
       round(date_part('epoch', finished_at - started_at) * 1000) / 1000 as build,
         case when status = 'succeeded' and committed_at is not null
then greatest(round(date_part('epoch', finished_at - committed_at) * 1000) / 1000, 0) end as lead
     from analytics.deployments
     where group_id = $1 and at >= $2 and at < $5 and (at < $3 or at >= $4)
       and ($6::text is null or service = $6) and ($7::text is null or environment = $7)
   ), sums as (
     select is_current, service as service, count(*) as total,
       count(*) filter (where status = 'succeeded') as succeeded,
       count(*) filter (where status in ('failed', 'rolled_back')) as failed,
       count(*) filter (where status = 'rolled_back') as rolled_back,
       count(*) filter (where status = 'started') as running,
       avg(build) as average_build_seconds,
       percentile_cont(array[0.5, 0.95]) within group (order by build) as build_seconds,
       count(lead) as lead_count, avg(lead) as average_lead_seconds,
       percentile_cont(array[0.5, 0.95]) within group (order by lead) as lead_seconds
     from chosen group by grouping sets ((is_current), (is_current, service))
   ), largest as (
     select * from sums order by service is not null, total desc, service limit 503
   ), steps as (
     select step, count(*) filter (where status = 'succeeded') as succeeded,
       count(*) filter (where status in ('failed', 'rolled_back')) as failed
     from chosen group by step
   )
   select coalesce((select json_agg(largest) from largest), '[]') as sums,
     coalesce((select json_agg(steps) from steps), '[]') as steps;

with chosen as materialized (
     select at >= $4 as is_current, width_bucket(at, $8::timestamptz[]) - 1 as step,
       case when at >= $4 then service end collate "C" as service, status,
       round(date_part('epoch', finished_at - started_at) * 1000) / 1000 as build,
         case when status = 'succeeded' and committed_at is not null
then greatest(round(date_part('epoch', finished_at - committed_at) * 1000) / 1000, 0) end as lead
     from analytics.deployments
     where group_id = $1 and at >= $2 and at < $5 and (at < $3 or at >= $4)
       and ($6::text is null or service = $6) and ($7::text is null or environment = $7)
   ), sums as (
     select is_current, null as service, count(*) as total,
       count(*) filter (where status = 'succeeded') as succeeded,
       count(*) filter (where status in ('failed', 'rolled_back')) as failed,
       count(*) filter (where status = 'rolled_back') as rolled_back,
       count(*) filter (where status = 'started') as running,
       avg(build) as average_build_seconds,
       percentile_cont(array[0.5, 0.95]) within group (order by build) as build_seconds,
       count(lead) as lead_count, avg(lead) as average_lead_seconds,
       percentile_cont(array[0.5, 0.95]) within group (order by lead) as lead_seconds
     from chosen group by grouping sets ((is_current))
   ), largest as (
     select * from sums order by service is not null, total desc, service limit 503
   ), steps as (
     select step, count(*) filter (where status = 'succeeded') as succeeded,
       count(*) filter (where status in ('failed', 'rolled_back')) as failed
     from chosen group by step
   )
   select coalesce((select json_agg(largest) from largest), '[]') as sums,
     coalesce((select json_agg(steps) from steps), '[]') as steps;

-- src/analytics/queries/devlogs.ts countDevlogSteps
select width_bucket(created_at, $5::timestamptz[]) - 1 as step,
  count(*) filter (where author_kind = 'human')::int as human,
  count(*) filter (where author_kind = 'ai')::int as ai
from analytics.devlogs
where group_id = $1 and created_at >= $2 and created_at < $3 and ($4::text is null or service = $4) group by 1;

-- src/analytics/queries/devlogs.ts countDevlogs
with chosen as materialized (
     select created_at, width_bucket(created_at, $6::timestamptz[]) - 1 as step,
       service collate "C" as service,
       author_kind
     from analytics.devlogs
     where group_id = $1 and created_at >= $2 and created_at < $4 and ($5::text is null or service = $5)
   ), steps as (
     select step, count(*) as total, count(*) filter (where author_kind = 'human') as human,
count(*) filter (where author_kind = 'ai') as ai from chosen group by step
   ), services as (
     select service, count(*) as total, count(*) filter (where author_kind = 'human') as human,
count(*) filter (where author_kind = 'ai') as ai from chosen where created_at >= $3
     group by service order by total desc, service nulls last limit 500
   ), heatmap as (
     select extract(isodow
       from local)::int as weekday, extract(hour
       from local)::int as hour, sum(count) as count
     from (
       select quarter at time zone $7 as local, count from (
         select date_bin('15 minutes', created_at, '2000-01-01Z') as quarter, count(*) as count
         from chosen where created_at >= $3 group by 1
       ) as quarters offset 0
     ) as clock
     group by 1, 2 order by 1, 2
   )
   select coalesce((select json_agg(steps) from steps), '[]') as steps,
     coalesce((select json_agg(services) from services), '[]') as services,
     coalesce((select json_agg(heatmap) from heatmap), '[]') as heatmap;

-- src/analytics/queries/health.ts healthBuckets
select service_id, array_to_json(array_agg(place)) as place,
  array_to_json(array_agg(ok)) as ok, array_to_json(array_agg(failed)) as failed,
  array_to_json(array_agg(maintenance)) as maintenance,
  array_to_json(array_agg(average_latency_ms)) as average_latency_ms
from (
  select service_id, width_bucket(case when r.resolution = 'day'
      then least(r.at at time zone 'UTC' at time zone $6, date_trunc('day', now(), $6)) else r.at end,
        $7::timestamptz[]) - 1 as place,
    sum(ok_count) as ok, sum(failed_count) as failed, sum(maintenance_count) as maintenance,
    sum(latency_sum_ms)::float8 / nullif(sum(latency_count), 0) as average_latency_ms
  from analytics.services s join analytics.health_rollups r on r.service_id = s.id
  where s.group_id = $1 and ($2::text is null or s.name = $2)
    and r.resolution = $5 and r.at >= $3::timestamptz - interval '1 day' and r.at < $4::timestamptz + interval '1 day'
    and case when r.resolution = 'day'
      then least(r.at at time zone 'UTC' at time zone $6, date_trunc('day', now(),
        $6)) else r.at end >= $3 and case when r.resolution = 'day'
      then least(r.at at time zone 'UTC' at time zone $6, date_trunc('day', now(), $6)) else r.at end < $4
  group by 1, 2 order by 1, 2
) as buckets group by service_id;

-- src/analytics/queries/health.ts sumHealth
select s.id, s.name, s.title, s.state, coalesce(h.ok, 0) as ok, coalesce(h.failed, 0) as failed,
  coalesce(h.maintenance, 0) as maintenance, h.average_latency_ms,
  case when s.url is not null and span.seconds >= s.interval_s
    then least(100, 100 * coalesce(h.seconds, 0) / span.seconds) end as coverage_percent,
  i.incidents, i.incident_seconds, i.resolved, i.average_restore_seconds
from analytics.services s
cross join lateral (
  select extract(epoch from $4::timestamptz - greatest($3::timestamptz, s.created_at))::float8 as seconds
) span
left join lateral (
  select sum(coalesce(ok_seconds, ok_count::bigint * s.interval_s)
      + coalesce(failed_seconds, failed_count::bigint * s.interval_s)
      + coalesce(maintenance_seconds, maintenance_count::bigint * s.interval_s))::float8 as seconds,
    sum(ok_count)::int as ok, sum(failed_count)::int as failed, sum(maintenance_count)::int as maintenance,
    sum(latency_sum_ms)::float8 / nullif(sum(latency_count), 0) as average_latency_ms
  from analytics.health_rollups r
 
    where r.service_id = s.id and r.resolution = $5 and r.at >= $3::timestamptz - interval '1 day' and r.at < $4::timestamptz + interval '1 day'
    and case when r.resolution = 'day'
      then least(r.at at time zone 'UTC' at time zone $6, date_trunc('day', now(),
        $6)) else r.at end >= $3 and case when r.resolution = 'day'
      then least(r.at at time zone 'UTC' at time zone $6, date_trunc('day', now(), $6)) else r.at end < $4
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
  least((now - $1::int * interval '1 day') at time zone $2, first at time zone $2) as "previousTo"
from bounds;

-- src/analytics/queries/period.ts rangePeriod
with given as (
  select case when $3 then $1::text::timestamp at time zone $5 else $1::text::timestamptz end as first,
    case when $4 then ($2::text::timestamp + interval '1 day') at time zone $5 else $2::text::timestamptz end as last,
    case when $3 and $4 then least($2::text::date,
      (now() at time zone $5)::date) - $1::text::date + 1 end as days
), bounds as (
  select first, least(last, now()) as last, days, coalesce(days * interval '1 day', least(last,
    now()) - first) as long
  from given
)
select first as "from", last as "to",
  case when days is null then first - long else (first at time zone $5 - long) at time zone $5 end as "previousFrom",
  case when days is null then first else least((last at time zone $5 - long) at time zone $5, first) end
    as "previousTo",
  coalesce(days, extract(epoch from last - first) / 86400)::float8 as days
from bounds;

-- src/analytics/queries/tickets.ts countCompleted
select width_bucket(completed_at, $4::timestamptz[]) - 1 as step, count(*)::int as completed
from analytics.tickets where group_id = $1 and completed_at >= $2 and completed_at < $3 group by 1;

-- src/analytics/queries/tickets.ts countOpen
select count(*)::int as open,
  count(*) filter (where last_activity_at < now() - $2::int * interval '1 day')::int as stale
from analytics.tickets where group_id = $1 and status in ('open', 'in_progress');

-- src/analytics/queries/tickets.ts countTickets
with closed as materialized (
  select width_bucket(closed_at, $6::timestamptz[]) - 1 as step, closed_at, completed_at, created_at,
    started_at
  from analytics.tickets where group_id = $1 and closed_at >= $2
), measured as (
  select closed_at >= $4 as is_current,
    greatest(round(date_part('epoch', completed_at - created_at) * 1000) / 1000, 0) / 3600 as resolution,
    case when started_at is not null
      then greatest(round(date_part('epoch', completed_at - started_at) * 1000) / 1000, 0) / 3600 end as cycle
  from closed where completed_at is not null and closed_at < $5 and (closed_at < $3 or closed_at >= $4)
), sums as (
  select is_current, avg(resolution) as average_resolution_hours,
    percentile_cont(array[0.5, 0.85]) within group (order by resolution) as resolution_hours,
    percentile_cont(0.5) within group (order by cycle) as median_cycle_hours
  from measured group by is_current
), changes as (
  select step, 0 as created, count(completed_at) as completed, count(*) as closed from closed group by step
  union all
  select width_bucket(created_at, $6::timestamptz[]) - 1, count(*), 0, 0
  from analytics.tickets where group_id = $1 and created_at >= $2 group by 1
), steps as (
  select step, sum(created) as created, sum(completed) as completed, sum(closed) as closed
    from changes
    group by step
)
select coalesce((select json_agg(sums) from sums), '[]') as sums,
  coalesce((select json_agg(steps) from steps), '[]') as steps;

-- src/analytics/queries/tickets.ts staleTickets
select id, title, status, priority, assignee, url, created_at, last_activity_at from analytics.tickets
where group_id = $1 and status in ('open', 'in_progress')
  and last_activity_at < now() - $2::int * interval '1 day'
order by last_activity_at, id limit $3;
