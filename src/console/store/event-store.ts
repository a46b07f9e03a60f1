import type pg from 'pg'
import type { ActivityType } from '#kernel/events'
import type { NewEvent, StoredEvent } from '../event.ts'
import { bytesArray, hexArray, integerArray, jsonbArray, textArray, uuidArray } from '#kernel/binary-array'
import { timeOfId } from '#kernel/uuid'
import { conditions, facetWords, isSelective, scope, type EventFilter } from '../filter.ts'

export interface EventRow {
  id: string
  group_id: string
  sequence: number
  severity: number
  type: ActivityType
  source: string
  service: string | null
  title: string
  message: string
  metadata: Record<string, unknown>
}

export const columns =
  'id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata'

/** The newest events are read one after another up to here; only behind them an index has to find matches. */
const scanned = 5_000
const maxCounted = 100_000
const minuteMs = 60_000

/** A server that dropped off the network never responds; after this time the events are sent again. */
const timeout = { query_timeout: 30_000 }

export interface StoreResult {
  /** The id of each event, in order; that of the first one where it was sent before. */
  ids: string[]
  /** What was not stored before, with its sequence. */
  stored: StoredEvent[]
}

/**
 * Stores events of one or several groups, each group in its own lane. The other processes get `sender` with the news, so
 * that a process recognizes its own.
 */
export async function storeEvents(
  pool: pg.Pool,
  given: readonly NewEvent[],
  words: readonly Buffer[],
  sender: string,
): Promise<StoreResult> {
  const order = byGroup(given)
  const events = order.map((at) => given[at] as NewEvent)
  const values = toColumns(
    events,
    order.map((at) => words[at] as Buffer),
  )
  const { ids, stored } = await storeOnce(pool, events, values, sender)
  const inOrder = Array.from<string>({ length: given.length })
  for (const [place, at] of order.entries()) inOrder[at] = ids[place] ?? ''
  return { ids: inOrder, stored }
}

/** The places of the events such that those of a group come together, each group's in their order. */
function byGroup(events: readonly NewEvent[]): number[] {
  const places = new Map<string, number[]>()
  for (const [at, { groupId }] of events.entries()) {
    const known = places.get(groupId)
    if (known) known.push(at)
    else places.set(groupId, [at])
  }
  return [...places.values()].flat()
}

async function storeOnce(
  pool: pg.Pool,
  events: readonly NewEvent[],
  given: readonly (Buffer | null)[],
  sender: string,
): Promise<StoreResult> {
  try {
    return await store(pool, events, [...given, sender, false])
  } catch (error) {
    if ((error as { code?: string }).code !== uniqueViolation) throw error
    return store(pool, events, [...given, sender, true])
  }
}

const uniqueViolation = '23505'

interface StoreRow {
  lanes: string[]
  sequences_before: string[]
  known_places: string[] | null
  known_ids: string[] | null
}

async function store(
  pool: pg.Pool,
  events: readonly NewEvent[],
  values: readonly (Buffer | string | boolean | null)[],
): Promise<StoreResult> {
  const { rows } = await pool.query<StoreRow>({
    ...timeout,
    name: 'console-store-in-lanes',
    text: 'select * from console.store_in_lanes($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)',
    values: [...values],
  })
  const [row] = rows
  const heads = new Map(row?.lanes.map((lane, index) => [lane, Number(row.sequences_before[index])]))
  const known = new Map(row?.known_places?.map((place, index) => [Number(place) - 1, row.known_ids?.[index]]))
  const stored: StoredEvent[] = []
  const ids = events.map((event, index) => {
    const knownId = known.get(index)
    if (knownId !== undefined) return knownId
    const sequence = (heads.get(event.groupId) ?? 0) + 1
    heads.set(event.groupId, sequence)
    stored.push({ ...event, sequence })
    return event.id
  })
  return { ids, stored }
}

function toColumns(events: readonly NewEvent[], words: readonly Buffer[]): (Buffer | null)[] {
  const keys = events.some(({ key }) => key !== null)
  return [
    uuidArray(events.map(({ id }) => id)),
    keys
      ? hexArray(
          'bytea',
          events.map(({ key }) => key),
        )
      : null,
    uuidArray(events.map(({ groupId }) => groupId)),
    integerArray(
      'int4',
      events.map(({ id }) => Math.floor(timeOfId(id).getTime() / minuteMs)),
    ),
    integerArray(
      'int2',
      events.map(({ severity }) => severity),
    ),
    textArray(events.map(({ type }) => type)),
    textArray(events.map(({ source }) => source)),
    textArray(events.map(({ service }) => service)),
    textArray(events.map(({ title }) => title)),
    textArray(events.map(({ message }) => message)),
    jsonbArray(events.map(({ metadata }) => JSON.stringify(metadata))),
    bytesArray(words, 'tsvector'),
  ]
}

export function toEvent({ group_id, ...row }: EventRow): StoredEvent {
  return { ...row, groupId: group_id, key: null }
}

/** The newest sequence of each group. A lane begins where the one lane for all groups has ended. */
export async function readHeads(
  pool: pg.Pool,
  groupIds: readonly string[],
): Promise<{ groupId: string; sequence: number }[]> {
  const { rows } = await pool.query<{ group_id: string; sequence: number }>(
    `select given.id as group_id,
       greatest(heads.sequence, (select sequence from console.head), 0)::float8 as sequence
     from unnest($1::uuid[]) as given (id) left join console.heads on group_id = given.id`,
    [groupIds],
  )
  return rows.map(({ group_id, sequence }) => ({ groupId: group_id, sequence }))
}

export async function findEvent(
  pool: pg.Pool,
  groupId: string,
  id: string,
): Promise<StoredEvent | undefined> {
  const { rows } = await pool.query<EventRow>(
    `select ${columns} from console.events where group_id = $1 and id = $2`,
    [groupId, id],
  )
  return rows[0] && toEvent(rows[0])
}

export interface Page {
  /** Only events before this id. */
  before: string | null
  limit: number
}

/**
 * Newest first. A filter that lets many events through finds enough of them among the newest, by their order; the
 * events of a rare one are found by the index of words.
 */
export async function listEvents(pool: pg.Pool, filter: EventFilter, page: Page): Promise<StoredEvent[]> {
  if (!isSelective(filter)) return select(pool, filter, page, '')
  const newest = await selectNewest(pool, filter, page)
  if (newest.length === page.limit) return newest
  return select(pool, filter, page, facetWords(filter))
}

async function select(
  pool: pg.Pool,
  filter: EventFilter,
  { before, limit }: Page,
  words: string,
): Promise<StoredEvent[]> {
  const values: unknown[] = []
  const where = [conditions(filter, values)]
  if (before !== null) where.push(`id < $${values.push(before)}::uuid`)
  if (words !== '') where.push(`words @@ $${values.push(words)}::tsquery`)
  const { rows } = await pool.query<EventRow>(
    `select ${columns} from console.events where ${where.join(' and ')}
     order by id desc limit $${values.push(limit)}`,
    values,
  )
  return rows.map(toEvent)
}

async function selectNewest(
  pool: pg.Pool,
  filter: EventFilter,
  { before, limit }: Page,
): Promise<StoredEvent[]> {
  const values: unknown[] = []
  const within = `${scope(filter, values)}${before === null ? '' : ` and id < $${values.push(before)}::uuid`}`
  const { rows } = await pool.query<EventRow>(
    `select ${columns} from (
       select * from console.events where ${within} order by id desc limit ${scanned}
     ) as newest
     where ${conditions(filter, values)} order by id desc limit $${values.push(limit)}`,
    values,
  )
  return rows.map(toEvent)
}

/** The events that follow an id, the nearest ones, newest first. */
export async function listAfter(
  pool: pg.Pool,
  filter: EventFilter,
  id: string,
  limit: number,
): Promise<StoredEvent[]> {
  const values: unknown[] = [id, limit]
  const { rows } = await pool.query<EventRow>(
    `select ${columns} from console.events where ${conditions(filter, values)} and id > $1::uuid
     order by id limit $2`,
    values,
  )
  return rows.map(toEvent).toReversed()
}

/** A part of the stream: sequences above `after`, up to and with `upTo`. */
export interface StreamRange {
  after: number
  upTo: number
}

export async function readRange(
  pool: pg.Pool,
  filter: EventFilter,
  { after, upTo }: StreamRange,
  limit: number,
): Promise<StoredEvent[]> {
  const values: unknown[] = [after, upTo, limit]
  const { rows } = await pool.query<EventRow>(
    `select ${columns} from console.events
     where ${conditions(filter, values)} and sequence > $1 and sequence <= $2 order by sequence limit $3`,
    values,
  )
  return rows.map(toEvent)
}

/** How many events of the range match; stops counting at a limit. */
export async function countRange(
  pool: pg.Pool,
  filter: EventFilter,
  { after, upTo }: StreamRange,
): Promise<number> {
  const values: unknown[] = [after, upTo]
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from (
       select from console.events
       where ${conditions(filter, values)} and sequence > $1 and sequence <= $2 limit ${maxCounted}
     ) as counted`,
    values,
  )
  return rows[0]?.count ?? 0
}

/** What the readers of a group need of its stream, in its order. */
export async function readGroup(
  pool: pg.Pool,
  groupId: string,
  { after, upTo }: StreamRange,
  limit: number,
): Promise<StoredEvent[]> {
  const { rows } = await pool.query<EventRow>(
    `select ${columns} from console.events
     where group_id = $1 and sequence > $2 and sequence <= $3 order by sequence limit $4`,
    [groupId, after, upTo, limit],
  )
  return rows.map(toEvent)
}
