import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { SearchDocument, SearchKind } from '#kernel/search'
import { lowestId, timeOfId } from '#kernel/uuid'
import { readErrors, type ErrorRow } from './store/error-store.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
const rowsToDocuments = 10

/**
 * Errors of the console. Other events are far too many, and are found by their words. A document is a text, not an
 * event: the same error a million times is one, which leads to the latest of them.
 */
export function createErrorSearchKind(pool: pg.Pool, keptFrom: () => number): SearchKind {
  return {
    kind: 'event',
    title: 'Events',
    maxPerGroup: 5_000,
    async changed(before, limit) {
      const now = Date.now()
      const { after, again } = readCursor(before, now, keptFrom())
      // Whole minutes, so that a console at rest moves no cursor, and nothing is read in vain, every few seconds.
      const upTo = lowestId(Math.floor(now / minuteMs - 1) * minuteMs)
      if (before !== null && after >= upTo) return { documents: [], cursor: before, more: false }
      const most = limit * rowsToDocuments
      const rows = await readErrors(pool, { after, before: upTo }, most)
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
      const oldest = keptFrom()
      return documents.flatMap(({ id, at }) => (at.getTime() < oldest ? [id] : []))
    },
  }
}

interface Cursor {
  after: string
  /** When the last hours are read again, in milliseconds: events may arrive long after their time. */
  again: number
}

function readCursor(text: string | null, now: number, oldest: number): Cursor {
  if (text === null) return { after: lowestId(oldest), again: now + hourMs }
  const { after, again } = JSON.parse(text) as Cursor
  if (now < again) return { after, again }
  return { after: lowestId(timeOfId(after).getTime() - 2 * hourMs), again: now + hourMs }
}

function toDocument(row: ErrorRow): SearchDocument {
  const title = row.title
  const text = withoutNumbers([row.service ?? row.source, row.message].join('\n'))
  const identity = JSON.stringify([row.group_id, withoutNumbers(title), text])
  return {
    groupId: row.group_id,
    id: createHash('sha256').update(identity).digest('hex').slice(0, 32),
    title,
    text,
    url: `/console?event=${row.id}&around=${row.id}`,
    at: timeOfId(row.id),
  }
}

/** Ids and long numbers make every event's text another one, and nobody remembers them. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/\b(?=\w*\d)[\da-f]{8,}(-[\da-f]{4,})*\b|\d{6,}/gi, '…')
}
