import type pg from 'pg'
import type { StoredEvent } from '../event.ts'
import { conditions, scope, type EventFilter } from '../filter.ts'
import { columns, toEvent, type EventRow, type Page } from './event-store.ts'

/** No index has the values of metadata: a page compares at most this many events; the next one continues there. */
const compared = 20_000

export interface MetadataPage {
  events: StoredEvent[]
  /** Null when all events were compared. */
  nextCursor: string | null
}

/** Newest first. */
export async function listByMetadata(
  pool: pg.Pool,
  filter: EventFilter,
  { before, limit }: Page,
): Promise<MetadataPage> {
  const values: unknown[] = []
  const within = `${scope(filter, values)}${before === null ? '' : ` and id < $${values.push(before)}::uuid`}`
  const bounds = [...values]
  const { rows } = await pool.query<EventRow>(
    `select ${columns} from (
       select * from console.events where ${within} order by id desc limit ${compared}
     ) as newest
     where ${conditions(filter, values)} order by id desc limit $${values.push(limit)}`,
    values,
  )
  const events = rows.map(toEvent)
  if (events.length === limit) return { events, nextCursor: events.at(-1)?.id ?? null }
  const last = await pool.query<{ id: string }>(
    `select id from console.events where ${within} order by id desc offset ${compared - 1} limit 1`,
    bounds,
  )
  return { events, nextCursor: last.rows[0]?.id ?? null }
}
