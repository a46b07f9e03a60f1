import type pg from 'pg'
import { escapeHtml } from '../contract.ts'
import type { StoredEvent } from '../event.ts'
import { conditions, facetWords, scope, type EventFilter } from '../filter.ts'
import type { EventRow } from './event-store.ts'

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

type FoundRow = EventRow & { rank: number; headline: string }

/** The newest events are tried one by one up to here: a common word is found among them at once. */
const scanned = 2_000
/** Of a common word's events only the newest are ranked. */
const maxRanked = 2_000
/** Marks around words that match; they are no part of a stored text that people read. */
const marks = { start: '\u0002', end: '\u0003' } as const
/** Longer messages are searched to their end, but the excerpt is taken from here. */
const excerptOf = 4_000

const stored = 'id, group_id, sequence, severity, type, source, service, title, message, metadata, words'

export async function searchEvents(pool: pg.Pool, filter: EventFilter, search: Search): Promise<Found[]> {
  if (search.sort === 'rank') return run(pool, filter, search, best)
  const newest = await run(pool, filter, search, amongNewest)
  return newest.length === search.limit ? newest : run(pool, filter, search, byIndex)
}

async function run(
  pool: pg.Pool,
  filter: EventFilter,
  search: Search,
  find: (filter: EventFilter, search: Search, values: unknown[]) => string,
): Promise<Found[]> {
  const values: unknown[] = [search.text, search.limit]
  const { rows } = await pool.query<FoundRow>(
    `with asked as (select websearch_to_tsquery('english', $1) as query),
       found as materialized (${find(filter, search, values)})
     select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata,
       ${search.sort === 'rank' ? 'rank' : 'ts_rank(words, asked.query) as rank'},
       ts_headline('english', title || E'\\n' || left(message, ${excerptOf}), asked.query,
         'StartSel=${marks.start}, StopSel=${marks.end}, MinWords=15, MaxWords=35, ShortWord=0') as headline
     from found, asked order by ${search.sort === 'rank' ? 'rank desc, id desc' : 'id desc'}`,
    values,
  )
  return rows.map(toFound)
}

const query = `websearch_to_tsquery('english', $1)`

function amongNewest(filter: EventFilter, { before }: Search, values: unknown[]): string {
  const within = `${scope(filter, values)}${beforeId(before, values)}`
  return `select ${stored} from (
      select * from console.events where ${within} order by id desc limit ${scanned}
    ) as newest
    where words @@ ${query} and ${conditions(filter, values)} order by id desc limit $2`
}

function byIndex(filter: EventFilter, { before }: Search, values: unknown[]): string {
  return `select ${stored} from console.events
    where ${matching(filter, values)}${beforeId(before, values)} order by id desc limit $2`
}

function best(filter: EventFilter, { offset }: Search, values: unknown[]): string {
  return `select ${stored}, ts_rank(words, ${query}) as rank from (
      select * from console.events where ${matching(filter, values)} order by id desc limit ${maxRanked}
    ) as newest
    order by rank desc, id desc limit $2 offset $${values.push(offset)}`
}

function matching(filter: EventFilter, values: unknown[]): string {
  const words = facetWords(filter)
  const facets = words === '' ? '' : ` and words @@ $${values.push(words)}::tsquery`
  return `words @@ ${query}${facets} and ${conditions(filter, values)}`
}

const beforeId = (before: string | null, values: unknown[]): string =>
  before === null ? '' : ` and id < $${values.push(before)}::uuid`

function toFound({ rank, headline, group_id, ...row }: FoundRow): Found {
  return { event: { ...row, groupId: group_id, key: null }, rank, highlight: toHtml(headline) }
}

/** Escaped first, so that a mark is the only element that the text can contain. */
function toHtml(headline: string): string {
  const parts = headline.split(marks.start).flatMap((part, index) => {
    if (index === 0) return [escapeHtml(part)]
    const [match = '', ...rest] = part.split(marks.end)
    return [`<mark>${escapeHtml(match)}</mark>`, escapeHtml(rest.join(''))]
  })
  return parts.join('')
}
