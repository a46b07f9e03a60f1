import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { SearchDocument, SearchKind } from '#kernel/search'
import { lowestId, requestIdOf, timeOfId } from '#kernel/uuid'
import type { UsageTables } from '../tables.ts'

type Db = Kysely<UsageTables>

interface LogRow {
  id: string
  group_id: string
  model: string
  status_code: number
  user_label: string | null
  error_message: string | null
  metadata: Record<string, unknown> | null
}

/**
 * Rows reach the table a little after their time: the last minute waits. After an outage they come much later, so once
 * an hour the last two are read again.
 */
const minuteMs = 60_000
const hourMs = 3_600_000
const rowsToDocuments = 10

/**
 * What words the log holds: labels, metadata and errors. A document is a text, not a request: the same error of a
 * million requests is one, which leads to the latest of them.
 */
export function createLogSearchKind(db: Db): SearchKind {
  return {
    kind: 'request',
    title: 'Requests',
    maxPerGroup: 5_000,
    async changed(before, limit) {
      const now = Date.now()
      const { after, again } = readCursor(before, now)
      // Whole minutes, so that a log at rest moves no cursor every few seconds.
      const upTo = lowestId(new Date(Math.floor(now / minuteMs - 1) * minuteMs))
      const most = limit * rowsToDocuments
      const rows = await selectWithWords(db, after, upTo, most)
      const isFull = rows.length === most
      const documents = new Map(rows.map(toDocument).map((document) => [document.id, document]))
      const reached = isFull ? rows.at(-1)?.id : upTo
      return {
        documents: [...documents.values()],
        cursor: JSON.stringify({ after: reached, again }),
        more: isFull,
      }
    },
    async missing(documents) {
      const oldest = await db
        .selectFrom('usage.usage_logs')
        .select('id')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      const keptFrom = oldest ? timeOfId(oldest.id) : new Date()
      return documents.flatMap(({ id, at }) => (at < keptFrom ? [id] : []))
    },
  }
}

interface Cursor {
  after: string
  /** When the last hours are read again, in milliseconds. */
  again: number
}

function readCursor(text: string | null, now: number): Cursor {
  if (text === null) return { after: lowestId(new Date(0)), again: now + hourMs }
  const { after, again } = JSON.parse(text) as Cursor
  if (now < again) return { after, again }
  return {
    after: lowestId(new Date(Math.max(0, timeOfId(after).getTime() - 2 * hourMs))),
    again: now + hourMs,
  }
}

async function selectWithWords(db: Db, after: string, upTo: string, limit: number): Promise<LogRow[]> {
  const { rows } = await sql<LogRow>`
    select id, group_id, model, status_code, user_label, error_message, metadata from usage.usage_logs
    where id > ${after} and id < ${upTo}
      and (user_label is not null or error_message is not null or metadata is not null)
    order by id limit ${limit}`.execute(db)
  return rows
}

function toDocument(row: LogRow): SearchDocument {
  const details = row.metadata ? wordsOf(row.metadata) : []
  const lines = [row.error_message, row.user_label && `by ${row.user_label}`, ...details].filter(
    (line) => line !== null && line !== '',
  )
  const text = withoutNumbers(lines.join('\n'))
  const title = row.error_message
    ? `Error ${row.status_code} of ${row.model}`
    : `Requests of ${row.user_label ?? row.model}`
  const identity = JSON.stringify([row.group_id, title, text])
  return {
    groupId: row.group_id,
    id: createHash('sha256').update(identity).digest('hex').slice(0, 32),
    title,
    text,
    url: `/logs?request=${requestIdOf(row.id)}`,
    at: timeOfId(row.id),
  }
}

/** Ids and long numbers make every request's text another one, and nobody remembers them. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/\b(?=\w*\d)[\da-f]{8,}(-[\da-f]{4,})*\b|\d{6,}/gi, '…')
}

function wordsOf(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return [name === '' ? value : `${name}: ${value}`]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => wordsOf(each, Array.isArray(value) ? name : key))
}
