import { sql, type RawBuilder } from 'kysely'
import type { ThingType } from '../shapes/thing.ts'
import type { Queries } from '../tables.ts'

export interface FoundThing {
  id: string
  title: string
  url: string | null
  at: Date | null
  /** What it says about why; see `Step`. */
  data: {
    prompt?: string
    decision?: string
    rationale?: string
  }
}

const none = sql`'{}'::jsonb`
const dayOf = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD HH24:MI')`

interface Selection {
  view: string
  title: RawBuilder<unknown>
  url: RawBuilder<unknown>
  at: RawBuilder<unknown>
  data?: RawBuilder<unknown>
}

/** How things that have a row in their part are shown. IDs are compared as uuids, so that indexes are used. */
const selections: Partial<Record<ThingType, Selection>> = {
  deployment: {
    view: 'deployments',
    title: sql`concat_ws(' ', service, version, 'to', environment)`,
    url: sql`'/deployments/' || id`,
    at: sql`started_at`,
  },
  incident: {
    view: 'incidents',
    title: sql`concat(service_title, ': ', cause)`,
    url: sql`'/incidents/' || id`,
    at: sql`opened_at`,
  },
  service: { view: 'services', title: sql`title`, url: sql`'/services/' || name`, at: sql`null` },
  ticket: { view: 'tickets', title: sql`title`, url: sql`'/tickets/' || id`, at: sql`created_at` },
  run: {
    view: 'runs',
    title: sql`concat(agent_id, ': ', left(split_part(request, chr(10), 1), 200))`,
    url: sql`'/agents/runs/' || id`,
    at: sql`created_at`,
    data: sql`jsonb_build_object('prompt', left(request, 2000))`,
  },
  sql_change: {
    view: 'sql_changes',
    title: sql`concat(array_to_string(operations, ', '), ' in ', database, ': ', left(reason, 200))`,
    url: sql`'/why?type=sql_change&id=' || id`,
    at: sql`created_at`,
  },
  standup: {
    view: 'standups',
    title: sql`'Stand-up of ' || ${dayOf('started_at')} || ' UTC'`,
    url: sql`'/initiatives/' || initiative_id || '/standup?session=' || id`,
    at: sql`started_at`,
  },
  decision: {
    view: 'decisions',
    title: sql`title`,
    url: sql`'/initiatives/' || initiative_id || '?decision=' || id`,
    at: sql`decided_at`,
    data: sql`jsonb_build_object('decision', left(decision, 2000), 'rationale', left(rationale, 2000))`,
  },
  initiative: {
    view: 'initiatives',
    title: sql`title`,
    url: sql`'/initiatives/' || slug`,
    at: sql`null`,
  },
  session: {
    view: 'sessions',
    title: sql`coalesce(title, nullif(left(split_part(first_prompt, chr(10), 1), 200), ''), 'Session of ' || assistant)`,
    url: sql`'/transcripts/' || id`,
    at: sql`started_at`,
    data: sql`jsonb_strip_nulls(jsonb_build_object('prompt', left(first_prompt, 2000)))`,
  },
}

/** The views of the things that have a row in their part, by type. */
export const viewsOfThings = Object.entries(selections).map(
  ([type, { view }]) => [type as ThingType, view] as const,
)

/** Those of the things that exist in the group. Commits and pull requests live elsewhere, so all of them do. */
export async function findThings(
  db: Queries,
  groupId: string,
  type: ThingType,
  ids: readonly string[],
): Promise<FoundThing[]> {
  if (ids.length === 0) return []
  if (type === 'commit') return findCommits(db, groupId, ids)
  if (type === 'pull_request') return findPullRequests(db, groupId, ids)
  if (type === 'request') return findRequests(db, groupId, ids)
  const { view, title, url, at, data = none } = selections[type] as Selection
  const { rows } = await sql<FoundThing>`
    select id, ${title} as title, ${url} as url, ${at}::timestamptz as at, ${data} as data
    from ${sql.table(`links.${view}`)}
    where group_id = ${groupId} and id = any(${ids}::uuid[])`.execute(db)
  return rows
}

async function findCommits(db: Queries, groupId: string, ids: readonly string[]): Promise<FoundThing[]> {
  const { rows } = await sql<FoundThing>`
    select given.id, coalesce(c.message, 'Commit ' || left(given.id, 7)) as title, c.url, c.made_at as at, ${none} as data
    from unnest(${ids}::text[]) as given (id)
    left join links.commits c on c.group_id = ${groupId} and c.id = given.id`.execute(db)
  return rows
}

async function findPullRequests(db: Queries, groupId: string, ids: readonly string[]): Promise<FoundThing[]> {
  const { rows } = await sql<FoundThing>`
    select given.id, given.id as url, coalesce(p.merged_at, p.opened_at, p.stated_at) as at, ${none} as data,
      coalesce(p.title, regexp_replace(given.id, '^https?://[^/]+/(.+?)/(?:-/)?[a-z_-]+/([0-9]+)$', '\\1#\\2')) as title
    from unnest(${ids}::text[]) as given (id)
    left join links.pull_requests p on p.group_id = ${groupId} and p.id = given.id`.execute(db)
  return rows
}

async function findRequests(db: Queries, groupId: string, ids: readonly string[]): Promise<FoundThing[]> {
  const uuids = ids.map((id) => id.slice(4))
  const { rows } = await sql<FoundThing>`
    select 'req_' || replace(id::text, '-', '') as id, concat(model, ' at ', ${dayOf('started_at')}, ' UTC') as title,
      '/logs?request=req_' || replace(id::text, '-', '') as url, started_at as at, ${none} as data
    from links.requests where group_id = ${groupId} and id = any(${uuids}::uuid[])`.execute(db)
  return rows
}

/** Where a thing is named by its slug or its name. */
export async function idByName(
  db: Queries,
  groupId: string,
  type: 'initiative' | 'service',
  name: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(type === 'initiative' ? 'links.initiatives' : 'links.services')}
    where group_id = ${groupId} and ${sql.ref(type === 'initiative' ? 'slug' : 'name')} = ${name}`.execute(db)
  return rows[0]?.id
}

export interface Belief {
  decision_id: string
  text: string
  confidence: number | null
}

/** How sure people were of the criteria on the day of each decision; of those that there were then. */
export async function beliefsAt(
  db: Queries,
  groupId: string,
  decisions: readonly string[],
): Promise<Belief[]> {
  const { rows } = await sql<Belief>`
    select d.id as decision_id, c.text, coalesce(
      (select h.confidence from links.confidence_changes h
        where h.criterion_id = c.id and h.created_at <= d.decided_at order by h.created_at desc limit 1),
      (select h.before from links.confidence_changes h
        where h.criterion_id = c.id and h.created_at > d.decided_at order by h.created_at limit 1),
      case when not exists (select from links.confidence_changes h where h.criterion_id = c.id)
        then c.confidence end) as confidence
    from links.decisions d join links.criteria c on c.initiative_id = d.initiative_id
    where d.group_id = ${groupId} and d.id = any(${decisions}::uuid[])
      and c.created_at <= d.decided_at + interval '1 day'
    order by c.created_at, c.id limit 500`.execute(db)
  return rows
}
