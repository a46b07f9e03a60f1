-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/analytics/queries/deployments.ts deploymentsPerDay
with counted as (
     select (at at time zone $6)::date as day,
       count(*) filter (where status = 'succeeded')::int as succeeded,
       count(*) filter (where status in ('failed', 'rolled_back'))::int as failed
    
       from analytics.deployments
       where group_id = $1 and at >= $2 and at < $3 and ($4::text is null or service = $4)
and ($5::text is null or environment = $5) group by 1
   )
   select to_char(day, 'YYYY-MM-DD') as date, coalesce(succeeded, 0) as succeeded, coalesce(failed,
     0) as failed
   from (select generate_series(
     date_trunc('day', $2::timestamptz at time zone $6),
       ($3::timestamptz at time zone $6) - interval '1 microsecond',
     interval '1 day')::date as day) as days
   left join counted using (day) order by day;

-- src/analytics/queries/deployments.ts deploymentsPerHour
with counted as (
     select date_trunc('hour', at) as hour,
       count(*) filter (where status = 'succeeded')::int as succeeded,
       count(*) filter (where status in ('failed', 'rolled_back'))::int as failed
    
       from analytics.deployments
       where group_id = $1 and at >= $2 and at < $3 and ($4::text is null or service = $4)
and ($5::text is null or environment = $5) group by 1
   )
   select hour as at, coalesce(succeeded, 0) as succeeded, coalesce(failed, 0) as failed
   from generate_series(date_trunc('hour', $2::timestamptz), $3::timestamptz - interval '1 microsecond',
     interval '1 hour') as hour
   left join counted using (hour) order by hour;

-- src/analytics/queries/deployments.ts sumDelivery
with sequence as (
  select d.*, lead(is_rework) over next as next_is_rework, lead(started_at) over next as next_started_at
  from analytics.deployments d
  where group_id = $1 and at >= $2 and at < $3::timestamptz + interval '24 hours' and status <> 'started'
    and ($4::text is null or service = $4) and (environment = $5 or $5::text is null and
      environment ~* '^(prod|production|live)(\W|_|$)')
  window next as (partition by service collate "C", environment collate "C" order by finished_at, id)
), judged as (
  select s.*, i.deployment_id is not null as has_incident, i.closed_at as incident_closed_at,
    status in ('failed', 'rolled_back') or i.deployment_id is not null
      or next_is_rework is true and next_started_at <= finished_at + interval '24 hours' as is_failure
  from sequence s
  left join (
    select deployment_id, case when bool_and(closed_at is not null) then max(closed_at) end as closed_at
    from analytics.incidents where group_id = $1 and deployment_id is not null group by deployment_id
  ) i on i.deployment_id = s.id
  where s.at < $3
), recovered as materialized (
  select j.*, case when not is_failure then null when has_incident then incident_closed_at else (
    select min(n.finished_at) from analytics.deployments n
    where n.group_id = $1 and n.service = j.service and n.environment = j.environment
      and n.status = 'succeeded' and n.finished_at > j.finished_at
  ) end as recovered_at
  from judged j
)
select count(*)::int as deployments,
  count(*) filter (where status = 'succeeded')::int as succeeded,
  count(*) filter (where is_failure)::int as failures,
  count(*) filter (where is_failure and recovered_at is null)::int as unrecovered,
  count(*) filter (where is_rework or incident_id is not null)::int as rework,
  percentile_cont(0.5) within group (
    order by case when status = 'succeeded' and committed_at is not null
      then greatest(extract(epoch from finished_at - committed_at), 0)::float8 end) as median_lead_seconds,
  percentile_cont(0.5) within group (
    order by case when recovered_at is not null
      then greatest(extract(epoch from recovered_at - finished_at), 0)::float8 end) as median_recovery_seconds
from recovered;

-- src/analytics/queries/deployments.ts sumDeployments
with chosen as (
     select service collate "C" as service, status,
       extract(epoch from finished_at - started_at)::float8 as build,
       case when status = 'succeeded' and committed_at is not null
         then greatest(extract(epoch from finished_at - committed_at), 0)::float8 end as lead
    
       from analytics.deployments
       where group_id = $1 and at >= $2 and at < $3 and ($4::text is null or service = $4)
and ($5::text is null or environment = $5)
   )
   select service, count(*)::int as total,
     count(*) filter (where status = 'succeeded')::int as succeeded,
     count(*) filter (where status in ('failed', 'rolled_back'))::int as failed,
     count(*) filter (where status = 'rolled_back')::int as rolled_back,
     count(*) filter (where status = 'started')::int as running,
     avg(build) as average_build_seconds,
     percentile_cont(0.5) within group (order by build) as median_build_seconds,
     percentile_cont(0.95) within group (order by build) as p95_build_seconds,
     count(lead)::int as lead_count,
     avg(lead) as average_lead_seconds,
     percentile_cont(0.5) within group (order by lead) as median_lead_seconds,
     percentile_cont(0.95) within group (order by lead) as p95_lead_seconds
   from chosen group by grouping sets ((), (service))
   order by grouping(service) desc, count(*) desc, service limit 501;

-- src/analytics/queries/devlogs.ts devlogsPerDay
with counted as (
  select (created_at at time zone $5)::date as day,
    count(*) filter (where author_kind = 'human')::int as human,
    count(*) filter (where author_kind = 'ai')::int as ai
 
    from analytics.devlogs
    where group_id = $1 and created_at >= $2 and created_at < $3 and ($4::text is null or service = $4)
    group by 1
)
select to_char(day, 'YYYY-MM-DD') as date, coalesce(human, 0) as human, coalesce(ai, 0) as ai
from (select generate_series(
  date_trunc('day', $2::timestamptz at time zone $5),
    ($3::timestamptz at time zone $5) - interval '1 microsecond',
  interval '1 day')::date as day) as days
left join counted using (day) order by day;

-- src/analytics/queries/devlogs.ts devlogsPerHour
select extract(isodow from created_at at time zone $5)::int as weekday,
  extract(hour from created_at at time zone $5)::int as hour, count(*)::int as count
from analytics.devlogs
  where group_id = $1 and created_at >= $2 and created_at < $3 and ($4::text is null or service = $4)
  group by 1, 2
  order by 1, 2;

-- src/analytics/queries/devlogs.ts devlogsPerService
select service, count(*)::int as total, count(*) filter (where author_kind = 'human')::int as human,
  count(*) filter (where author_kind = 'ai')::int as ai
from analytics.devlogs
  where group_id = $1 and created_at >= $2 and created_at < $3 and ($4::text is null or service = $4)
group by service order by count(*) desc, service nulls last limit 500;

-- src/analytics/queries/devlogs.ts sumDevlogs
select count(*)::int as total, count(*) filter (where author_kind = 'human')::int as human,
  count(*) filter (where author_kind = 'ai')::int as ai
from analytics.devlogs
  where group_id = $1 and created_at >= $2 and created_at < $3 and ($4::text is null or service = $4);

-- src/analytics/queries/health.ts dayStarts
select day at time zone $3 as at from generate_series(
  date_trunc('day', $1::timestamptz at time zone $3),
    ($2::timestamptz at time zone $3) - interval '1 microsecond',
  interval '1 day') as day
order by 1;

-- src/analytics/queries/health.ts healthBuckets
select service_id, case when $6::int is null then date_trunc('day', r.at, $7::text)
    else date_bin($6::int * interval '1 second', r.at, $3::timestamptz) end as at,
  sum(ok_count)::int as ok, sum(failed_count)::int as failed, sum(maintenance_count)::int as maintenance,
  sum(latency_sum_ms)::float8 / nullif(sum(latency_count), 0) as average_latency_ms
from analytics.services s join analytics.health_rollups r on r.service_id = s.id
where s.group_id = $1 and ($2::text is null or s.name = $2)
  and r.resolution = $5 and r.at >= $3 and r.at < $4
group by 1, 2 order by 1, 2;

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

-- src/analytics/queries/tickets.ts openAt
select (
  (select count(*) from analytics.tickets where group_id = $1 and status in ('open', 'in_progress'))
  - (select count(*) from analytics.tickets where group_id = $1 and created_at >= $2)
  + (select count(*) from analytics.tickets where group_id = $1 and closed_at >= $2)
)::int as open;

-- src/analytics/queries/tickets.ts staleTickets
select id, title, status, priority, assignee, url, created_at, last_activity_at from analytics.tickets
where group_id = $1 and status in ('open', 'in_progress')
  and last_activity_at < now() - $2::int * interval '1 day'
order by last_activity_at, id limit $3;

-- src/analytics/queries/tickets.ts sumTickets
with closed as (
  select completed_at,
    case when completed_at is not null
      then greatest(extract(epoch from completed_at - created_at), 0)::float8 / 3600 end as resolution,
    case when completed_at is not null and started_at is not null
      then greatest(extract(epoch from completed_at - started_at), 0)::float8 / 3600 end as cycle
  from analytics.tickets where group_id = $1 and closed_at >= $2 and closed_at < $3
)
select (select count(*) from analytics.tickets
    where group_id = $1 and created_at >= $2 and created_at < $3)::int as created,
  count(completed_at)::int as completed, (count(*) - count(completed_at))::int as cancelled,
  avg(resolution) as average_resolution_hours,
  percentile_cont(0.5) within group (order by resolution) as median_resolution_hours,
  percentile_cont(0.85) within group (order by resolution) as p85_resolution_hours,
  percentile_cont(0.5) within group (order by cycle) as median_cycle_hours
from closed;

-- src/analytics/queries/tickets.ts ticketsPerDay
with changes as (
  select created_at as at, 1 as created, 0 as completed, 0 as closed from analytics.tickets
  where group_id = $1 and created_at >= $2
  union all
  select closed_at, 0, (completed_at is not null)::int, 1 from analytics.tickets
  where group_id = $1 and closed_at >= $2
), start as (
  select (select count(*) from analytics.tickets where group_id = $1 and status in ('open', 'in_progress'))
    - coalesce(sum(created - closed), 0) as open from changes
), counted as (
  select (at at time zone $4)::date as day, sum(created)::int as created, sum(completed)::int as completed,
    sum(created - closed) as net
  from changes where at < $3 group by 1
)
select to_char(day, 'YYYY-MM-DD') as date, coalesce(created, 0) as created, coalesce(completed,
  0) as completed,
  ((select open from start) + coalesce(sum(net) over (order by day), 0))::int as open
from (select generate_series(
  date_trunc('day', $2::timestamptz at time zone $4),
    ($3::timestamptz at time zone $4) - interval '1 microsecond',
  interval '1 day')::date as day) as days
left join counted using (day) order by day;
