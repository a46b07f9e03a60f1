import { sql } from 'kysely'
import type { ThingRef } from './shapes/thing.ts'
import type { LinkRow, Queries } from './tables.ts'

const names = [
  ...(['id', 'from_type', 'from_id', 'to_type', 'to_id', 'relation', 'how', 'evidence'] as const),
  ...(['confidence', 'created_at'] as const),
] as const
const columns = sql.join(names.map((name) => sql.ref(name)))

/** As it is read, with what is needed of it. */
export type StoredLink = Pick<LinkRow, (typeof names)[number]>

/** What an ID or a person says comes first. */
const strongest = sql`(how = 'inferred'), confidence desc, created_at desc, id`

/** Links from and to a thing, the strongest first. */
export async function linksOf(
  db: Queries,
  groupId: string,
  { type, id }: ThingRef,
  limit: number,
): Promise<StoredLink[]> {
  const { rows } = await sql<StoredLink>`
    select ${columns} from links.links
    where group_id = ${groupId} and dismissed_at is null
      and ((from_type = ${type} and from_id = ${id}) or (to_type = ${type} and to_id = ${id}))
    order by ${strongest} limit ${limit}`.execute(db)
  return rows
}

/** Links that leave these things on one side, for each thing the strongest. */
export async function linksFrom(
  db: Queries,
  groupId: string,
  side: 'from' | 'to',
  things: readonly ThingRef[],
  limit: number,
): Promise<StoredLink[]> {
  const [type, id] = [sql.ref(`l.${side}_type`), sql.ref(`l.${side}_id`)]
  const { rows } = await sql<StoredLink>`
    select found.* from unnest(${things.map((thing) => thing.type)}::text[], ${things.map((thing) => thing.id)}::text[])
      as thing (type, id)
    cross join lateral (
      select ${columns} from links.links l
      where l.group_id = ${groupId} and l.dismissed_at is null and ${type} = thing.type and ${id} = thing.id
      order by ${strongest} limit ${limit}
    ) as found`.execute(db)
  return rows
}

/** The sessions, runs and stand-ups that a request names. Not stored: there are as many as requests. */
export async function linksOfRequest(db: Queries, groupId: string, requestId: string): Promise<StoredLink[]> {
  const { rows } = await sql<StoredLink>`
    with request as (
      select id, started_at, session_key, subagent_key from links.requests
      where group_id = ${groupId} and id = ${requestId.slice(4)}::uuid
    ), units as (
      select r.*, 'session' as type, s.id::text as unit from request r
      join links.sessions s on s.group_id = ${groupId} and s.external_id in (r.session_key, r.subagent_key)
      union all
      select r.*, 'run', n.id::text from request r
      join links.runs n on n.group_id = ${groupId} and n.id::text = r.session_key
      union all
      select r.*, 'standup', u.id::text from request r
      join links.standups u on u.group_id = ${groupId} and u.id::text = r.session_key
    )
    select ${requestLink} from units order by type, unit limit 20`.execute(db)
  return rows
}

/** The newest requests of a session, a run or a stand-up. */
export async function requestsOf(
  db: Queries,
  groupId: string,
  { type, id }: ThingRef,
  limit: number,
): Promise<StoredLink[]> {
  const key =
    type === 'session'
      ? sql`(select external_id from links.sessions where group_id = ${groupId} and id = ${id}::uuid)`
      : sql`${id}`
  const { rows } = await sql<StoredLink>`
    with units as materialized (
      select id, started_at, ${type}::text as type, ${id}::text as unit from links.requests
      where group_id = ${groupId} and (session_key = ${key} or subagent_key = ${key})
    )
    select ${requestLink} from units order by units.id desc limit ${limit}`.execute(db)
  return rows
}

const requestLink = sql`
  -- Always the same, and of the form of a UUID.
  overlay(overlay(md5(units.id::text || type || unit) placing '4' from 13) placing '8' from 17)::uuid as id, 'request' as from_type,
  'req_' || replace(units.id::text, '-', '') as from_id, type as to_type, unit as to_id, 'sent_in' as relation,
  'exact' as how, 'The request carries the ID of the ' || replace(type, 'standup', 'stand-up') || '.' as evidence,
  1::real as confidence, started_at as created_at`

/** Undefined: the same person's link is there already. */
export async function insertLink(
  db: Queries,
  link: {
    group_id: string
    from: ThingRef
    to: ThingRef
    relation: string
    evidence: string
    created_by: string | null
  },
): Promise<StoredLink | undefined> {
  const { from, to, ...fields } = link
  return db
    .insertInto('links.links')
    .values({
      ...fields,
      from_type: from.type,
      from_id: from.id,
      to_type: to.type,
      to_id: to.id,
      how: 'person',
      confidence: 1,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(names)
    .executeTakeFirst()
}

export async function findPersonsLink(
  db: Queries,
  groupId: string,
  { from, to, relation }: { from: ThingRef; to: ThingRef; relation: string },
): Promise<StoredLink | undefined> {
  const { rows } = await sql<StoredLink>`
    select ${columns} from links.links
    where group_id = ${groupId} and from_type = ${from.type} and from_id = ${from.id} and to_type = ${to.type}
      and to_id = ${to.id} and relation = ${relation} and how = 'person'`.execute(db)
  return rows[0]
}

export async function findLink(
  db: Queries,
  groupId: string,
  id: string,
): Promise<Pick<LinkRow, 'id' | 'how'> | undefined> {
  return db
    .selectFrom('links.links')
    .select(['id', 'how'])
    .where('group_id', '=', groupId)
    .where('id', '=', id)
    .where('dismissed_at', 'is', null)
    .executeTakeFirst()
}

export async function deleteLink(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('links.links').where('id', '=', id).execute()
}

export async function dismissLink(db: Queries, id: string): Promise<void> {
  await db.updateTable('links.links').set({ dismissed_at: new Date() }).where('id', '=', id).execute()
}
