import type pg from 'pg'
import { invalidField, notFound } from '#kernel/errors'
import type { TranscriptDetail, TranscriptMessage } from '../contract.ts'
import { placeOf, readMessages, type MessagePageRow, type PlaceKey } from '../store/page-store.ts'
import type { SessionRow } from '../store/read-store.ts'
import { keyOfMessage } from './message-id.ts'
import { parsePlaceCursor, placeCursor } from './query.ts'
import { messageJson } from './to-json.ts'

export interface PageQuery {
  limit: number
  order: 'asc' | 'desc'
  cursor?: string | undefined
  after?: string | undefined
  around?: string | undefined
  show?: 'prompts' | 'tools' | 'errors' | undefined
}

export interface MessagePage {
  messages: TranscriptMessage[]
  next_cursor: string | null
  prev_cursor: string | null
}

export async function pageOf(
  pool: pg.Pool,
  session: SessionRow,
  subagents: TranscriptDetail['subagents'],
  query: PageQuery,
): Promise<MessagePage> {
  const { limit, order, cursor, after, around } = query
  if ([cursor, after, around].filter((given) => given !== undefined).length > 1)
    throw invalidField('cursor', 'cannot be combined with after or around')
  const bySubagentCall = new Map(
    subagents.flatMap(({ id, parent_call_id }) => (parent_call_id === null ? [] : [[parent_call_id, id]])),
  )
  const toJson = (rows: readonly MessagePageRow[]) =>
    rows.map((row) => messageJson(row, session.id, bySubagentCall))
  const read = (from: PlaceKey | null, isDescending: boolean, count: number) =>
    readMessages(pool, {
      show: query.show ?? null,
      sessionNo: session.no,
      forkNo: session.fork_no,
      group: session.group_no,
      after: from,
      isDescending,
      limit: count,
    })

  if (around !== undefined) {
    const middle = await find(pool, session, around)
    const half = Math.floor(limit / 2)
    const older = await read(middle, true, Math.max(1, half))
    const earlier = older.rows.slice(0, half).toReversed()
    const later = await read(justBefore(middle), false, limit - earlier.length)
    const rows = [...earlier, ...later.rows]
    return {
      messages: toJson(rows),
      next_cursor: later.goesOn ? cursorOf(rows.at(-1)) : null,
      prev_cursor: older.goesOn || older.rows.length > earlier.length ? cursorOf(rows[0]) : null,
    }
  }
  const from = after === undefined ? parsePlaceCursor(cursor) : await find(pool, session, after)
  const { rows, goesOn } = await read(from, after === undefined && order === 'desc', limit)
  return {
    messages: toJson(rows),
    next_cursor: goesOn ? cursorOf(rows.at(-1)) : null,
    prev_cursor: null,
  }
}

async function find(pool: pg.Pool, session: SessionRow, id: string): Promise<PlaceKey> {
  const found = await placeOf(pool, session.no, keyOfMessage(session.id, id))
  if (found === undefined) throw notFound('The message')
  return found
}

const cursorOf = (row: MessagePageRow | undefined): string | null => (row ? placeCursor(row) : null)

/** So that what follows includes the message itself. */
function justBefore({ place, key }: PlaceKey): PlaceKey {
  const before = BigInt(`0x${key}`) - 1n
  return { place, key: (before < 0n ? 0n : before).toString(16).padStart(32, '0') }
}
