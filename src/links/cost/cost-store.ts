import { sql, type RawBuilder } from 'kysely'
import { lowestId } from '#kernel/uuid'
import type { CostType } from '../shapes/cost.ts'
import type { Queries } from '../tables.ts'

export interface CostQuery {
  groupId: string
  type: CostType
  /** Undefined: all things of the type. */
  id: string | undefined
  from: Date | undefined
  to: Date | undefined
}

export interface CostSums {
  id: string
  exact: string
  inferred: string
  shared: string
  total: string
  rework: string
  sessions: number
  requests: number
}

/** What each thing cost, the dearest first. */
export async function sumCosts(db: Queries, query: CostQuery, limit: number): Promise<CostSums[]> {
  const layer = (name: string) =>
    sql`trim_scale(coalesce(sum(part) filter (where layer = ${sql.lit(name)}), 0))`
  const { rows } = await sql<CostSums>`
    with ${partsOf(query)}
    select p.thing as id, ${layer('exact')} as exact, ${layer('inferred')} as inferred, ${layer('shared')} as shared,
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
    left join links.failed f on f.group_id = ${query.groupId} and f.type = ${query.type} and f.id = p.thing
    ${query.id === undefined ? sql`` : sql`where p.thing = ${query.id}`}
    group by p.thing order by sum(part) desc, p.thing limit ${limit}`.execute(db)
  return rows
}

export interface LedgerSums {
  cost: string
  /** What belongs to some thing, each request once. */
  exact: string
  inferred: string
  shared: string
  rework: string
  sessions: number
  requests: number
}

/** All of the usage log in the period, and which layer each request is in. */
export async function sumLedger(db: Queries, query: CostQuery): Promise<LedgerSums> {
  const layer = (name: string) =>
    sql`trim_scale(coalesce(sum(r.cost) filter (where a.layer = ${sql.lit(name)}), 0))`
  const { rows } = await sql<LedgerSums>`
    with ${partsOf({ ...query, id: undefined })}, assigned as (
      select request, case when max(n) > 1 then 'shared' when max(strength) = 2 then 'exact' else 'inferred' end as layer
      from parts group by request
    ), after_failure as (
      select distinct p.request from parts p
      join links.failed f on f.group_id = ${query.groupId} and f.type = ${query.type} and f.id = p.thing
      where p.started_at > f.at
    )
    select trim_scale(coalesce(sum(r.cost), 0)) as cost, ${layer('exact')} as exact, ${layer('inferred')} as inferred,
      ${layer('shared')} as shared,
      trim_scale(coalesce(sum(r.cost) filter (where b.request is not null), 0)) as rework,
      count(distinct r.session_key)::int as sessions, count(*)::int as requests
    from links.requests r
    left join assigned a on a.request = r.id
    left join after_failure b on b.request = r.id
    where ${inPeriod(query)}`.execute(db)
  return rows[0] as LedgerSums
}

/** IDs of requests are sorted by time, and the log is cut by them. */
function inPeriod({ groupId, from, to }: CostQuery): RawBuilder<boolean> {
  const conditions = [sql`r.group_id = ${groupId}`]
  if (from) conditions.push(sql`r.id >= ${lowestId(from)}::uuid`)
  if (to) conditions.push(sql`r.id < ${lowestId(to)}::uuid`)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/**
 * Common table expressions that end in `parts`: request, cost, started_at, unit, thing, and between how many things (n)
 * it is divided, which of them this is (place) and how strong the link is.
 */
function partsOf(query: CostQuery): RawBuilder<unknown> {
  if (query.type === 'person') return personParts(query)
  return query.type === 'project' ? projectParts(query) : linkedParts(query)
}

/**
 * By the links of the session, the run or the stand-up that the request belongs to, unless it has links of its own. The
 * unit is the ID that requests carry: two assistants may have given the same one to a session, and then nothing says
 * whose a request is.
 */
function linkedParts(query: CostQuery): RawBuilder<unknown> {
  const { groupId, type } = query
  return sql`units as materialized (
      select w.unit_type = 'request' as is_request, coalesce(s.external_id, w.unit_id) as unit, w.id as thing,
        max(w.strength) as strength
      from links.work w
      left join links.sessions s
        on w.unit_type = 'session' and s.group_id = ${groupId} and s.id = links.uuid_in(w.unit_id)
      where w.group_id = ${groupId} and w.type = ${type} ${isThere(query)} ${ofThing(query)}
      group by 1, 2, 3
    ), ranked as (
      select *, max(strength) over (partition by is_request, unit) as best from units
    ), shares as materialized (
      select is_request, unit, thing, strength, count(*) over each as n,
        row_number() over (partition by is_request, unit order by thing) as place
      from ranked where strength = best window each as (partition by is_request, unit)
    ), named as materialized (
      select substring(from_id from 5)::uuid as request from links.live
      where group_id = ${groupId} and from_type = 'request' and (to_type = 'pull_request'
        or to_type = 'ticket' and ${exists(groupId, 'ticket', sql`to_id`)}
        or to_type = 'initiative' and ${exists(groupId, 'initiative', sql`to_id`)})
    ), parts as materialized (
      select r.id as request, r.cost, r.started_at, h.unit, h.thing, h.n, h.place, h.strength
      from shares h join links.requests r on r.session_key = h.unit
      where not h.is_request and ${inPeriod(query)} and r.id not in (select request from named)
      union all
      select r.id, r.cost, r.started_at, coalesce(r.session_key, r.id::text), h.thing, h.n, h.place, h.strength
      from shares h join links.requests r on r.id = substring(h.unit from 5)::uuid
      where h.is_request and ${inPeriod(query)}
    )`
}

/** The links of a deleted ticket or initiative stay until the next sweep. A pull request lives elsewhere. */
function isThere({ groupId, type }: CostQuery): RawBuilder<unknown> {
  if (type !== 'ticket' && type !== 'initiative') return sql``
  return sql`and ${exists(groupId, type, sql`w.id`)}`
}

function exists(
  groupId: string,
  type: 'ticket' | 'initiative',
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`exists (
      select from ${sql.table(`links.${type}s`)} t where t.group_id = ${groupId} and t.id = links.uuid_in(${id}))`
}

/** Only units of the thing that is asked for, with the sessions that have the same ID. */
function ofThing({ groupId, type, id }: CostQuery): RawBuilder<unknown> {
  if (id === undefined) return sql``
  const mine = sql`m.group_id = ${groupId} and m.type = ${type} and m.id = ${id}`
  return sql`and (w.unit_type, w.unit_id) in (
      select m.unit_type, m.unit_id from links.work m where ${mine}
      union
      select 'session', twin.id::text from links.work m
      join links.sessions s on s.group_id = ${groupId} and s.id = links.uuid_in(m.unit_id)
      join links.sessions twin on twin.group_id = ${groupId} and twin.external_id = s.external_id
      where m.unit_type = 'session' and ${mine})`
}

/** Whose key it was; a run's key may be gone, but not who started the run. */
function personParts(query: CostQuery): RawBuilder<unknown> {
  const { groupId, id } = query
  const whose = sql`coalesce(k.created_by, n.started_by)`
  return sql`parts as materialized (
      select r.id as request, r.cost, r.started_at, coalesce(r.session_key, r.id::text) as unit, ${whose}::text as thing,
        1 as n, 1 as place, 2 as strength
      from links.requests r
      left join links.api_keys k on k.id = r.api_key_id
      left join links.runs n on n.group_id = ${groupId} and n.id::text = r.session_key
      where ${inPeriod(query)} and ${whose} is not null
        ${id === undefined ? sql`` : sql`and ${whose}::text = ${id}`}
    )`
}

/** The folder in which the session of the request began. */
function projectParts(query: CostQuery): RawBuilder<unknown> {
  const { groupId, id } = query
  const known = sql`s.group_id = ${groupId} and s.project is not null`
  return sql`folders as materialized (
      select external_id, project, count(*) over each as n,
        row_number() over (partition by external_id order by project) as place
      from (
        select distinct s.external_id, s.project from links.sessions s where ${known}
          ${
            id === undefined
              ? sql``
              : sql`and s.external_id in (select external_id from links.sessions s where ${known} and project = ${id})`
          }
      ) as given window each as (partition by external_id)
    ), parts as materialized (
      select r.id as request, r.cost, r.started_at, r.session_key as unit, f.project as thing, f.n, f.place,
        2 as strength
      from folders f join links.requests r on r.session_key = f.external_id
      where ${inPeriod(query)}
    )`
}
