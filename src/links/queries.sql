-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/links/cost/cost-store.ts sumCosts
with units as materialized (
  select w.unit_type = 'request' as is_request, coalesce(s.external_id, w.unit_id) as unit, w.id as thing,
    max(w.strength) as strength
  from links.work w
  left join links.sessions s
    on w.unit_type = 'session' and s.group_id = $1 and s.id = links.uuid_in(w.unit_id)
  where w.group_id = $2 and w.type = $3 and exists (
  select from "links"."tickets" t where t.group_id = $4 and t.id = links.uuid_in(w.id))
  group by 1, 2, 3
), ranked as (
  select *, max(strength) over (partition by is_request, unit) as best from units
), shares as materialized (
  select is_request, unit, thing, strength, count(*) over each as n,
    row_number() over (partition by is_request, unit order by thing) as place
  from ranked where strength = best window each as (partition by is_request, unit)
), named as materialized (
  select substring(from_id from 5)::uuid as request from links.live
  where group_id = $5 and from_type = 'request' and (to_type = 'pull_request'
    or to_type = 'ticket' and exists (
  select from "links"."tickets" t where t.group_id = $6 and t.id = links.uuid_in(to_id))
    or to_type = 'initiative' and exists (
  select from "links"."initiatives" t where t.group_id = $7 and t.id = links.uuid_in(to_id)))
), parts as materialized (
  select r.id as request, r.cost, r.started_at, h.unit, h.thing, h.n, h.place, h.strength
  from shares h join links.requests r on r.session_key = h.unit
  where not h.is_request and r.group_id = $8 and r.id not in (select request from named)
  union all
  select r.id, r.cost, r.started_at, coalesce(r.session_key, r.id::text), h.thing, h.n, h.place, h.strength
  from shares h join links.requests r on r.id = substring(h.unit from 5)::uuid
  where h.is_request and r.group_id = $9
)
select p.thing as id, trim_scale(coalesce(sum(part) filter (where layer = 'exact'), 0)) as exact,
  trim_scale(coalesce(sum(part) filter (where layer = 'inferred'), 0)) as inferred,
  trim_scale(coalesce(sum(part) filter (where layer = 'shared'), 0)) as shared,
  trim_scale(sum(part)) as total,
  trim_scale(coalesce(sum(part) filter (where p.started_at > f.at), 0)) as rework,
  count(distinct p.unit)::int as sessions, count(*)::int as requests
from (
  select thing, unit, started_at,
    case when n > 1 then 'shared' when strength = 2 then 'exact' else 'inferred' end as layer,
    case when n = 1 then cost else trunc(cost / n, 12)
      + case when place = 1 then cost - n * trunc(cost / n, 12) else 0 end end as part
  from parts
) as p
left join links.failed f on f.group_id = $10 and f.type = $11 and f.id = p.thing
group by p.thing order by sum(part) desc, p.thing limit $12;

with units as materialized (
  select w.unit_type = 'request' as is_request, coalesce(s.external_id, w.unit_id) as unit, w.id as thing,
    max(w.strength) as strength
  from links.work w
  left join links.sessions s
    on w.unit_type = 'session' and s.group_id = $1 and s.id = links.uuid_in(w.unit_id)
  where w.group_id = $2 and w.type = $3 and exists (
  select
    from "links"."tickets" t
    where t.group_id = $4 and t.id = links.uuid_in(w.id)) and (w.unit_type, w.unit_id) in (
  select m.unit_type, m.unit_id from links.work m where m.group_id = $5 and m.type = $6 and m.id = $7
  union
  select 'session', twin.id::text from links.work m
  join links.sessions s on s.group_id = $8 and s.id = links.uuid_in(m.unit_id)
  join links.sessions twin on twin.group_id = $9 and twin.external_id = s.external_id
  where m.unit_type = 'session' and m.group_id = $10 and m.type = $11 and m.id = $12)
  group by 1, 2, 3
), ranked as (
  select *, max(strength) over (partition by is_request, unit) as best from units
), shares as materialized (
  select is_request, unit, thing, strength, count(*) over each as n,
    row_number() over (partition by is_request, unit order by thing) as place
  from ranked where strength = best window each as (partition by is_request, unit)
), named as materialized (
  select substring(from_id from 5)::uuid as request from links.live
  where group_id = $13 and from_type = 'request' and (to_type = 'pull_request'
    or to_type = 'ticket' and exists (
  select from "links"."tickets" t where t.group_id = $14 and t.id = links.uuid_in(to_id))
    or to_type = 'initiative' and exists (
  select from "links"."initiatives" t where t.group_id = $15 and t.id = links.uuid_in(to_id)))
), parts as materialized (
  select r.id as request, r.cost, r.started_at, h.unit, h.thing, h.n, h.place, h.strength
  from shares h join links.requests r on r.session_key = h.unit
 
    where not h.is_request and r.group_id = $16 and r.id >= $17::uuid and r.id < $18::uuid and r.id not in (select request
    from named)
  union all
  select r.id, r.cost, r.started_at, coalesce(r.session_key, r.id::text), h.thing, h.n, h.place, h.strength
  from shares h join links.requests r on r.id = substring(h.unit from 5)::uuid
  where h.is_request and r.group_id = $19 and r.id >= $20::uuid and r.id < $21::uuid
)
select p.thing as id, trim_scale(coalesce(sum(part) filter (where layer = 'exact'), 0)) as exact,
  trim_scale(coalesce(sum(part) filter (where layer = 'inferred'), 0)) as inferred,
  trim_scale(coalesce(sum(part) filter (where layer = 'shared'), 0)) as shared,
  trim_scale(sum(part)) as total,
  trim_scale(coalesce(sum(part) filter (where p.started_at > f.at), 0)) as rework,
  count(distinct p.unit)::int as sessions, count(*)::int as requests
from (
  select thing, unit, started_at,
    case when n > 1 then 'shared' when strength = 2 then 'exact' else 'inferred' end as layer,
    case when n = 1 then cost else trunc(cost / n, 12)
      + case when place = 1 then cost - n * trunc(cost / n, 12) else 0 end end as part
  from parts
) as p
left join links.failed f on f.group_id = $22 and f.type = $23 and f.id = p.thing
where p.thing = $24
group by p.thing order by sum(part) desc, p.thing limit $25;

with parts as materialized (
  select r.id as request, r.cost, r.started_at, coalesce(r.session_key, r.id::text) as unit,
    coalesce(k.created_by, n.started_by)::text as thing,
    1 as n, 1 as place, 2 as strength
  from links.requests r
  left join links.api_keys k on k.id = r.api_key_id
  left join links.runs n on n.group_id = $1 and n.id::text = r.session_key
  where r.group_id = $2 and coalesce(k.created_by, n.started_by) is not null
)
select p.thing as id, trim_scale(coalesce(sum(part) filter (where layer = 'exact'), 0)) as exact,
  trim_scale(coalesce(sum(part) filter (where layer = 'inferred'), 0)) as inferred,
  trim_scale(coalesce(sum(part) filter (where layer = 'shared'), 0)) as shared,
  trim_scale(sum(part)) as total,
  trim_scale(coalesce(sum(part) filter (where p.started_at > f.at), 0)) as rework,
  count(distinct p.unit)::int as sessions, count(*)::int as requests
from (
  select thing, unit, started_at,
    case when n > 1 then 'shared' when strength = 2 then 'exact' else 'inferred' end as layer,
    case when n = 1 then cost else trunc(cost / n, 12)
      + case when place = 1 then cost - n * trunc(cost / n, 12) else 0 end end as part
  from parts
) as p
left join links.failed f on f.group_id = $3 and f.type = $4 and f.id = p.thing
group by p.thing order by sum(part) desc, p.thing limit $5;

with parts as materialized (
  select r.id as request, r.cost, r.started_at, coalesce(r.session_key, r.id::text) as unit,
    coalesce(k.created_by, n.started_by)::text as thing,
    1 as n, 1 as place, 2 as strength
  from links.requests r
  left join links.api_keys k on k.id = r.api_key_id
  left join links.runs n on n.group_id = $1 and n.id::text = r.session_key
 
    where r.group_id = $2 and r.id >= $3::uuid and r.id < $4::uuid and coalesce(k.created_by,
    n.started_by) is not null
    and coalesce(k.created_by, n.started_by)::text = $5
)
select p.thing as id, trim_scale(coalesce(sum(part) filter (where layer = 'exact'), 0)) as exact,
  trim_scale(coalesce(sum(part) filter (where layer = 'inferred'), 0)) as inferred,
  trim_scale(coalesce(sum(part) filter (where layer = 'shared'), 0)) as shared,
  trim_scale(sum(part)) as total,
  trim_scale(coalesce(sum(part) filter (where p.started_at > f.at), 0)) as rework,
  count(distinct p.unit)::int as sessions, count(*)::int as requests
from (
  select thing, unit, started_at,
    case when n > 1 then 'shared' when strength = 2 then 'exact' else 'inferred' end as layer,
    case when n = 1 then cost else trunc(cost / n, 12)
      + case when place = 1 then cost - n * trunc(cost / n, 12) else 0 end end as part
  from parts
) as p
left join links.failed f on f.group_id = $6 and f.type = $7 and f.id = p.thing
where p.thing = $8
group by p.thing order by sum(part) desc, p.thing limit $9;

with folders as materialized (
  select external_id, project, count(*) over each as n,
    row_number() over (partition by external_id order by project) as place
  from (
    select distinct s.external_id, s.project
      from links.sessions s
      where s.group_id = $1 and s.project is not null
  ) as given window each as (partition by external_id)
), parts as materialized (
  select r.id as request, r.cost, r.started_at, r.session_key as unit, f.project as thing, f.n, f.place,
    2 as strength
  from folders f join links.requests r on r.session_key = f.external_id
  where r.group_id = $2
)
select p.thing as id, trim_scale(coalesce(sum(part) filter (where layer = 'exact'), 0)) as exact,
  trim_scale(coalesce(sum(part) filter (where layer = 'inferred'), 0)) as inferred,
  trim_scale(coalesce(sum(part) filter (where layer = 'shared'), 0)) as shared,
  trim_scale(sum(part)) as total,
  trim_scale(coalesce(sum(part) filter (where p.started_at > f.at), 0)) as rework,
  count(distinct p.unit)::int as sessions, count(*)::int as requests
from (
  select thing, unit, started_at,
    case when n > 1 then 'shared' when strength = 2 then 'exact' else 'inferred' end as layer,
    case when n = 1 then cost else trunc(cost / n, 12)
      + case when place = 1 then cost - n * trunc(cost / n, 12) else 0 end end as part
  from parts
) as p
left join links.failed f on f.group_id = $3 and f.type = $4 and f.id = p.thing
group by p.thing order by sum(part) desc, p.thing limit $5;

with folders as materialized (
  select external_id, project, count(*) over each as n,
    row_number() over (partition by external_id order by project) as place
  from (
    select distinct s.external_id, s.project
      from links.sessions s
      where s.group_id = $1 and s.project is not null
      and s.external_id in (select external_id
        from links.sessions s
        where s.group_id = $2 and s.project is not null and project = $3)
  ) as given window each as (partition by external_id)
), parts as materialized (
  select r.id as request, r.cost, r.started_at, r.session_key as unit, f.project as thing, f.n, f.place,
    2 as strength
  from folders f join links.requests r on r.session_key = f.external_id
  where r.group_id = $4 and r.id >= $5::uuid and r.id < $6::uuid
)
select p.thing as id, trim_scale(coalesce(sum(part) filter (where layer = 'exact'), 0)) as exact,
  trim_scale(coalesce(sum(part) filter (where layer = 'inferred'), 0)) as inferred,
  trim_scale(coalesce(sum(part) filter (where layer = 'shared'), 0)) as shared,
  trim_scale(sum(part)) as total,
  trim_scale(coalesce(sum(part) filter (where p.started_at > f.at), 0)) as rework,
  count(distinct p.unit)::int as sessions, count(*)::int as requests
from (
  select thing, unit, started_at,
    case when n > 1 then 'shared' when strength = 2 then 'exact' else 'inferred' end as layer,
    case when n = 1 then cost else trunc(cost / n, 12)
      + case when place = 1 then cost - n * trunc(cost / n, 12) else 0 end end as part
  from parts
) as p
left join links.failed f on f.group_id = $7 and f.type = $8 and f.id = p.thing
where p.thing = $9
group by p.thing order by sum(part) desc, p.thing limit $10;

-- src/links/cost/cost-store.ts sumLedger
with units as materialized (
  select w.unit_type = 'request' as is_request, coalesce(s.external_id, w.unit_id) as unit, w.id as thing,
    max(w.strength) as strength
  from links.work w
  left join links.sessions s
    on w.unit_type = 'session' and s.group_id = $1 and s.id = links.uuid_in(w.unit_id)
  where w.group_id = $2 and w.type = $3 and exists (
  select from "links"."tickets" t where t.group_id = $4 and t.id = links.uuid_in(w.id))
  group by 1, 2, 3
), ranked as (
  select *, max(strength) over (partition by is_request, unit) as best from units
), shares as materialized (
  select is_request, unit, thing, strength, count(*) over each as n,
    row_number() over (partition by is_request, unit order by thing) as place
  from ranked where strength = best window each as (partition by is_request, unit)
), named as materialized (
  select substring(from_id from 5)::uuid as request from links.live
  where group_id = $5 and from_type = 'request' and (to_type = 'pull_request'
    or to_type = 'ticket' and exists (
  select from "links"."tickets" t where t.group_id = $6 and t.id = links.uuid_in(to_id))
    or to_type = 'initiative' and exists (
  select from "links"."initiatives" t where t.group_id = $7 and t.id = links.uuid_in(to_id)))
), parts as materialized (
  select r.id as request, r.cost, r.started_at, h.unit, h.thing, h.n, h.place, h.strength
  from shares h join links.requests r on r.session_key = h.unit
 
    where not h.is_request and r.group_id = $8 and r.id >= $9::uuid and r.id < $10::uuid and r.id not in (select request
    from named)
  union all
  select r.id, r.cost, r.started_at, coalesce(r.session_key, r.id::text), h.thing, h.n, h.place, h.strength
  from shares h join links.requests r on r.id = substring(h.unit from 5)::uuid
  where h.is_request and r.group_id = $11 and r.id >= $12::uuid and r.id < $13::uuid
), assigned as (
  select request,
    case when max(n) > 1 then 'shared' when max(strength) = 2 then 'exact' else 'inferred' end as layer
  from parts group by request
), after_failure as (
  select distinct p.request from parts p
  join links.failed f on f.group_id = $14 and f.type = $15 and f.id = p.thing
  where p.started_at > f.at
)
select trim_scale(coalesce(sum(r.cost), 0)) as cost,
  trim_scale(coalesce(sum(r.cost) filter (where a.layer = 'exact'), 0)) as exact,
  trim_scale(coalesce(sum(r.cost) filter (where a.layer = 'inferred'), 0)) as inferred,
  trim_scale(coalesce(sum(r.cost) filter (where a.layer = 'shared'), 0)) as shared,
  trim_scale(coalesce(sum(r.cost) filter (where b.request is not null), 0)) as rework,
  count(distinct r.session_key)::int as sessions, count(*)::int as requests
from links.requests r
left join assigned a on a.request = r.id
left join after_failure b on b.request = r.id
where r.group_id = $16 and r.id >= $17::uuid and r.id < $18::uuid;

with parts as materialized (
  select r.id as request, r.cost, r.started_at, coalesce(r.session_key, r.id::text) as unit,
    coalesce(k.created_by, n.started_by)::text as thing,
    1 as n, 1 as place, 2 as strength
  from links.requests r
  left join links.api_keys k on k.id = r.api_key_id
  left join links.runs n on n.group_id = $1 and n.id::text = r.session_key
 
    where r.group_id = $2 and r.id >= $3::uuid and r.id < $4::uuid and coalesce(k.created_by,
    n.started_by) is not null
), assigned as (
  select request,
    case when max(n) > 1 then 'shared' when max(strength) = 2 then 'exact' else 'inferred' end as layer
  from parts group by request
), after_failure as (
  select distinct p.request from parts p
  join links.failed f on f.group_id = $5 and f.type = $6 and f.id = p.thing
  where p.started_at > f.at
)
select trim_scale(coalesce(sum(r.cost), 0)) as cost,
  trim_scale(coalesce(sum(r.cost) filter (where a.layer = 'exact'), 0)) as exact,
  trim_scale(coalesce(sum(r.cost) filter (where a.layer = 'inferred'), 0)) as inferred,
  trim_scale(coalesce(sum(r.cost) filter (where a.layer = 'shared'), 0)) as shared,
  trim_scale(coalesce(sum(r.cost) filter (where b.request is not null), 0)) as rework,
  count(distinct r.session_key)::int as sessions, count(*)::int as requests
from links.requests r
left join assigned a on a.request = r.id
left join after_failure b on b.request = r.id
where r.group_id = $7 and r.id >= $8::uuid and r.id < $9::uuid;

with folders as materialized (
  select external_id, project, count(*) over each as n,
    row_number() over (partition by external_id order by project) as place
  from (
    select distinct s.external_id, s.project
      from links.sessions s
      where s.group_id = $1 and s.project is not null
  ) as given window each as (partition by external_id)
), parts as materialized (
  select r.id as request, r.cost, r.started_at, r.session_key as unit, f.project as thing, f.n, f.place,
    2 as strength
  from folders f join links.requests r on r.session_key = f.external_id
  where r.group_id = $2 and r.id >= $3::uuid and r.id < $4::uuid
), assigned as (
  select request,
    case when max(n) > 1 then 'shared' when max(strength) = 2 then 'exact' else 'inferred' end as layer
  from parts group by request
), after_failure as (
  select distinct p.request from parts p
  join links.failed f on f.group_id = $5 and f.type = $6 and f.id = p.thing
  where p.started_at > f.at
)
select trim_scale(coalesce(sum(r.cost), 0)) as cost,
  trim_scale(coalesce(sum(r.cost) filter (where a.layer = 'exact'), 0)) as exact,
  trim_scale(coalesce(sum(r.cost) filter (where a.layer = 'inferred'), 0)) as inferred,
  trim_scale(coalesce(sum(r.cost) filter (where a.layer = 'shared'), 0)) as shared,
  trim_scale(coalesce(sum(r.cost) filter (where b.request is not null), 0)) as rework,
  count(distinct r.session_key)::int as sessions, count(*)::int as requests
from links.requests r
left join assigned a on a.request = r.id
left join after_failure b on b.request = r.id
where r.group_id = $7 and r.id >= $8::uuid and r.id < $9::uuid;

-- src/links/cost/member-store.ts memberNames
select id, name from links.members
where group_id = $1 and id = any($2::uuid[]);

-- src/links/find/find-store.ts applyRule
with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select s.group_id, page as from_id, s.id as to_id,
    'The session recorded that it opened the pull request.' as evidence
  from links.sessions s
  cross join lateral jsonb_to_recordset(s.links) as said (target text, value text)
  cross join lateral regexp_replace(
    regexp_replace(said.value, '[?#].*$', ''), '/([0-9]{1,10})/(files|commits|checks|changes|diffs)(/.*)?$',
      '/\1') as page
  where said.target = 'pull_request' and page ~ '^https?://.*/[0-9]{1,10}$' and octet_length(page) <= 1000
    and "s"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."to_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (confidence)::real as confidence
  from (
  select p.group_id, p.id as from_id, s.id as to_id,
    format('Same branch %s%s, and the session was at work before the pull request was merged.', s.branch,
      case when s.folder = links.last_part(p.repository) then ' and folder ' || s.folder else '' end) as evidence,
    case when s.folder = links.last_part(p.repository) then 0.85 else 0.6 end as confidence
  from links.pull_requests p
  join links.sessions s on s.group_id = p.group_id and s.branch = p.branch
    and s.last_at > coalesce(p.opened_at, p.stated_at) - interval '30 days'
    and s.last_at <= coalesce(p.merged_at, now()) + interval '1 day'
 
    where lower(p.branch) not in ('main', 'master', 'develop', 'trunk',
    'head') and "s"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."to_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (confidence)::real as confidence
  from (
  select c.group_id, c.id as from_id, s.id as to_id,
    format('Committed while the session was at work in folder %s%s.', s.folder,
      case when c.branch = s.branch then ' on branch ' || s.branch else '' end) as evidence,
    case when c.branch = s.branch then 0.8 else 0.6 end as confidence
  from links.commits c
  join links.sessions s on s.group_id = c.group_id and s.folder = links.last_part(c.repository)
    and s.started_at <= c.made_at and s.last_at > c.made_at - interval '10 minutes'
    and s.last_at < c.made_at + interval '7 days'
  where "s"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."to_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select s.group_id, s.id as from_id, o.id as to_id, 'The session is a subagent of the other.' as evidence
  from links.sessions s
  join links.sessions o on o.group_id = s.group_id and o.assistant = s.assistant and o.external_id = s.parent_key
  where o.id <> s.id and "s"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select s.group_id, s.id as from_id, o.id as to_id, 'The session is a subagent of the other.' as evidence
  from links.sessions s
  join links.sessions o on o.group_id = s.group_id and o.assistant = s.assistant and o.external_id = s.parent_key
  where o.id <> s.id and "o"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."to_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select s.group_id, s.id as from_id, o.id as to_id,
    'The session repeats the beginning of the other.' as evidence
  from links.sessions s
  join links.sessions o on o.group_id = s.group_id and o.assistant = s.assistant and o.external_id = s.fork_key
  where o.id <> s.id and "s"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select s.group_id, s.id as from_id, o.id as to_id,
    'The session repeats the beginning of the other.' as evidence
  from links.sessions s
  join links.sessions o on o.group_id = s.group_id and o.assistant = s.assistant and o.external_id = s.fork_key
  where o.id <> s.id and "o"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."to_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select s.group_id, s.id as from_id, t.id as to_id, 'The first prompt names the ticket.' as evidence
  from links.sessions s
  cross join lateral regexp_matches(left(s.first_prompt, 20000),
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g') as named (ids)
  join links.tickets t on t.group_id = s.group_id and t.id = named.ids[1]::uuid
  where "s"."id" = any($1::uuid[])
  union
  select s.group_id, s.id, t.id, 'The first prompt has the address of the ticket.'
  from links.sessions s
  cross join lateral regexp_matches(left(s.first_prompt, 20000), 'https?://[^[:space:]<>()"'']+',
    'g') as named (addresses)
  join links.tickets t on t.group_id = s.group_id and t.url = rtrim(named.addresses[1], '.,;:!?')
  where "s"."id" = any($2::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $3 and l.to_type = $4 and l.relation = $5 and l.how = $6
    and "l"."from_id" = any($7::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $8, from_id, $9, to_id, $10, $11, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
    select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
      left(evidence, 1000) as evidence, (confidence)::real as confidence
    from (
    select s.group_id, s.id as from_id, t.id as to_id,
      format('The branch %s of the session names the ticket.', s.branch) as evidence,
case when t.short_id = links.short_id_in(s.branch) then 0.95 when t.key = links.key_in(s.branch) then 0.9
  when t.repository = s.folder then 0.8 else 0.5 end as confidence
    from links.sessions s
    join links.tickets t on t.group_id = s.group_id and (
t.key = links.key_in(s.branch) or t.number = links.number_in(s.branch) or t.short_id = links.short_id_in(s.branch))
      and s.last_at > t.created_at - interval '1 day'
      and s.last_at < coalesce(t.closed_at, now()) + interval '30 days'
    where s.branch is not null and "s"."id" = any($1::uuid[])) as each
    -- One that no index can hold would stop all others.
    where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
    order by group_id, from_id, to_id, evidence
  ), gone as (
    delete from links.links l
    where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
      and "l"."from_id" = any($6::text[])
      and not exists (
        select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
  )
  insert into links.links as known
    (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
  select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
  order by group_id, from_id, to_id
  on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
    set evidence = excluded.evidence, confidence = excluded.confidence
    where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select i.group_id, s.id as from_id, i.id as to_id,
    'The session is linked on the page of the initiative.' as evidence
  from links.initiatives i
  join links.initiative_links l on l.initiative_id = i.id and l.kind = 'transcript'
  join links.sessions s on s.group_id = i.group_id and s.id::text = l.target
  where "s"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (confidence)::real as confidence
  from (
  select c.group_id, c.id as from_id, p.id as to_id,
    case when c.branch = p.branch then 'Pushed to ' || c.branch || ', the branch of the pull request.'
      else 'The message of the commit names #' || p.number || '.' end as evidence,
    case when c.branch = p.branch then 0.9 else 0.95 end as confidence
  from links.commits c
  join links.pull_requests p on p.group_id = c.group_id and p.repository = c.repository
    and (c.message like '%(#' || p.number || ')%'
      or (c.branch = p.branch and lower(c.branch) not in ('main', 'master', 'develop', 'trunk', 'head')
        and c.made_at <= coalesce(p.merged_at, now()) + interval '1 day'
        and c.made_at > coalesce(p.opened_at, p.stated_at) - interval '60 days'))
 
    where c.id is distinct from p.merge_sha and c.id is distinct from p.head_sha and "c"."id" = any($1::text[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (confidence)::real as confidence
  from (
  select c.group_id, c.id as from_id, s.id as to_id,
    format('Committed while the session was at work in folder %s%s.', s.folder,
      case when c.branch = s.branch then ' on branch ' || s.branch else '' end) as evidence,
    case when c.branch = s.branch then 0.8 else 0.6 end as confidence
  from links.commits c
  join links.sessions s on s.group_id = c.group_id and s.folder = links.last_part(c.repository)
    and s.started_at <= c.made_at and s.last_at > c.made_at - interval '10 minutes'
    and s.last_at < c.made_at + interval '7 days'
  where "c"."id" = any($1::text[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select d.group_id, d.id as from_id, coalesce(c.id, d.commit) as to_id,
    'The deployment names commit ' || left(d.commit, 7) || '.' as evidence
  from links.deployments d
  left join lateral (
    select id from links.commits
   
      where group_id = d.group_id and length(d.commit) between 7 and 39 and id >= d.commit and id < d.commit || 'g'
    order by id limit 1
  ) c on true
  where d.commit is not null and d.commit ~ '^[0-9a-f]{7,64}$' and "d"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select d.group_id, d.id as from_id, s.id as to_id, 'The deployment names the service.' as evidence
  from links.deployments d join links.services s on s.group_id = d.group_id and s.name = d.service
  where "d"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select d.group_id, d.id as from_id, i.id as to_id,
    'The deployment names the incident that it repairs.' as evidence
  from links.deployments d join links.incidents i on i.group_id = d.group_id and i.id = d.incident_id
  where "d"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (confidence)::real as confidence
  from (
  select i.group_id, i.id as from_id, d.id as to_id,
    format('Opened %s minutes after the deployment of %s ended.',
      floor(extract(epoch from i.opened_at - d.finished_at) / 60), d.service) as evidence,
    case when i.opened_at - d.finished_at <= interval '15 minutes' then 0.7 else 0.5 end as confidence
  from links.incidents i
  join links.deployments d on d.group_id = i.group_id and d.service = i.service
    and d.finished_at <= i.opened_at and d.finished_at > i.opened_at - interval '60 minutes'
  where i.deployment_id is null and "d"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."to_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select i.group_id, d.id as from_id, i.id as to_id,
    'The deployment is linked on the page of the initiative.' as evidence
  from links.initiatives i
  join links.initiative_links l on l.initiative_id = i.id and l.kind = 'deployment'
  join links.deployments d on d.group_id = i.group_id and d.id::text = l.target
  where "d"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select p.group_id, p.merge_sha as from_id, p.id as to_id,
    'The pull request was merged as ' || left("p"."merge_sha", 7) || '.' as evidence
  from links.pull_requests p where p.merge_sha is not null and "p"."id" = any($1::text[])
  union
  select p.group_id, p.head_sha, p.id, 'The last commit of the pull request is ' || left("p"."head_sha",
    7) || '.'
  from links.pull_requests p
 
    where p.head_sha is not null and p.head_sha is distinct from p.merge_sha and "p"."id" = any($2::text[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $3 and l.to_type = $4 and l.relation = $5 and l.how = $6
    and "l"."to_id" = any($7::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $8, from_id, $9, to_id, $10, $11, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (confidence)::real as confidence
  from (
  select c.group_id, c.id as from_id, p.id as to_id,
    case when c.branch = p.branch then 'Pushed to ' || c.branch || ', the branch of the pull request.'
      else 'The message of the commit names #' || p.number || '.' end as evidence,
    case when c.branch = p.branch then 0.9 else 0.95 end as confidence
  from links.commits c
  join links.pull_requests p on p.group_id = c.group_id and p.repository = c.repository
    and (c.message like '%(#' || p.number || ')%'
      or (c.branch = p.branch and lower(c.branch) not in ('main', 'master', 'develop', 'trunk', 'head')
        and c.made_at <= coalesce(p.merged_at, now()) + interval '1 day'
        and c.made_at > coalesce(p.opened_at, p.stated_at) - interval '60 days'))
 
    where c.id is distinct from p.merge_sha and c.id is distinct from p.head_sha and "p"."id" = any($1::text[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."to_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (confidence)::real as confidence
  from (
  select p.group_id, p.id as from_id, s.id as to_id,
    format('Same branch %s%s, and the session was at work before the pull request was merged.', s.branch,
      case when s.folder = links.last_part(p.repository) then ' and folder ' || s.folder else '' end) as evidence,
    case when s.folder = links.last_part(p.repository) then 0.85 else 0.6 end as confidence
  from links.pull_requests p
  join links.sessions s on s.group_id = p.group_id and s.branch = p.branch
    and s.last_at > coalesce(p.opened_at, p.stated_at) - interval '30 days'
    and s.last_at <= coalesce(p.merged_at, now()) + interval '1 day'
 
    where lower(p.branch) not in ('main', 'master', 'develop', 'trunk',
    'head') and "p"."id" = any($1::text[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select p.group_id, p.id as from_id, t.id as to_id,
    'The pull request says that it closes the ticket.' as evidence
  from links.pull_requests p join links.tickets t on t.group_id = p.group_id and t.url = any(p.issues)
  where "p"."id" = any($1::text[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
    select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
      left(evidence, 1000) as evidence, (confidence)::real as confidence
    from (
    select p.group_id, p.id as from_id, t.id as to_id,
      format('The branch %s of the pull request names the ticket.', p.branch) as evidence,
case when t.short_id = links.short_id_in(p.branch) then 0.95 when t.key = links.key_in(p.branch) then 0.9
  when t.repository = links.last_part(p.repository) then 0.8 else 0.5 end as confidence
    from links.pull_requests p
    join links.tickets t on t.group_id = p.group_id and (
t.key = links.key_in(p.branch) or t.number = links.number_in(p.branch) or t.short_id = links.short_id_in(p.branch))
      and t.created_at < coalesce(p.merged_at, now())
    where p.branch is not null and "p"."id" = any($1::text[])) as each
    -- One that no index can hold would stop all others.
    where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
    order by group_id, from_id, to_id, evidence
  ), gone as (
    delete from links.links l
    where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
      and "l"."from_id" = any($6::text[])
      and not exists (
        select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
  )
  insert into links.links as known
    (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
  select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
  order by group_id, from_id, to_id
  on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
    set evidence = excluded.evidence, confidence = excluded.confidence
    where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select i.group_id, i.id as from_id, i.service_id as to_id, 'The incident names the service.' as evidence
  from links.incidents i where "i"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select i.group_id, i.id as from_id, i.deployment_id as to_id,
    'The incident names the deployment that caused it.' as evidence
  from links.incidents i where i.deployment_id is not null and "i"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (confidence)::real as confidence
  from (
  select i.group_id, i.id as from_id, d.id as to_id,
    format('Opened %s minutes after the deployment of %s ended.',
      floor(extract(epoch from i.opened_at - d.finished_at) / 60), d.service) as evidence,
    case when i.opened_at - d.finished_at <= interval '15 minutes' then 0.7 else 0.5 end as confidence
  from links.incidents i
  join links.deployments d on d.group_id = i.group_id and d.service = i.service
    and d.finished_at <= i.opened_at and d.finished_at > i.opened_at - interval '60 minutes'
  where i.deployment_id is null and "i"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select d.group_id, d.id as from_id, s.id as to_id, 'The deployment names the service.' as evidence
  from links.deployments d join links.services s on s.group_id = d.group_id and s.name = d.service
  where "s"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."to_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
    select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
      left(evidence, 1000) as evidence, (confidence)::real as confidence
    from (
    select s.group_id, s.id as from_id, t.id as to_id,
      format('The branch %s of the session names the ticket.', s.branch) as evidence,
case when t.short_id = links.short_id_in(s.branch) then 0.95 when t.key = links.key_in(s.branch) then 0.9
  when t.repository = s.folder then 0.8 else 0.5 end as confidence
    from links.sessions s
    join links.tickets t on t.group_id = s.group_id and (
t.key = links.key_in(s.branch) or t.number = links.number_in(s.branch) or t.short_id = links.short_id_in(s.branch))
      and s.last_at > t.created_at - interval '1 day'
      and s.last_at < coalesce(t.closed_at, now()) + interval '30 days'
    where s.branch is not null and "t"."id" = any($1::uuid[])) as each
    -- One that no index can hold would stop all others.
    where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
    order by group_id, from_id, to_id, evidence
  ), gone as (
    delete from links.links l
    where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
      and "l"."to_id" = any($6::text[])
      and not exists (
        select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
  )
  insert into links.links as known
    (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
  select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
  order by group_id, from_id, to_id
  on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
    set evidence = excluded.evidence, confidence = excluded.confidence
    where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select p.group_id, p.id as from_id, t.id as to_id,
    'The pull request says that it closes the ticket.' as evidence
  from links.pull_requests p join links.tickets t on t.group_id = p.group_id and t.url = any(p.issues)
  where "t"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."to_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
    select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
      left(evidence, 1000) as evidence, (confidence)::real as confidence
    from (
    select p.group_id, p.id as from_id, t.id as to_id,
      format('The branch %s of the pull request names the ticket.', p.branch) as evidence,
case when t.short_id = links.short_id_in(p.branch) then 0.95 when t.key = links.key_in(p.branch) then 0.9
  when t.repository = links.last_part(p.repository) then 0.8 else 0.5 end as confidence
    from links.pull_requests p
    join links.tickets t on t.group_id = p.group_id and (
t.key = links.key_in(p.branch) or t.number = links.number_in(p.branch) or t.short_id = links.short_id_in(p.branch))
      and t.created_at < coalesce(p.merged_at, now())
    where p.branch is not null and "t"."id" = any($1::uuid[])) as each
    -- One that no index can hold would stop all others.
    where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
    order by group_id, from_id, to_id, evidence
  ), gone as (
    delete from links.links l
    where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
      and "l"."to_id" = any($6::text[])
      and not exists (
        select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
  )
  insert into links.links as known
    (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
  select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
  order by group_id, from_id, to_id
  on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
    set evidence = excluded.evidence, confidence = excluded.confidence
    where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select t.group_id, t.id as from_id, i.id as to_id, 'The ticket names the initiative.' as evidence
  from links.tickets t join links.initiatives i on i.group_id = t.group_id and i.id = t.initiative_id
  where "t"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select t.group_id, t.id as from_id, n.id as to_id,
    'The description of the ticket names the decision.' as evidence
  from links.tickets t
  cross join lateral regexp_matches(left(t.description, 20000),
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g') as named (ids)
  join links.decisions n on n.group_id = t.group_id and n.id = named.ids[1]::uuid
  where "t"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (confidence)::real as confidence
  from (
  select t.group_id, t.id as from_id, n.id as to_id,
    format('Created %s hours after the decision, in the same initiative.',
      floor(extract(epoch from t.created_at - n.decided_at) / 3600)) as evidence,
    case when t.created_at - n.decided_at <= interval '2 days' then 0.6 else 0.4 end as confidence
  from links.tickets t
  join links.decisions n on n.group_id = t.group_id and n.initiative_id = t.initiative_id
    and n.decided_at <= t.created_at and n.decided_at > t.created_at - interval '14 days'
  where "t"."id" = any($1::uuid[]) and not exists (
    select from links.decisions m where m.initiative_id = n.initiative_id
      and (m.decided_at, m.id) > (n.decided_at, n.id) and m.decided_at <= t.created_at)) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select r.group_id, r.id as from_id, t.id as to_id, 'The run was started for the ticket.' as evidence
  from links.runs r join links.tickets t on t.group_id = r.group_id and t.id = r.ticket_id
  where "r"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select r.group_id, r.id as from_id, r.parent_id as to_id,
    'An agent started the run in its own run.' as evidence
  from links.runs r where r.parent_id is not null and "r"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select q.group_id, q.id as from_id, r.id as to_id,
    'The audit log names the run that asked for it.' as evidence
  from links.sql_changes q join links.runs r on r.group_id = q.group_id and r.id = q.run_id
  where "q"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select u.group_id, u.id as from_id, u.initiative_id as to_id,
    'The stand-up is one of the initiative.' as evidence
  from links.standups u where "u"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (confidence)::real as confidence
  from (
  select t.group_id, t.id as from_id, n.id as to_id,
    format('Created %s hours after the decision, in the same initiative.',
      floor(extract(epoch from t.created_at - n.decided_at) / 3600)) as evidence,
    case when t.created_at - n.decided_at <= interval '2 days' then 0.6 else 0.4 end as confidence
  from links.tickets t
  join links.decisions n on n.group_id = t.group_id and n.initiative_id = t.initiative_id
    and n.decided_at <= t.created_at and n.decided_at > t.created_at - interval '14 days'
  where "n"."id" = any($1::uuid[]) and not exists (
    select from links.decisions m where m.initiative_id = n.initiative_id
      and (m.decided_at, m.id) > (n.decided_at, n.id) and m.decided_at <= t.created_at)) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."to_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select n.group_id, n.id as from_id, u.id as to_id, 'The decision was approved in the stand-up.' as evidence
  from links.decisions n join links.standups u on u.group_id = n.group_id and u.id = n.standup_id
  where "n"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select n.group_id, n.id as from_id, n.initiative_id as to_id,
    'The decision is one of the initiative.' as evidence
  from links.decisions n where "n"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select n.group_id, n.id as from_id, n.supersedes as to_id, 'The decision replaces the other.' as evidence
  from links.decisions n where n.supersedes is not null and "n"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."from_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select i.group_id, s.id as from_id, i.id as to_id,
    'The session is linked on the page of the initiative.' as evidence
  from links.initiatives i
  join links.initiative_links l on l.initiative_id = i.id and l.kind = 'transcript'
  join links.sessions s on s.group_id = i.group_id and s.id::text = l.target
  where "i"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."to_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

with found as materialized (
  select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
    left(evidence, 1000) as evidence, (1)::real as confidence
  from (
  select i.group_id, d.id as from_id, i.id as to_id,
    'The deployment is linked on the page of the initiative.' as evidence
  from links.initiatives i
  join links.initiative_links l on l.initiative_id = i.id and l.kind = 'deployment'
  join links.deployments d on d.group_id = i.group_id and d.id::text = l.target
  where "i"."id" = any($1::uuid[])) as each
  -- One that no index can hold would stop all others.
  where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
  order by group_id, from_id, to_id, evidence
), gone as (
  delete from links.links l
  where l.from_type = $2 and l.to_type = $3 and l.relation = $4 and l.how = $5
    and "l"."to_id" = any($6::text[])
    and not exists (
      select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
)
insert into links.links as known
  (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
select group_id, $7, from_id, $8, to_id, $9, $10, evidence, confidence from found
order by group_id, from_id, to_id
on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
  set evidence = excluded.evidence, confidence = excluded.confidence
  where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence);

-- src/links/find/find-store.ts deploymentsInShort
select distinct from_id as id from links.links
where from_type = 'deployment' and to_type = 'commit' and how = 'exact' and to_id in (
  select left(sha, length) from unnest($1::text[]) as sha, generate_series(7, 39) as length
  where length < char_length(sha));

-- src/links/find/find-store.ts moveCursor
insert into links.cursors (source, at, id)
values ($1, least($2::timestamptz, now() - interval '60 seconds'),
  case when $3::timestamptz < now() - interval '60 seconds' then $4 else $5 end)
on conflict (source) do update set at = excluded.at, id = excluded.id;

-- src/links/find/find-store.ts readChanges
select "id" as thing, changed_at::text as at, id::text as id from "links"."services"
where (changed_at, id) > (coalesce((select "at"
  from links.cursors
  where source = $1), '-infinity'), coalesce((select "id"
  from links.cursors
  where source = $2), $3)::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $4;

select "id" as thing, changed_at::text as at, id::text as id from "links"."services"
where (changed_at, id) > ($1::timestamptz, $2::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $3;

select "id" as thing, changed_at::text as at, id::text as id from "links"."initiatives"
where (changed_at, id) > (coalesce((select "at"
  from links.cursors
  where source = $1), '-infinity'), coalesce((select "id"
  from links.cursors
  where source = $2), $3)::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $4;

select "id" as thing, changed_at::text as at, id::text as id from "links"."initiatives"
where (changed_at, id) > ($1::timestamptz, $2::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $3;

select "initiative_id" as thing, changed_at::text as at, id::text as id from "links"."initiative_links"
where (changed_at, id) > (coalesce((select "at"
  from links.cursors
  where source = $1), '-infinity'), coalesce((select "id"
  from links.cursors
  where source = $2), $3)::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $4;

select "initiative_id" as thing, changed_at::text as at, id::text as id from "links"."initiative_links"
where (changed_at, id) > ($1::timestamptz, $2::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $3;

select "id" as thing, changed_at::text as at, id::text as id from "links"."standups"
where (changed_at, id) > (coalesce((select "at"
  from links.cursors
  where source = $1), '-infinity'), coalesce((select "id"
  from links.cursors
  where source = $2), $3)::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $4;

select "id" as thing, changed_at::text as at, id::text as id from "links"."standups"
where (changed_at, id) > ($1::timestamptz, $2::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $3;

select "id" as thing, changed_at::text as at, id::text as id from "links"."decisions"
where (changed_at, id) > (coalesce((select "at"
  from links.cursors
  where source = $1), '-infinity'), coalesce((select "id"
  from links.cursors
  where source = $2), $3)::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $4;

select "id" as thing, changed_at::text as at, id::text as id from "links"."decisions"
where (changed_at, id) > ($1::timestamptz, $2::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $3;

select "id" as thing, changed_at::text as at, id::text as id from "links"."tickets"
where (changed_at, id) > (coalesce((select "at"
  from links.cursors
  where source = $1), '-infinity'), coalesce((select "id"
  from links.cursors
  where source = $2), $3)::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $4;

select "id" as thing, changed_at::text as at, id::text as id from "links"."tickets"
where (changed_at, id) > ($1::timestamptz, $2::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $3;

select "id" as thing, changed_at::text as at, id::text as id from "links"."runs"
where (changed_at, id) > (coalesce((select "at"
  from links.cursors
  where source = $1), '-infinity'), coalesce((select "id"
  from links.cursors
  where source = $2), $3)::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $4;

select "id" as thing, changed_at::text as at, id::text as id from "links"."runs"
where (changed_at, id) > ($1::timestamptz, $2::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $3;

select "id" as thing, changed_at::text as at, id::text as id from "links"."sql_changes"
where (changed_at, id) > (coalesce((select "at"
  from links.cursors
  where source = $1), '-infinity'), coalesce((select "id"
  from links.cursors
  where source = $2), $3)::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $4;

select "id" as thing, changed_at::text as at, id::text as id from "links"."sql_changes"
where (changed_at, id) > ($1::timestamptz, $2::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $3;

select "id" as thing, changed_at::text as at, id::text as id from "links"."deployments"
where (changed_at, id) > (coalesce((select "at"
  from links.cursors
  where source = $1), '-infinity'), coalesce((select "id"
  from links.cursors
  where source = $2), $3)::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $4;

select "id" as thing, changed_at::text as at, id::text as id from "links"."deployments"
where (changed_at, id) > ($1::timestamptz, $2::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $3;

select "id" as thing, changed_at::text as at, id::text as id from "links"."incidents"
where (changed_at, id) > (coalesce((select "at"
  from links.cursors
  where source = $1), '-infinity'), coalesce((select "id"
  from links.cursors
  where source = $2), $3)::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $4;

select "id" as thing, changed_at::text as at, id::text as id from "links"."incidents"
where (changed_at, id) > ($1::timestamptz, $2::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $3;

select "id" as thing, changed_at::text as at, id::text as id from "links"."commits"
where (changed_at, id) > (coalesce((select "at"
  from links.cursors
  where source = $1), '-infinity'), coalesce((select "id"
  from links.cursors
  where source = $2), $3)::text) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $4;

select "id" as thing, changed_at::text as at, id::text as id from "links"."commits"
where (changed_at, id) > ($1::timestamptz, $2::text) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $3;

select "id" as thing, changed_at::text as at, id::text as id from "links"."pull_requests"
where (changed_at, id) > (coalesce((select "at"
  from links.cursors
  where source = $1), '-infinity'), coalesce((select "id"
  from links.cursors
  where source = $2), $3)::text) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $4;

select "id" as thing, changed_at::text as at, id::text as id from "links"."pull_requests"
where (changed_at, id) > ($1::timestamptz, $2::text) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $3;

select "id" as thing, changed_at::text as at, id::text as id from "links"."sessions"
where (changed_at, id) > (coalesce((select "at"
  from links.cursors
  where source = $1), '-infinity'), coalesce((select "id"
  from links.cursors
  where source = $2), $3)::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $4;

select "id" as thing, changed_at::text as at, id::text as id from "links"."sessions"
where (changed_at, id) > ($1::timestamptz, $2::uuid) and changed_at <= now() + interval '1 ms'
order by changed_at, id limit $3;

-- src/links/find/sweep-store.ts deleteLinksToNothing
delete from links.links l
where l.how = 'person' and (("l"."from_type" = 'deployment'
  and not exists (select
    from "links"."deployments" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."from_id"))) or ("l"."from_type" = 'incident'
  and not exists (select
    from "links"."incidents" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."from_id"))) or ("l"."from_type" = 'service'
  and not exists (select
    from "links"."services" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."from_id"))) or ("l"."from_type" = 'ticket'
  and not exists (select
    from "links"."tickets" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."from_id"))) or ("l"."from_type" = 'run'
  and not exists (select
    from "links"."runs" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."from_id"))) or ("l"."from_type" = 'sql_change'
  and not exists (select
    from "links"."sql_changes" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."from_id"))) or ("l"."from_type" = 'standup'
  and not exists (select
    from "links"."standups" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."from_id"))) or ("l"."from_type" = 'decision'
  and not exists (select
    from "links"."decisions" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."from_id"))) or ("l"."from_type" = 'initiative'
  and not exists (select
    from "links"."initiatives" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."from_id"))) or ("l"."from_type" = 'session'
  and not exists (select
    from "links"."sessions" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."from_id"))) or ("l"."from_type" = 'request'
  and not exists (select
    from "links"."requests" t
    where t.group_id = l.group_id and t.id = case "l"."from_type" when 'request' then substring("l"."from_id"
    from 5)::uuid end)) or ("l"."to_type" = 'deployment'
  and not exists (select
    from "links"."deployments" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."to_id"))) or ("l"."to_type" = 'incident'
  and not exists (select
    from "links"."incidents" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."to_id"))) or ("l"."to_type" = 'service'
  and not exists (select
    from "links"."services" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."to_id"))) or ("l"."to_type" = 'ticket'
  and not exists (select
    from "links"."tickets" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."to_id"))) or ("l"."to_type" = 'run'
  and not exists (select
    from "links"."runs" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."to_id"))) or ("l"."to_type" = 'sql_change'
  and not exists (select
    from "links"."sql_changes" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."to_id"))) or ("l"."to_type" = 'standup'
  and not exists (select
    from "links"."standups" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."to_id"))) or ("l"."to_type" = 'decision'
  and not exists (select
    from "links"."decisions" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."to_id"))) or ("l"."to_type" = 'initiative'
  and not exists (select
    from "links"."initiatives" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."to_id"))) or ("l"."to_type" = 'session'
  and not exists (select
    from "links"."sessions" t
    where t.group_id = l.group_id and t.id = links.uuid_in("l"."to_id"))) or ("l"."to_type" = 'request'
  and not exists (select
    from "links"."requests" t
    where t.group_id = l.group_id and t.id = case "l"."to_type" when 'request' then substring("l"."to_id"
    from 5)::uuid end)));

-- src/links/find/sweep-store.ts foundLinks
select "id", "from_type", "from_id", "to_type", "to_id"
from "links"."links"
where "how" <> $1
  and "id" > $2
order by "id"
limit $3;

-- src/links/find/sweep-store.ts sessionsWithAddresses
select s.id from links.sessions s
where s.id > $1::uuid and s.first_prompt like '%://%' and not exists (
  select from links.links l where l.from_type = 'session' and l.from_id = s.id::text and l.to_type = 'ticket'
    and l.how = 'exact')
order by s.id limit $2;

-- src/links/link-store.ts deleteLink
delete from "links"."links"
where "id" = $1;

-- src/links/link-store.ts dismissLink
update "links"."links"
set "dismissed_at" = $1
where "id" = $2;

-- src/links/link-store.ts findLink
select "id", "how"
from "links"."links"
where "group_id" = $1
  and "id" = $2
  and "dismissed_at" is null;

-- src/links/link-store.ts findPersonsLink
select "id", "from_type", "from_id", "to_type", "to_id", "relation", "how", "evidence", "confidence",
  "created_at"
  from links.links
where group_id = $1 and from_type = $2 and from_id = $3 and to_type = $4
  and to_id = $5 and relation = $6 and how = 'person';

-- src/links/link-store.ts insertLink
insert into "links"."links" ("group_id", "relation", "evidence", "created_by", "from_type", "from_id",
  "to_type", "to_id", "how", "confidence")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict do nothing
returning "id", "from_type", "from_id", "to_type", "to_id", "relation", "how", "evidence", "confidence",
  "created_at";

-- src/links/link-store.ts linksFrom
select found.* from unnest($1::text[], $2::text[])
  as thing (type, id)
cross join lateral (
  select "id", "from_type", "from_id", "to_type", "to_id", "relation", "how", "evidence", "confidence",
    "created_at"
    from links.links l
 
    where l.group_id = $3 and l.dismissed_at is null and "l"."from_type" = thing.type and "l"."from_id" = thing.id
  order by (how = 'inferred'), confidence desc, created_at desc, id limit $4
) as found;

select found.* from unnest($1::text[], $2::text[])
  as thing (type, id)
cross join lateral (
  select "id", "from_type", "from_id", "to_type", "to_id", "relation", "how", "evidence", "confidence",
    "created_at"
    from links.links l
  where l.group_id = $3 and l.dismissed_at is null and "l"."to_type" = thing.type and "l"."to_id" = thing.id
  order by (how = 'inferred'), confidence desc, created_at desc, id limit $4
) as found;

-- src/links/link-store.ts linksOf
select "id", "from_type", "from_id", "to_type", "to_id", "relation", "how", "evidence", "confidence",
  "created_at"
  from links.links
where group_id = $1 and dismissed_at is null
  and ((from_type = $2 and from_id = $3) or (to_type = $4 and to_id = $5))
order by (how = 'inferred'), confidence desc, created_at desc, id limit $6;

-- src/links/link-store.ts linksOfRequest
with request as (
    select id, started_at, session_key, subagent_key from links.requests
    where group_id = $1 and id = $2::uuid
  ), units as (
    select r.*, 'session' as type, s.id::text as unit from request r
    join links.sessions s on s.group_id = $3 and s.external_id in (r.session_key, r.subagent_key)
    union all
    select r.*, 'run', n.id::text from request r
    join links.runs n on n.group_id = $4 and n.id::text = r.session_key
    union all
    select r.*, 'standup', u.id::text from request r
    join links.standups u on u.group_id = $5 and u.id::text = r.session_key
  )
  select
-- Always the same, and of the form of a UUID.
overlay(overlay(md5(units.id::text || type || unit) placing '4'
  from 13) placing '8'
  from 17)::uuid as id, 'request' as from_type,
'req_' || replace(units.id::text, '-', '') as from_id, type as to_type, unit as to_id, 'sent_in' as relation,
'exact' as how, 'The request carries the ID of the ' || replace(type, 'standup',
  'stand-up') || '.' as evidence,
1::real as confidence, started_at as created_at from units order by type, unit limit 20;

-- src/links/link-store.ts requestsOf
with units as materialized (
    select id, started_at, $1::text as type, $2::text as unit from links.requests
   
      where group_id = $3 and (session_key = (select external_id
      from links.sessions
      where group_id = $4 and id = $5::uuid) or subagent_key = (select external_id
      from links.sessions
      where group_id = $6 and id = $7::uuid))
  )
  select
-- Always the same, and of the form of a UUID.
overlay(overlay(md5(units.id::text || type || unit) placing '4'
  from 13) placing '8'
  from 17)::uuid as id, 'request' as from_type,
'req_' || replace(units.id::text, '-', '') as from_id, type as to_type, unit as to_id, 'sent_in' as relation,
'exact' as how, 'The request carries the ID of the ' || replace(type, 'standup',
  'stand-up') || '.' as evidence,
1::real as confidence, started_at as created_at from units order by units.id desc limit $8;

with units as materialized (
    select id, started_at, $1::text as type, $2::text as unit from links.requests
    where group_id = $3 and (session_key = $4 or subagent_key = $5)
  )
  select
-- Always the same, and of the form of a UUID.
overlay(overlay(md5(units.id::text || type || unit) placing '4'
  from 13) placing '8'
  from 17)::uuid as id, 'request' as from_type,
'req_' || replace(units.id::text, '-', '') as from_id, type as to_type, unit as to_id, 'sent_in' as relation,
'exact' as how, 'The request carries the ID of the ' || replace(type, 'standup',
  'stand-up') || '.' as evidence,
1::real as confidence, started_at as created_at from units order by units.id desc limit $6;

-- src/links/statement/count-store.ts countOthers
delete from links.statement_gateway s using unnest($1::timestamptz[]) as h (hour)
where s.group_id = $2 and s.session_id is null and s.quarter >= h.hour
  and s.quarter < h.hour + interval '1 hour';

insert into links.statement_gateway (group_id, quarter, person, part, requests, cost)
select $1, date_bin('15 minutes', "r"."started_at", 'epoch'::timestamptz), coalesce(k.created_by,
  n.started_by),
  case when c.request_id is not null then 'in_both' when n.id is not null or u.id is not null then 'own_work'
    when r.session_key is null and r.subagent_key is null then 'no_session' else 'no_transcript' end,
  count(*), sum(r.cost)
from unnest($2::timestamptz[]) as h (hour)
join links.requests r on r.group_id = $3 and r.id >= links.lowest_id(h.hour)
  and r.id < links.lowest_id(h.hour + interval '1 hour')
left join links.api_keys k on k.id = r.api_key_id
left join links.runs n on n.group_id = $4 and n.id = links.uuid_in(r.session_key)
left join links.standups u on u.group_id = $5 and u.id = links.uuid_in(r.session_key)
left join links.statement_claims c on c.group_id = $6 and c.request_id = r.id
where not exists (
select from links.sessions s where s.group_id = $7 and s.external_id = "r"."session_key") and not exists (
select from links.sessions s where s.group_id = $8 and s.external_id = "r"."subagent_key")
group by 2, 3, 4;

-- src/links/statement/count-store.ts countSessions
with members as (
    select * from unnest($1::uuid[], $2::uuid[], $3::text[]) as m (root, id, key)
  ), keyed as materialized (
    select m.root, r.id, r.started_at, r.ended_at, r.status_code, r.prompt_tokens, r.completion_tokens,
      r.cost,
k.created_by as person from members m
    join links.requests r on r.group_id = $4 and r.session_key = m.key
    left join links.api_keys k on k.id = r.api_key_id
    union all
    select m.root, r.id, r.started_at, r.ended_at, r.status_code, r.prompt_tokens, r.completion_tokens,
      r.cost,
k.created_by as person from members m
    join links.requests r on r.group_id = $5 and r.subagent_key = m.key
    left join links.api_keys k on k.id = r.api_key_id
    where not exists (
      select from links.sessions o where o.group_id = $6 and o.external_id = r.session_key)
  ), responses as materialized (
    select m.root, row_number() over () as n, u.* from members m join links.responses u on u.session_id = m.id
  ), free as materialized (
    select distinct on (r.id) u.root, r.id, r.started_at, r.ended_at, r.status_code, r.prompt_tokens,
      r.completion_tokens, r.cost,
k.created_by as person from responses u
    join links.requests r on r.group_id = $7 and r.id >= links.lowest_id(u.at - interval '20 minutes')
      and r.id < links.lowest_id(u.at + interval '10 minutes') and r.session_key is null and r.subagent_key is null
      and r.prompt_tokens = u.input_tokens and r.completion_tokens = u.output_tokens and (r.status_code < 400 or r.status_code = 499)
      and r.ended_at between u.at - interval '10 minutes' and u.at + interval '10 minutes'
    left join links.api_keys k on k.id = r.api_key_id
    where not exists (select from keyed where keyed.root = u.root)
      and not exists (select from links.statement_claims c where c.group_id = $8 and c.request_id = r.id)
    order by r.id, abs(extract(epoch from r.ended_at - u.at)), u.root
  ), exact as materialized (
    select c.id, u.n from (
      select r.*, row_number() over (partition by root, prompt_tokens, completion_tokens
        order by ended_at, id) as place
     
        from (select *
        from keyed
        union all select *
        from free) as r
        where (r.status_code < 400 or r.status_code = 499)
    ) as c join (
      select *, row_number() over (partition by root, input_tokens, output_tokens
        order by at, n) as place
        from responses
    ) as u on u.root = c.root and u.input_tokens = c.prompt_tokens and u.output_tokens = c.completion_tokens
      and u.place = c.place
  ), pairs as materialized (
    select * from exact
    union all
    select c.id, u.n from (
      select r.*, row_number() over (partition by root, prompt_tokens order by ended_at, id) as place
     
        from keyed as r
        where (r.status_code < 400 or r.status_code = 499) and not exists (select
        from exact e
        where e.id = r.id)
    ) as c join (
      select *, row_number() over (partition by root, input_tokens order by at, n) as place
      from responses r where not exists (select from exact e where e.n = r.n)
    ) as u on u.root = c.root and u.input_tokens = c.prompt_tokens and u.place = c.place
      and c.ended_at between u.at - interval '10 minutes' and u.at + interval '10 minutes'
  ), counted as (
    insert into links.statement_gateway (group_id, session_id, quarter, person, part, requests, cost)
    select $9, root, date_bin('15 minutes', "started_at", 'epoch'::timestamptz), person,
      case when p.id is not null then 'in_both' when status_code >= 400 then 'failed' else 'side_calls' end,
      count(*), sum(cost)
    from keyed r left join pairs p on p.id = r.id group by 2, 3, 4, 5
  ), estimated as (
    insert into links.statement_transcripts (group_id, session_id, quarter, person, model, responses,
      input_tokens,
      cached_tokens, cache_write_tokens, output_tokens)
    select $10, u.root, date_bin('15 minutes', "u"."at", 'epoch'::timestamptz), w.person, coalesce(u.model,
      ''), count(*), sum(u.input_tokens),
      sum(u.cached_tokens), sum(u.cache_write_tokens), sum(u.output_tokens)
    from responses u
    left join (
      select distinct on (root) root, person from keyed where person is not null
      group by root, person order by root, count(*) desc, person
    ) as w on w.root = u.root
    where not exists (select from pairs p where p.n = u.n) group by 2, 3, 4, 5
  ), claimed as (
    insert into links.statement_claims (group_id, request_id, session_id)
    select $11, f.id, f.root from free f join pairs p on p.id = f.id
    on conflict do nothing
  )
  select date_bin('1 hour', "started_at", 'epoch'::timestamptz) as hour, count(*) as requests,
    false as is_claim
    from keyed
    group by 1
  union all
  select distinct date_bin('1 hour', "started_at", 'epoch'::timestamptz), 0, true
    from free f join pairs p on p.id = f.id;

-- src/links/statement/count-store.ts forgetClaims
with gone as (
  delete from links.statement_claims where session_id = any($1::uuid[]) returning request_id
)
select distinct date_bin('1 hour', "r"."started_at", 'epoch'::timestamptz) as hour
from gone join links.requests r on r.group_id = $2 and r.id = gone.request_id;

-- src/links/statement/count-store.ts forgetSessions
delete from links.statement_transcripts
where session_id = any($1::uuid[]);

with gone as (
  delete from links.statement_gateway where session_id = any($1::uuid[]) returning quarter, requests
)
select date_bin('1 hour', "quarter", 'epoch'::timestamptz) as hour, sum(requests) as requests
  from gone
  group by 1;

-- src/links/statement/count-store.ts groupsToCount
select distinct group_id
from links.ledger_hours union select distinct group_id
from links.statement_gateway;

-- src/links/statement/count-store.ts hoursToCount
with log as (
  select hour, sum(requests) as requests, sum(cost) as cost from links.ledger_hours
  where group_id = $1 and "hour" >= $2 and "hour" < $3 group by 1
), counted as (
  select date_bin('1 hour', "quarter", 'epoch'::timestamptz) as hour, sum(requests) as requests,
    sum(cost) as cost
  from links.statement_gateway where group_id = $4 and "quarter" >= $5 and "quarter" < $6 group by 1
)
select hour from log full join counted using (hour)
where (log.requests, log.cost) is distinct from (counted.requests, counted.cost)
order by hour desc limit $7;

with log as (
  select hour, sum(requests) as requests, sum(cost) as cost from links.ledger_hours
  where group_id = $1 group by 1
), counted as (
  select date_bin('1 hour', "quarter", 'epoch'::timestamptz) as hour, sum(requests) as requests,
    sum(cost) as cost
  from links.statement_gateway where group_id = $2 group by 1
)
select hour from log full join counted using (hour)
where (log.requests, log.cost) is distinct from (counted.requests, counted.cost)
order by hour desc limit $3;

-- src/links/statement/count-store.ts sessionsIn
with hours as (select unnest($1::timestamptz[]) as hour), requests as materialized (
  select distinct r.session_key, r.subagent_key from hours h
  join links.requests r on r.group_id = $2 and r.id >= links.lowest_id(h.hour)
    and r.id < links.lowest_id(h.hour + interval '1 hour')
)
select s.id
  from requests r join links.sessions s on s.group_id = $3 and s.external_id = "r"."session_key" union
select s.id from requests r join links.sessions s on s.group_id = $4 and s.external_id = "r"."subagent_key"
union
select e.session_id from hours h join links.statement_transcripts e on e.group_id = $5
  and e.quarter > h.hour - interval '30 minutes' and e.quarter < h.hour + interval '90 minutes'
where not exists (select from links.statement_gateway w where w.session_id = e.session_id);

-- src/links/statement/days.ts knownZone
select now() at time zone $1;

-- src/links/statement/read-store.ts boundsOf
select $1::timestamp at time zone $2 as first,
($3::timestamp + interval '1 day') at time zone $4 as last;

-- src/links/statement/read-store.ts readSides
select to_char(quarter at time zone $1, 'YYYY-MM-DD') as date, person, part, sum(requests)::int as requests,
  trim_scale(sum(cost)) as cost
from (
  select quarter, person, part, sum(requests) as requests, sum(cost) as cost
  from links.statement_gateway where group_id = $2 and quarter >= $3 and quarter < $4 group by 1, 2, 3
) as quarters group by 1, 2, 3 order by 1, 2, 3;

select to_char(quarter at time zone $1, 'YYYY-MM-DD') as date, coalesce(t.person, w.user_id) as person,
  t.model, max(t.quarter) as quarter,
  sum(t.responses)::int as responses,
  sum(t.input_tokens)::float8 as input_tokens, sum(t.cached_tokens)::float8 as cached_tokens,
  sum(t.cache_write_tokens)::float8 as cache_write_tokens, sum(t.output_tokens)::float8 as output_tokens
from (select * from links.statement_transcripts where group_id = $2 and quarter >= $3 and quarter < $4) as t
join links.sessions s on s.id = t.session_id
left join links.watchers w on w.group_id = $5 and w.machine = s.machine
group by 1, 2, 3 order by 1, 2, 3;

-- src/links/statement/tree-store.ts groupsOfSessions
select group_id, array_agg(id::text) as ids
from links.sessions
where id = any($1::uuid[])
group by 1;

-- src/links/statement/tree-store.ts treesOf
with recursive up as (
  select id as start, id, assistant, parent_key, 0 as depth from links.sessions
  where group_id = $1 and id = any($2::uuid[])
  union all
  select u.start, p.id, p.assistant, p.parent_key, u.depth + 1
 
    from up u join links.sessions p on p.group_id = $3 and p.assistant = u.assistant and p.external_id = u.parent_key and p.id <> u.id
  where u.depth < 20
), tops as (
  select distinct on (start) id from up order by start, depth desc
), down as (
  select id as root, id, assistant, external_id from links.sessions where id in (select id from tops)
  union
  select d.root, s.id, s.assistant, s.external_id
  from down d join links.sessions s
    on s.group_id = $4 and s.assistant = d.assistant and s.parent_key = d.external_id
)
select distinct on (d.id) d.root, d.id,
  case when not exists (
    select from links.sessions o where o.group_id = $5 and o.external_id = d.external_id and o.id < d.id
  ) then d.external_id end as key
from down d order by d.id, d.root;

-- src/links/things/thing-store.ts beliefsAt
select d.id as decision_id, c.text, coalesce(
  (select h.confidence from links.confidence_changes h
    where h.criterion_id = c.id and h.created_at <= d.decided_at order by h.created_at desc limit 1),
  (select h.before from links.confidence_changes h
    where h.criterion_id = c.id and h.created_at > d.decided_at order by h.created_at limit 1),
  case when not exists (select from links.confidence_changes h where h.criterion_id = c.id)
    then c.confidence end) as confidence
from links.decisions d join links.criteria c on c.initiative_id = d.initiative_id
where d.group_id = $1 and d.id = any($2::uuid[])
  and c.created_at <= d.decided_at + interval '1 day'
order by c.created_at, c.id limit 500;

-- src/links/things/thing-store.ts findCommits
select given.id, coalesce(c.message, 'Commit ' || left(given.id, 7)) as title, c.url, c.made_at as at,
  '{}'::jsonb as data
from unnest($1::text[]) as given (id)
left join links.commits c on c.group_id = $2 and c.id = given.id;

-- src/links/things/thing-store.ts findPullRequests
select given.id, given.id as url, coalesce(p.merged_at, p.opened_at, p.stated_at) as at, '{}'::jsonb as data,
  coalesce(p.title, regexp_replace(given.id, '^https?://[^/]+/(.+?)/(?:-/)?[a-z_-]+/([0-9]+)$',
    '\1#\2')) as title
from unnest($1::text[]) as given (id)
left join links.pull_requests p on p.group_id = $2 and p.id = given.id;

-- src/links/things/thing-store.ts findRequests
select 'req_' || replace(id::text, '-', '') as id, concat(model, ' at ',
  to_char("started_at" at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), ' UTC') as title,
  '/logs?request=req_' || replace(id::text, '-', '') as url, started_at as at, '{}'::jsonb as data
from links.requests where group_id = $1 and id = any($2::uuid[]);

-- src/links/things/thing-store.ts findThings
select id, coalesce(title, nullif(left(split_part(first_prompt, chr(10), 1), 200), ''),
  'Session of ' || assistant) as title, '/transcripts/' || id as url, started_at::timestamptz as at,
  jsonb_strip_nulls(jsonb_build_object('prompt', left(first_prompt, 2000))) as data
from "links"."sessions"
where group_id = $1 and id = any($2::uuid[]);

select id, concat_ws(' ', service, version, 'to', environment) as title, '/deployments/' || id as url,
  started_at::timestamptz as at, '{}'::jsonb as data
from "links"."deployments"
where group_id = $1 and id = any($2::uuid[]);

select id, concat(service_title, ': ', cause) as title, '/incidents/' || id as url,
  opened_at::timestamptz as at, '{}'::jsonb as data
from "links"."incidents"
where group_id = $1 and id = any($2::uuid[]);

select id, title as title, '/services/' || name as url, null::timestamptz as at, '{}'::jsonb as data
from "links"."services"
where group_id = $1 and id = any($2::uuid[]);

select id, title as title, '/tickets/' || id as url, created_at::timestamptz as at, '{}'::jsonb as data
from "links"."tickets"
where group_id = $1 and id = any($2::uuid[]);

select id, concat(agent_id, ': ', left(split_part(request, chr(10), 1), 200)) as title,
  '/agents/runs/' || id as url, created_at::timestamptz as at, jsonb_build_object('prompt', left(request,
  2000)) as data
from "links"."runs"
where group_id = $1 and id = any($2::uuid[]);

select id, concat(array_to_string(operations, ', '), ' in ', database, ': ', left(reason, 200)) as title,
  '/why?type=sql_change&id=' || id as url, created_at::timestamptz as at, '{}'::jsonb as data
from "links"."sql_changes"
where group_id = $1 and id = any($2::uuid[]);

select id, 'Stand-up of ' || to_char("started_at" at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC' as title,
  '/initiatives/' || initiative_id || '/standup?session=' || id as url, started_at::timestamptz as at,
  '{}'::jsonb as data
from "links"."standups"
where group_id = $1 and id = any($2::uuid[]);

select id, title as title, '/initiatives/' || initiative_id || '?decision=' || id as url,
  decided_at::timestamptz as at, jsonb_build_object('decision', left(decision, 2000), 'rationale',
  left(rationale, 2000)) as data
from "links"."decisions"
where group_id = $1 and id = any($2::uuid[]);

select id, title as title, '/initiatives/' || slug as url, null::timestamptz as at, '{}'::jsonb as data
from "links"."initiatives"
where group_id = $1 and id = any($2::uuid[]);

-- src/links/things/thing-store.ts idByName
select id from "links"."initiatives"
where group_id = $1 and "slug" = $2;

select id from "links"."services"
where group_id = $1 and "name" = $2;
