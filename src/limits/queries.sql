-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/limits/alerts/alert-store.ts activeAlerts
select *
from "alerts"."rules"
where "is_active" = $1
order by "created_at", "id";

select *
from "alerts"."rules"
where "is_active" = $1
  and "group_id" = $2
  and "kind" in ($3)
order by "created_at", "id";

-- src/limits/alerts/alert-store.ts countAlerts
select count(*) as "count"
from "alerts"."rules"
where "group_id" = $1;

-- src/limits/alerts/alert-store.ts deleteAlert
delete from "alerts"."rules"
where "id" = $1;

-- src/limits/alerts/alert-store.ts findAlert
select "r".*, exists (
  select from alerts.firings f where f.alert_id = r.id and f.ended_at is null
) as "is_firing" from "alerts"."rules" as "r" where "r"."id" = $1 and "r"."group_id" in ($2);

-- src/limits/alerts/alert-store.ts insertAlert
insert into "alerts"."rules" ("id", "group_id", "name", "kind", "severity", "channels", "is_active",
  "created_by", "config")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- src/limits/alerts/alert-store.ts listAlerts
select "r".*, exists (
  select from alerts.firings f where f.alert_id = r.id and f.ended_at is null
) as "is_firing" from "alerts"."rules" as "r" where "r"."group_id" = $1 order by "r"."created_at", "r"."id";

-- src/limits/alerts/alert-store.ts readWanted
select distinct "group_id", "kind"
from "alerts"."rules"
where "is_active" = $1;

-- src/limits/alerts/alert-store.ts updateAlert
update "alerts"."rules"
set "name" = $1, "is_active" = $2, "config" = $3,
  "active_since" = case when is_active then active_since else $4 end, "updated_at" = $5
where "id" = $6;

-- src/limits/alerts/firing-store.ts deleteOldFirings
delete from "alerts"."firings"
where "ended_at" < $1;

-- src/limits/alerts/firing-store.ts endFiring
update "alerts"."firings"
set "ended_at" = $1, "end_title" = $2, "end_text" = $3, "end_told_at" = $4
where "id" = $5;

-- src/limits/alerts/firing-store.ts firingAlerts
select "r"."name", "r"."severity", "f"."title", "f"."text", "f"."path", "f"."fired_at"
from "alerts"."rules" as "r"
inner join "alerts"."firings" as "f" on "f"."alert_id" = "r"."id"
where "r"."group_id" = $1
  and "r"."kind" in ($2)
  and "f"."ended_at" is null
order by "f"."fired_at"
limit $3;

-- src/limits/alerts/firing-store.ts insertFirings
insert into "alerts"."firings" ("id", "alert_id", "group_id", "thing", "title", "text", "path", "fired_at",
  "ended_at", "end_title", "end_text", "told_at", "end_told_at", "data")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);

update "alerts"."rules"
set "last_fired_at" = $1
where "id" = $2;

-- src/limits/alerts/firing-store.ts knownThings
select distinct "thing"
from "alerts"."firings"
where "alert_id" = $1
  and "thing" in ($2);

-- src/limits/alerts/firing-store.ts lockAlert
select *
from "alerts"."rules"
where "id" = $1
for update;

-- src/limits/alerts/firing-store.ts markTold
update "alerts"."firings"
set "told_at" = $1, "end_told_at" = $2
where "id" = $3;

-- src/limits/alerts/firing-store.ts openFirings
select *
from "alerts"."firings"
where "alert_id" = $1
  and "ended_at" is null;

-- src/limits/alerts/firing-store.ts takeUntold
select *
from "alerts"."firings"
where "alert_id" = $1
  and (told_at is null or (ended_at is not null and end_told_at is null))
order by "fired_at", "id"
limit $2
for update skip locked;

-- src/limits/alerts/kinds/anomaly.ts explain
select model, api_key_id as id, (select name from alerts.api_keys k where k.id = api_key_id) as key, hour,
  sum(cost)::text as cost
from alerts.usage_hours
where group_id = $1 and hour = any ($2::timestamptz[])
group by model, api_key_id, hour;

-- src/limits/alerts/kinds/anomaly.ts readHours
select hour, sum(cost)::text as cost from alerts.usage_hours
where group_id = $1 and hour = any ($2::timestamptz[]) group by hour;

select hour
from alerts.usage_hours
where group_id = $1
order by hour
limit 1;

-- src/limits/alerts/kinds/failed.ts failedDeployments
select id, service, environment, version from alerts.deployments
where group_id = $1 and status = 'failed' and at >= $2
order by at desc limit 200;

select id, service, environment, version from alerts.deployments
where group_id = $1 and status = 'failed' and at >= $2
  and "service" = any ($3::text[]) and "environment" = any ($4::text[])
order by at desc limit 200;

-- src/limits/alerts/kinds/failed.ts failedRuns
select id, agent_id, agent, error from alerts.runs
where group_id = $1 and status = 'failed' and finished_at >= $2
order by finished_at desc limit 200;

select id, agent_id, agent, error from alerts.runs
where group_id = $1 and status = 'failed' and finished_at >= $2 and agent_id = any ($3::text[])
order by finished_at desc limit 200;

-- src/limits/alerts/kinds/installation.ts readBackups
select "finished_at", "error"
from "alerts"."backups"
order by "finished_at" desc, "id" desc
limit $1;

select "finished_at"
from "alerts"."backups"
where "error" is null
order by "finished_at" desc, "id" desc
limit $1;

-- src/limits/alerts/kinds/installation.ts readDisks
select "host", "free_bytes", "total_bytes"
from "alerts"."disks"
where "measured_at" >= $1
order by "host";

-- src/limits/alerts/kinds/installation.ts saveBackup
insert into "alerts"."backups" ("id", "finished_at", "error")
values ($1, $2, $3);

select "id"
from "alerts"."backups"
order by "finished_at" desc
limit $1;

delete from "alerts"."backups"
where "id" not in (select "id" from "alerts"."backups" order by "finished_at" desc limit $1);

-- src/limits/alerts/kinds/installation.ts saveDisk
insert into "alerts"."disks" ("host", "free_bytes", "total_bytes", "measured_at")
values ($1, $2, $3, $4)
on conflict ("host") do update
set "free_bytes" = $5, "total_bytes" = $6, "measured_at" = $7;

-- src/limits/alerts/kinds/provider-key.ts refusedKeys
select k.id, k.name, k.key_suffix, k.provider_id, coalesce(r.used, 0)::int as used,
  coalesce(r.refused, 0)::int as refused, coalesce(r.works, false) as works
from alerts.provider_keys k
left join (
  select provider_key_id, count(*) as used, count(*) filter (where is_refused) as refused,
    bool_or(status_code < 400) filter (where nth = 1) as works
  from (
    select provider_key_id, status_code, is_refused,
      row_number() over (partition by provider_key_id order by id desc, place desc) as nth
    from (
      select id, place, provider_key_id, status_code, is_refused from alerts.calls
      where group_id = $1 and id >= $2::uuid and provider_key_id is not null
        and status_code <> 499
      order by id desc limit $3
    ) as newest
  ) as ranked where nth <= $4 group by provider_key_id
) r on r.provider_key_id = k.id
where k.group_id = $5 and k.is_active order by k.id;

-- src/limits/alerts/kinds/provider.ts countErrors
select provider, count(*)::int as requests, count(*) filter (where has_failed)::int as errors,
  left((array_agg(message order by id desc) filter (where has_failed))[1], 300) as message
from (
  select id, provider, message,
    status_code >= 500 or status_code in (401, 402, 403, 408, 429) as has_failed
  from alerts.calls
  where group_id = $1 and id >= $2::uuid and provider is not null and provider_key_id is not null
    and ($3::text is null or provider = $4)
  order by id desc limit $5
) as newest group by provider order by provider;

-- src/limits/alerts/kinds/provider.ts measureLatency
select provider, count(*)::int as requests,
  percentile_disc(0.95) within group (order by ms)::int as p95
from (
  select provider, ttft_ms as ms from alerts.requests
  where group_id = $1 and id >= $2::uuid and provider is not null and status_code < 400
    and ttft_ms is not null and ($3::text is null or provider = $4)
    and ($5::text is null or model = $6)
  order by id desc limit $7
) as newest group by provider order by provider;

select provider, count(*)::int as requests,
  percentile_disc(0.95) within group (order by ms)::int as p95
from (
  select provider, duration_ms as ms from alerts.requests
  where group_id = $1 and id >= $2::uuid and provider is not null and status_code < 400
    and duration_ms is not null and ($3::text is null or provider = $4)
    and ($5::text is null or model = $6)
  order by id desc limit $7
) as newest group by provider order by provider;

-- src/limits/alerts/kinds/services.ts troubledServices
select id, name, state, state_since, incident_id, opened_at, cause from alerts.services
where group_id = $1  and (state in ('down', 'maintenance') or incident_id is not null)
order by name limit 500;

select id, name, state, state_since, incident_id, opened_at, cause from alerts.services
where group_id = $1 and name = any ($2::text[]) and (state in ('down',
  'maintenance') or incident_id is not null)
order by name limit 500;

-- src/limits/alerts/kinds/spend.ts largestSince
select model, (select name from alerts.api_keys k where k.id = api_key_id) as key,
    trim_scale(sum(cost))::text as cost
  from (
  select model, api_key_id, cost from alerts.usage_days
  where group_id = $1 and day >= $2::date
  union all
  select model, api_key_id, cost from alerts.usage_hours
  where group_id = $3 and hour >= $4 and hour < $5
  union all
  select model, api_key_id, cost from alerts.requests
  where group_id = $6 and id >= $7::uuid and id < $8::uuid
) as costs
  group by model, api_key_id order by sum(cost) desc, model limit 3;

select model, (select name from alerts.api_keys k where k.id = api_key_id) as key,
    trim_scale(sum(cost))::text as cost
  from (
  select model, api_key_id, cost from alerts.usage_days
  where group_id = $1 and api_key_id = $2 and day >= $3::date
  union all
  select model, api_key_id, cost from alerts.usage_hours
  where group_id = $4 and api_key_id = $5 and hour >= $6 and hour < $7
  union all
  select model, api_key_id, cost from alerts.requests
  where group_id = $8 and api_key_id = $9 and id >= $10::uuid and id < $11::uuid
) as costs
  group by model, api_key_id order by sum(cost) desc, model limit 3;

select model, (select name from alerts.api_keys k where k.id = api_key_id) as key,
    trim_scale(sum(cost))::text as cost
  from (
  select model, api_key_id, cost from alerts.usage_days
 
    where group_id = $1 and api_key_id in (select id
    from alerts.api_keys
    where group_id = $2 and created_by = $3) and day >= $4::date
  union all
  select model, api_key_id, cost from alerts.usage_hours
 
    where group_id = $5 and api_key_id in (select id
    from alerts.api_keys
    where group_id = $6 and created_by = $7) and hour >= $8 and hour < $9
  union all
  select model, api_key_id, cost from alerts.requests
 
    where group_id = $10 and api_key_id in (select id
    from alerts.api_keys
    where group_id = $11 and created_by = $12) and id >= $13::uuid and id < $14::uuid
) as costs
  group by model, api_key_id order by sum(cost) desc, model limit 3;

select model, (select name from alerts.api_keys k where k.id = api_key_id) as key,
    trim_scale(sum(cost))::text as cost
  from (
  select model, api_key_id, cost from alerts.usage_days
  where group_id = $1 and model = $2 and day >= $3::date
  union all
  select model, api_key_id, cost from alerts.usage_hours
  where group_id = $4 and model = $5 and hour >= $6 and hour < $7
  union all
  select model, api_key_id, cost from alerts.requests
  where group_id = $8 and model = $9 and id >= $10::uuid and id < $11::uuid
) as costs
  group by model, api_key_id order by sum(cost) desc, model limit 3;

select model, (select name from alerts.api_keys k where k.id = api_key_id) as key,
    trim_scale(sum(cost))::text as cost
  from (
  select model, api_key_id, cost from alerts.usage_days
  where group_id = $1 and provider = $2 and day >= $3::date
  union all
  select model, api_key_id, cost from alerts.usage_hours
  where group_id = $4 and provider = $5 and hour >= $6 and hour < $7
  union all
  select model, api_key_id, cost from alerts.requests
  where group_id = $8 and provider = $9 and id >= $10::uuid and id < $11::uuid
) as costs
  group by model, api_key_id order by sum(cost) desc, model limit 3;

-- src/limits/alerts/kinds/spend.ts spentSince
select trim_scale(coalesce(sum(cost), 0))::text as cost, coalesce(sum(cost), 0) >= $1::numeric as "isOver"
  from (
  select model, api_key_id, cost from alerts.usage_days
  where group_id = $2 and day >= $3::date
  union all
  select model, api_key_id, cost from alerts.usage_hours
  where group_id = $4 and hour >= $5 and hour < $6
  union all
  select model, api_key_id, cost from alerts.requests
  where group_id = $7 and id >= $8::uuid and id < $9::uuid
) as costs;

select trim_scale(coalesce(sum(cost), 0))::text as cost, coalesce(sum(cost), 0) >= $1::numeric as "isOver"
  from (
  select model, api_key_id, cost from alerts.usage_days
  where group_id = $2 and api_key_id = $3 and day >= $4::date
  union all
  select model, api_key_id, cost from alerts.usage_hours
  where group_id = $5 and api_key_id = $6 and hour >= $7 and hour < $8
  union all
  select model, api_key_id, cost from alerts.requests
  where group_id = $9 and api_key_id = $10 and id >= $11::uuid and id < $12::uuid
) as costs;

select trim_scale(coalesce(sum(cost), 0))::text as cost, coalesce(sum(cost), 0) >= $1::numeric as "isOver"
  from (
  select model, api_key_id, cost from alerts.usage_days
 
    where group_id = $2 and api_key_id in (select id
    from alerts.api_keys
    where group_id = $3 and created_by = $4) and day >= $5::date
  union all
  select model, api_key_id, cost from alerts.usage_hours
 
    where group_id = $6 and api_key_id in (select id
    from alerts.api_keys
    where group_id = $7 and created_by = $8) and hour >= $9 and hour < $10
  union all
  select model, api_key_id, cost from alerts.requests
 
    where group_id = $11 and api_key_id in (select id
    from alerts.api_keys
    where group_id = $12 and created_by = $13) and id >= $14::uuid and id < $15::uuid
) as costs;

select trim_scale(coalesce(sum(cost), 0))::text as cost, coalesce(sum(cost), 0) >= $1::numeric as "isOver"
  from (
  select model, api_key_id, cost from alerts.usage_days
  where group_id = $2 and model = $3 and day >= $4::date
  union all
  select model, api_key_id, cost from alerts.usage_hours
  where group_id = $5 and model = $6 and hour >= $7 and hour < $8
  union all
  select model, api_key_id, cost from alerts.requests
  where group_id = $9 and model = $10 and id >= $11::uuid and id < $12::uuid
) as costs;

select trim_scale(coalesce(sum(cost), 0))::text as cost, coalesce(sum(cost), 0) >= $1::numeric as "isOver"
  from (
  select model, api_key_id, cost from alerts.usage_days
  where group_id = $2 and provider = $3 and day >= $4::date
  union all
  select model, api_key_id, cost from alerts.usage_hours
  where group_id = $5 and provider = $6 and hour >= $7 and hour < $8
  union all
  select model, api_key_id, cost from alerts.requests
  where group_id = $9 and provider = $10 and id >= $11::uuid and id < $12::uuid
) as costs;

select trim_scale(coalesce(sum(cost), 0))::text as cost, coalesce(sum(cost), 0) >= $1::numeric as "isOver"
from (
  select cost from alerts.usage_parts
  where group_id = $2 and kind = 'tag' and value = $3
    and day >= $4::date
) as costs;

-- src/limits/alerts/kinds/spend.ts windowStart
select date_trunc($1, $2::timestamptz, time_zone) as start,
  to_char(date_trunc($3, $4::timestamptz, time_zone) at time zone time_zone, 'YYYY-MM-DD') as day
from alerts.time_zones where group_id = $5;

select date_trunc($1, $2::timestamptz, 'UTC') as start,
  to_char(date_trunc($3, $4::timestamptz, 'UTC') at time zone 'UTC', 'YYYY-MM-DD') as day
from alerts.time_zones where group_id = $5;

-- src/limits/alerts/kinds/subject.ts findNamed
select name
from alerts.api_keys
where group_id = $1
  and id = $2;

select name
from alerts.members
where group_id = $1
  and id = $2;

-- src/limits/alerts/kinds/unpriced.ts unpricedModels
select provider, model, sum(unpriced_requests)::int as requests from alerts.usage_hours
where group_id = $1 and hour >= $2 and not is_error and unpriced_requests > 0
  and provider is not null
group by provider, model order by requests desc, provider, model limit 100;

-- src/limits/alerts/kinds/waiting.ts waitingApprovals
select id, database, operations, agent_id, agent, reason, created_at, expires_at from alerts.approvals
where group_id = $1 and status = 'pending' and expires_at > $2 and created_at <= $3
order by created_at limit 200;

-- src/limits/alerts/kinds/waiting.ts waitingRuns
select id, agent_id, agent, waiting_for, updated_at from alerts.runs
where group_id = $1 and status = 'waiting' and updated_at <= $2
  and (waiting_for ->> 'kind' <> 'approval' or not exists (
    select from alerts.rules where group_id = $3 and kind = 'approval_waiting' and is_active
  ))
order by created_at limit 200;

-- src/limits/alerts/recommend.ts countLately
select
(select count(*)::int from alerts.incidents where group_id = $1 and opened_at >= $2) as incidents,
(select count(*)::int from alerts.approvals where group_id = $3 and created_at >= $4) as approvals,
(select count(*)::int from alerts.runs
  where group_id = $5 and status = 'failed' and finished_at >= $6) as runs,
(select count(*)::int from alerts.deployments
  where group_id = $7 and status = 'failed' and at >= $8) as deployments;

-- src/limits/alerts/recommend.ts dailyCosts
select sum(cost)::float8 as cost from alerts.usage_days
where group_id = $1 and day >= $2::date group by day;

-- src/limits/alerts/recommend.ts existingKinds
select distinct "kind"
from "alerts"."rules"
where "group_id" = $1;

-- src/limits/holder-store.ts beat
with before as (select seen_at from limits.holders where id = $1)
insert into limits.holders (id) values ($1) on conflict (id) do update set seen_at = now()
returning (select extract(epoch from now() - before.seen_at) * 1000 from before)::float8 as "gapMs";

-- src/limits/holder-store.ts deadLeases
select l.limit_id as "limitId", l.starts_at as "startsAt", l.holder, h.seen_at as "seenAt"
from limits.leases l left join limits.holders h on h.id = l.holder
where h.id is null or h.seen_at < now() - interval '20 seconds'
order by l.limit_id, l.starts_at limit 1000;

-- src/limits/holder-store.ts reclaim
select
from limits.windows
where limit_id = $1
  and starts_at = $2
for update;

delete from limits.leases l where limit_id = $1 and starts_at = $2 and holder = $3
  and not exists (select
    from limits.holders h
    where h.id = l.holder and h.seen_at >= now() - interval '20 seconds')
returning granted;

update limits.windows
set leased = greatest(0, leased - $3)
where limit_id = $1
  and starts_at = $2;

-- src/limits/holder-store.ts removeDead
delete from limits.holders h where seen_at < now() - interval '1 hour'
and not exists (select from limits.leases l where l.holder = h.id);

-- src/limits/holder-store.ts removeHolder
delete from limits.holders
where id = $1;

-- src/limits/lease-store.ts exchangeLease
select used, leased, reached_at, counted_to from limits.windows
where limit_id = $1 and starts_at = $2 for update;

select granted, report
from limits.leases
where limit_id = $1
  and starts_at = $2
  and holder = $3;

with written as (
  update limits.windows
    set used = $4, leased = $5, reached_at = case when $6 then coalesce(reached_at, now()) end
  where limit_id = $1 and starts_at = $2
), noted as (
  insert into limits.spent as spent (limit_id, starts_at, ended_from, amount)
  select $1, $2, to_timestamp(ended / 1000.0), amount
  from unnest($7::bigint[], $8::numeric[]) as given (ended, amount) order by ended
  on conflict (limit_id, starts_at, ended_from) do update set amount = spent.amount + excluded.amount
) insert into limits.leases (limit_id, starts_at, holder, granted, reserved, report)
values ($1, $2, $3, $9, $10, $11)
on conflict (limit_id, starts_at, holder) do update
  set granted = excluded.granted, reserved = excluded.reserved, report = excluded.report;

select pg_notify('limits_wanted', $1);

with written as (
  update limits.windows
    set used = $4, leased = $5, reached_at = case when $6 then coalesce(reached_at, now()) end
  where limit_id = $1 and starts_at = $2
), noted as (
  insert into limits.spent as spent (limit_id, starts_at, ended_from, amount)
  select $1, $2, to_timestamp(ended / 1000.0), amount
  from unnest($7::bigint[], $8::numeric[]) as given (ended, amount) order by ended
  on conflict (limit_id, starts_at, ended_from) do update set amount = spent.amount + excluded.amount
) delete from limits.leases where limit_id = $1 and starts_at = $2 and holder = $3;

-- src/limits/limit-store.ts allLimits
select *
from "limits"."limits"
order by "id";

-- src/limits/limit-store.ts deleteLimit
delete from "limits"."limits"
where "id" = $1;

-- src/limits/limit-store.ts findLimit
select *
from "limits"."limits"
where "id" = $1
  and "group_id" in ($2);

-- src/limits/limit-store.ts insertLimit
insert into "limits"."limits" ("id", "group_id", "subject_type", "subject_id", "metric", "amount",
  "time_window", "action", "on_outage", "unpriced", "created_by")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
returning *;

-- src/limits/limit-store.ts listLimits
select *
from "limits"."limits"
where "group_id" = $1
order by "created_at", "id";

-- src/limits/limit-store.ts updateLimit
update "limits"."limits"
set "amount" = $1, "action" = $2, "on_outage" = $3, "unpriced" = $4, "updated_at" = $5
where "id" = $6
returning *;

-- src/limits/limit-store.ts windowStates
select w.limit_id, w.used, coalesce((
  select sum(l.reserved) from limits.leases l where l.limit_id = w.limit_id and l.starts_at = w.starts_at
), 0) as reserved
from limits.windows w
join unnest($1::uuid[], $2::timestamptz[]) as asked (id, start)
  on w.limit_id = asked.id and w.starts_at = asked.start;

-- src/limits/window-store.ts deleteOld
delete from limits.spent
where ended_from < now() - interval '2 days';

delete from limits.windows
where ends_at < now() - interval '3 days';

-- src/limits/window-store.ts insertRecount
insert into limits.recounts (id, limit_id, starts_at, ended_from, ended_to, due_at)
select $1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond'
where exists (select from limits.windows where limit_id = $2 and starts_at = $3);

-- src/limits/window-store.ts insertSteps
insert into limits.spent (limit_id, starts_at, ended_from, amount)
select $1, $2, ended, amount from unnest($3::timestamptz[], $4::numeric[]) as given (ended, amount);

-- src/limits/window-store.ts insertWindow
insert into limits.windows (limit_id, starts_at, ends_at, used, counted_to)
select $1, $2, $3, $4, $5 where exists (select from limits.limits where id = $1)
on conflict (limit_id, starts_at) do nothing;

-- src/limits/window-store.ts replaceSteps
select
from limits.windows
where limit_id = $1
  and starts_at = $2
for update;

delete from limits.spent where limit_id = $1 and starts_at = $2 and ended_from >= $3 and ended_from < $4
returning amount;

update limits.windows
set used = greatest(0, used + $3)
where limit_id = $1
  and starts_at = $2;

-- src/limits/window-store.ts takeRecount
with taken as (
     update limits.recounts
       set runs = runs + 1,
       due_at = now() + case runs when 0 then interval '30 seconds' when 1 then interval '2 minutes'
when 2 then interval '15 minutes' when 3 then interval '2 hours' else interval '1 day' end
    
       where id = (select id
       from limits.recounts
       where due_at <= now()
       order by due_at
       limit 1
       for update skip locked)
     returning *
   ), over as (delete from limits.recounts where runs > 5 and due_at <= now())
   select t.id, t.limit_id as "limitId", t.starts_at as "startsAt", w.ends_at as "endsAt",
     t.ended_from as "from",
     t.ended_to as "to"
   from taken t join limits.windows w on w.limit_id = t.limit_id and w.starts_at = t.starts_at;
