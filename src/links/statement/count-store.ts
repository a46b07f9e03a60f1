import { sql, type RawBuilder } from 'kysely'
import type { Queries } from '../tables.ts'
import type { Member } from './tree-store.ts'

const hourMs = 3_600_000

/** From a time up to another; null: without an end. */
export interface Span {
  from: Date | null
  to: Date | null
}

/** An hour, and what its sums were or are. */
export interface HourSum {
  hour: Date
  requests: string
}

const hourOf = (column: string) => sql`date_bin('1 hour', ${sql.ref(column)}, 'epoch'::timestamptz)`
const quarterOf = (column: string) => sql`date_bin('15 minutes', ${sql.ref(column)}, 'epoch'::timestamptz)`

/** Takes away what was counted of the sessions. Returns in which hours that was. */
export async function forgetSessions(db: Queries, ids: readonly string[]): Promise<HourSum[]> {
  await sql`delete from links.statement_transcripts where session_id = any(${ids}::uuid[])`.execute(db)
  const { rows } = await sql<HourSum>`
    with gone as (
      delete from links.statement_gateway where session_id = any(${ids}::uuid[]) returning quarter, requests
    )
    select ${hourOf('quarter')} as hour, sum(requests) as requests from gone group by 1`.execute(db)
  return rows
}

/** Requests that the sessions were found to have sent, in the hours in which they started. */
export async function forgetClaims(db: Queries, groupId: string, ids: readonly string[]): Promise<Date[]> {
  const { rows } = await sql<{ hour: Date }>`
    with gone as (
      delete from links.statement_claims where session_id = any(${ids}::uuid[]) returning request_id
    )
    select distinct ${hourOf('r.started_at')} as hour
    from gone join links.requests r on r.group_id = ${groupId} and r.id = gone.request_id`.execute(db)
  return rows.map(({ hour }) => hour)
}

/** A request that failed left no response; one whose client disconnected may have left its beginning. */
const isAble = sql<boolean>`(r.status_code < 400 or r.status_code = 499)`
const requestColumns = sql`r.id, r.started_at, r.ended_at, r.status_code, r.prompt_tokens, r.completion_tokens, r.cost,
  k.created_by as person`
/** How far the clocks of a machine and of the server may be apart, and a response from its request. */
const nearby = sql`interval '10 minutes'`

/**
 * Pairs the requests of each tree with the responses that its transcripts count: by both counts of tokens, in the order
 * of time; then those that were cut off, which have fewer output tokens in the transcript, by their input within ten
 * minutes. Where no request carries the ID of the tree, requests without one are taken that have the same tokens at
 * about the same time.
 */
function pairsOf(groupId: string, members: readonly Member[]): RawBuilder<unknown> {
  const column = (name: keyof Member) => members.map((member) => member[name])
  return sql`members as (
      select * from unnest(${column('root')}::uuid[], ${column('id')}::uuid[], ${column('key')}::text[]) as m (root, id, key)
    ), keyed as materialized (
      select m.root, ${requestColumns} from members m
      join links.requests r on r.group_id = ${groupId} and r.session_key = m.key
      left join links.api_keys k on k.id = r.api_key_id
      union all
      select m.root, ${requestColumns} from members m
      join links.requests r on r.group_id = ${groupId} and r.subagent_key = m.key
      left join links.api_keys k on k.id = r.api_key_id
      where not exists (
        select from links.sessions o where o.group_id = ${groupId} and o.external_id = r.session_key)
    ), responses as materialized (
      select m.root, row_number() over () as n, u.* from members m join links.responses u on u.session_id = m.id
    ), free as materialized (
      select distinct on (r.id) u.root, ${requestColumns} from responses u
      join links.requests r on r.group_id = ${groupId} and r.id >= links.lowest_id(u.at - interval '20 minutes')
        and r.id < links.lowest_id(u.at + ${nearby}) and r.session_key is null and r.subagent_key is null
        and r.prompt_tokens = u.input_tokens and r.completion_tokens = u.output_tokens and ${isAble}
        and r.ended_at between u.at - ${nearby} and u.at + ${nearby}
      left join links.api_keys k on k.id = r.api_key_id
      where not exists (select from keyed where keyed.root = u.root)
        and not exists (select from links.statement_claims c where c.group_id = ${groupId} and c.request_id = r.id)
      order by r.id, abs(extract(epoch from r.ended_at - u.at)), u.root
    ), exact as materialized (
      select c.id, u.n from (
        select r.*, row_number() over (partition by root, prompt_tokens, completion_tokens order by ended_at, id) as place
        from (select * from keyed union all select * from free) as r where ${isAble}
      ) as c join (
        select *, row_number() over (partition by root, input_tokens, output_tokens order by at, n) as place from responses
      ) as u on u.root = c.root and u.input_tokens = c.prompt_tokens and u.output_tokens = c.completion_tokens
        and u.place = c.place
    ), pairs as materialized (
      select * from exact
      union all
      select c.id, u.n from (
        select r.*, row_number() over (partition by root, prompt_tokens order by ended_at, id) as place
        from keyed as r where ${isAble} and not exists (select from exact e where e.id = r.id)
      ) as c join (
        select *, row_number() over (partition by root, input_tokens order by at, n) as place
        from responses r where not exists (select from exact e where e.n = r.n)
      ) as u on u.root = c.root and u.input_tokens = c.prompt_tokens and u.place = c.place
        and c.ended_at between u.at - ${nearby} and u.at + ${nearby}
    )`
}

export interface Counted {
  /** What the sessions' own requests are now, by hour. */
  hours: HourSum[]
  /** In which hours requests without an ID were found to be theirs. */
  claimed: Date[]
}

/** Counts the trees whole; what was counted of them before is gone. */
export async function countSessions(
  db: Queries,
  groupId: string,
  members: readonly Member[],
): Promise<Counted> {
  const { rows } = await sql<HourSum & { is_claim: boolean }>`
    with ${pairsOf(groupId, members)}, counted as (
      insert into links.statement_gateway (group_id, session_id, quarter, person, part, requests, cost)
      select ${groupId}, root, ${quarterOf('started_at')}, person,
        case when p.id is not null then 'in_both' when status_code >= 400 then 'failed' else 'side_calls' end,
        count(*), sum(cost)
      from keyed r left join pairs p on p.id = r.id group by 2, 3, 4, 5
    ), estimated as (
      insert into links.statement_transcripts (group_id, session_id, quarter, person, model, responses, input_tokens,
        cached_tokens, cache_write_tokens, output_tokens)
      select ${groupId}, u.root, ${quarterOf('u.at')}, w.person, coalesce(u.model, ''), count(*), sum(u.input_tokens),
        sum(u.cached_tokens), sum(u.cache_write_tokens), sum(u.output_tokens)
      from responses u
      left join (
        select distinct on (root) root, person from keyed where person is not null
        group by root, person order by root, count(*) desc, person
      ) as w on w.root = u.root
      where not exists (select from pairs p where p.n = u.n) group by 2, 3, 4, 5
    ), claimed as (
      insert into links.statement_claims (group_id, request_id, session_id)
      select ${groupId}, f.id, f.root from free f join pairs p on p.id = f.id
      on conflict do nothing
    )
    select ${hourOf('started_at')} as hour, count(*) as requests, false as is_claim from keyed group by 1
    union all
    select distinct ${hourOf('started_at')}, 0, true from free f join pairs p on p.id = f.id`.execute(db)
  const [claims, own] = [rows.filter((row) => row.is_claim), rows.filter((row) => !row.is_claim)]
  return { hours: own, claimed: claims.map(({ hour }) => hour) }
}

/** Counts again the requests of these hours that belong to no session of the archive. */
export async function countOthers(db: Queries, groupId: string, hours: readonly Date[]): Promise<void> {
  if (hours.length === 0) return
  await sql`
    delete from links.statement_gateway s using unnest(${hours}::timestamptz[]) as h (hour)
    where s.group_id = ${groupId} and s.session_id is null and s.quarter >= h.hour
      and s.quarter < h.hour + interval '1 hour'`.execute(db)
  const isKnown = (column: string) => sql`exists (
    select from links.sessions s where s.group_id = ${groupId} and s.external_id = ${sql.ref(column)})`
  await sql`
    insert into links.statement_gateway (group_id, quarter, person, part, requests, cost)
    select ${groupId}, ${quarterOf('r.started_at')}, coalesce(k.created_by, n.started_by),
      case when c.request_id is not null then 'in_both' when n.id is not null or u.id is not null then 'own_work'
        when r.session_key is null and r.subagent_key is null then 'no_session' else 'no_transcript' end,
      count(*), sum(r.cost)
    from unnest(${hours}::timestamptz[]) as h (hour)
    join links.requests r on r.group_id = ${groupId} and r.id >= links.lowest_id(h.hour)
      and r.id < links.lowest_id(h.hour + interval '1 hour')
    left join links.api_keys k on k.id = r.api_key_id
    left join links.runs n on n.group_id = ${groupId} and n.id = links.uuid_in(r.session_key)
    left join links.standups u on u.group_id = ${groupId} and u.id = links.uuid_in(r.session_key)
    left join links.statement_claims c on c.group_id = ${groupId} and c.request_id = r.id
    where not ${isKnown('r.session_key')} and not ${isKnown('r.subagent_key')}
    group by 2, 3, 4`.execute(db)
}

/** Hours whose sums are not those of the log, the newest first. */
export async function hoursToCount(
  db: Queries,
  groupId: string,
  { from, to }: Span,
  limit: number,
): Promise<Date[]> {
  const within = (column: string) => {
    const conditions = [sql`group_id = ${groupId}`]
    if (from)
      conditions.push(sql`${sql.ref(column)} >= ${new Date(Math.floor(Number(from) / hourMs) * hourMs)}`)
    if (to) conditions.push(sql`${sql.ref(column)} < ${new Date(Math.ceil(Number(to) / hourMs) * hourMs)}`)
    return sql.join(conditions, sql` and `)
  }
  const { rows } = await sql<{ hour: Date }>`
    with log as (
      select hour, sum(requests) as requests, sum(cost) as cost from links.ledger_hours
      where ${within('hour')} group by 1
    ), counted as (
      select ${hourOf('quarter')} as hour, sum(requests) as requests, sum(cost) as cost
      from links.statement_gateway where ${within('quarter')} group by 1
    )
    select hour from log full join counted using (hour)
    where (log.requests, log.cost) is distinct from (counted.requests, counted.cost)
    order by hour desc limit ${limit}`.execute(db)
  return rows.map(({ hour }) => hour)
}

/** Sessions that requests of these hours name, and those whose responses may be found among them. */
export async function sessionsIn(db: Queries, groupId: string, hours: readonly Date[]): Promise<string[]> {
  const named = (column: string) => sql`
    select s.id from requests r join links.sessions s on s.group_id = ${groupId} and s.external_id = ${sql.ref(column)}`
  const { rows } = await sql<{ id: string }>`
    with hours as (select unnest(${hours}::timestamptz[]) as hour), requests as materialized (
      select distinct r.session_key, r.subagent_key from hours h
      join links.requests r on r.group_id = ${groupId} and r.id >= links.lowest_id(h.hour)
        and r.id < links.lowest_id(h.hour + interval '1 hour')
    )
    ${named('r.session_key')} union ${named('r.subagent_key')}
    union
    select e.session_id from hours h join links.statement_transcripts e on e.group_id = ${groupId}
      and e.quarter > h.hour - interval '30 minutes' and e.quarter < h.hour + interval '90 minutes'
    where not exists (select from links.statement_gateway w where w.session_id = e.session_id)`.execute(db)
  return rows.map(({ id }) => id)
}

/** Groups that have something to be counted. */
export async function groupsToCount(db: Queries): Promise<string[]> {
  const { rows } = await sql<{ group_id: string }>`
    select distinct group_id from links.ledger_hours union select distinct group_id from links.statement_gateway`.execute(
    db,
  )
  return rows.map((row) => row.group_id)
}
