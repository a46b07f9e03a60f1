import type pg from 'pg'
import { highlight, parseQuery, toTsquery, type Query } from '#kernel/words'
import type { StoredEvent } from '../event.ts'
import { conditions, facetWords, scope, type EventFilter } from '../filter.ts'
import { toEvent, type EventRow } from './event-store.ts'

export interface Search {
  text: string
  /** Only events before this id, for results by time. */
  before: string | null
  /** How many of the best results to skip, for results by rank. */
  offset: number
  sort: 'time' | 'rank'
  limit: number
}

export interface Found {
  event: StoredEvent
  rank: number
  highlight: string
}

type FoundRow = EventRow & { rank: number }

/** The newest events are tried one by one up to here: a common word is found among them at once. */
const scanned = 2_000
/**
 * A word that fills a page up to here is not looked for in the index: of a million events it would read and sort
 * thousands for a page of fifty.
 */
const maxScanned = 20_000
/** Of a common word's events only the newest are ranked. */
const maxRanked = 2_000
/** Longer messages are searched to their end, but the excerpt is taken from here. */
const excerptOf = 4_000

const stored = 'id, group_id, sequence, severity, type, source, service, title, message, metadata, words'

export async function searchEvents(pool: pg.Pool, filter: EventFilter, search: Search): Promise<Found[]> {
  const query = parseQuery(search.text)
  if (query === null) return []
  if (search.sort === 'rank') return run(pool, filter, search, query, best)
  const newest = await run(pool, filter, search, query, amongNewest(scanned))
  if (newest.length === search.limit) return newest
  // Twice as many events as have a page of matches where the word is as frequent further back.
  const isNear = (share: number): boolean => (2 * search.limit) / share <= maxScanned
  const tryMore = isNear(newest.length / scanned) || isNear(await estimatedShare(pool, query))
  const more = tryMore ? await run(pool, filter, search, query, amongNewest(maxScanned)) : newest
  return more.length === search.limit ? more : run(pool, filter, search, query, byIndex)
}

/**
 * Of all events, those that match: the newest may be a burst of others. The planner knows common words well, and of
 * rare ones that they are rare.
 */
async function estimatedShare(pool: pg.Pool, query: Query): Promise<number> {
  const matching = await plannedRows(pool, 'where words @@ $1::tsquery', [toTsquery(query)])
  return matching / (await plannedRows(pool, '', []))
}

async function plannedRows(pool: pg.Pool, where: string, values: string[]): Promise<number> {
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `explain (format json) select from console.events ${where}`,
    values,
  )
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}

async function run(
  pool: pg.Pool,
  filter: EventFilter,
  search: Search,
  query: Query,
  find: (filter: EventFilter, search: Search, values: unknown[]) => string,
): Promise<Found[]> {
  const values: unknown[] = [toTsquery(query), search.limit]
  const { rows } = await pool.query<FoundRow>(
    `with found as materialized (${find(filter, search, values)})
     select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata,
       ${search.sort === 'rank' ? 'rank' : 'ts_rank(words, $1::tsquery) as rank'}
     from found order by ${search.sort === 'rank' ? 'rank desc, id desc' : 'id desc'}`,
    values,
  )
  return rows.map(({ rank, ...row }) => ({
    event: toEvent(row),
    rank,
    highlight: highlight(`${row.title}\n${row.message.slice(0, excerptOf)}`, query),
  }))
}

const amongNewest =
  (window: number) =>
  (filter: EventFilter, { before }: Search, values: unknown[]): string => {
    const within = `${scope(filter, values)}${beforeId(before, values)}`
    return `select ${stored} from (
        select * from console.events where ${within} order by id desc limit $${values.push(window)}
      ) as newest
      where words @@ $1::tsquery and ${conditions(filter, values)} order by id desc limit $2`
  }

/**
 * A word that the newest do not have often enough is rare, which the planner does not know: without the fence
 * (`offset 0`) it walks through all events by their ids until it has found as many as wanted.
 */
function byIndex(filter: EventFilter, { before }: Search, values: unknown[]): string {
  return `select ${stored} from (
      select * from console.events where ${matching(filter, values)}${beforeId(before, values)} offset 0
    ) as matching
    order by id desc limit $2`
}

function best(filter: EventFilter, { offset }: Search, values: unknown[]): string {
  return `select ${stored}, ts_rank(words, $1::tsquery) as rank from (
      select * from console.events where ${matching(filter, values)} order by id desc limit ${maxRanked}
    ) as newest
    order by rank desc, id desc limit $2 offset $${values.push(offset)}`
}

function matching(filter: EventFilter, values: unknown[]): string {
  const words = facetWords(filter)
  const facets = words === '' ? '' : ` and words @@ $${values.push(words)}::tsquery`
  return `words @@ $1::tsquery${facets} and ${conditions(filter, values)}`
}

const beforeId = (before: string | null, values: unknown[]): string =>
  before === null ? '' : ` and id < $${values.push(before)}::uuid`
