/*
 * The figures of reports, each as a question of its own that converts every time and looks up every successor: slow with
 * many records, but short and plain. Tests compare the reports with these.
 */

export const sumDeployments = `with chosen as (
       select service collate "C" as service, status,
         extract(epoch from finished_at - started_at)::float8 as build,
         case when status = 'succeeded' and committed_at is not null
           then greatest(extract(epoch from finished_at - committed_at), 0)::float8 end as lead
       from analytics.deployments where group_id = $1 and at >= $2 and at < $3 and ($4::text is null or service = $4)
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
     order by grouping(service) desc, count(*) desc, service limit 501`

export const deploymentsPerDay = `with counted as (
       select (at at time zone $6)::date as day,
         count(*) filter (where status = 'succeeded')::int as succeeded,
         count(*) filter (where status in ('failed', 'rolled_back'))::int as failed
       from analytics.deployments where group_id = $1 and at >= $2 and at < $3 and ($4::text is null or service = $4)
  and ($5::text is null or environment = $5) group by 1
     )
     select to_char(day, 'YYYY-MM-DD') as date, coalesce(succeeded, 0) as succeeded, coalesce(failed, 0) as failed
     from (select generate_series(
       date_trunc('day', $2::timestamptz at time zone $6), ($3::timestamptz at time zone $6) - interval '1 microsecond',
       interval '1 day')::date as day) as days
     left join counted using (day) order by day`

export const sumDelivery = `with sequence as (
       select d.*, lead(is_rework) over next as next_is_rework, lead(started_at) over next as next_started_at
       from analytics.deployments d
       where group_id = $1 and at >= $2 and at < $3::timestamptz + interval '48 hours' and status <> 'started'
         and ($4::text is null or service = $4) and (environment = $5 or $5::text is null and
           environment ~* '^(prod|production|live)(\\W|_|$)')
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
     from recovered`

export const sumTickets = `with closed as (
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
     from closed`

export const ticketsPerDay = `with changes as (
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
     select to_char(day, 'YYYY-MM-DD') as date, coalesce(created, 0) as created, coalesce(completed, 0) as completed,
       ((select open from start) + coalesce(sum(net) over (order by day), 0))::int as open
     from (select generate_series(
       date_trunc('day', $2::timestamptz at time zone $4), ($3::timestamptz at time zone $4) - interval '1 microsecond',
       interval '1 day')::date as day) as days
     left join counted using (day) order by day`

export const devlogsPerService = `select service, count(*)::int as total, count(*) filter (where author_kind = 'human')::int as human,
       count(*) filter (where author_kind = 'ai')::int as ai
     from analytics.devlogs where group_id = $1 and created_at >= $2 and created_at < $3 and ($4::text is null or service = $4)
     group by service order by count(*) desc, service nulls last limit 500`

export const devlogsPerDay = `with counted as (
       select (created_at at time zone $5)::date as day,
         count(*) filter (where author_kind = 'human')::int as human,
         count(*) filter (where author_kind = 'ai')::int as ai
       from analytics.devlogs where group_id = $1 and created_at >= $2 and created_at < $3 and ($4::text is null or service = $4) group by 1
     )
     select to_char(day, 'YYYY-MM-DD') as date, coalesce(human, 0) as human, coalesce(ai, 0) as ai
     from (select generate_series(
       date_trunc('day', $2::timestamptz at time zone $5), ($3::timestamptz at time zone $5) - interval '1 microsecond',
       interval '1 day')::date as day) as days
     left join counted using (day) order by day`

export const devlogsPerHour = `select extract(isodow from created_at at time zone $5)::int as weekday,
       extract(hour from created_at at time zone $5)::int as hour, count(*)::int as count
     from analytics.devlogs where group_id = $1 and created_at >= $2 and created_at < $3 and ($4::text is null or service = $4) group by 1, 2 order by 1, 2`
