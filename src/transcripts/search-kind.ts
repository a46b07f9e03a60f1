import type { SearchDocument, SearchKind } from '#kernel/search'
import { changedSessions, listedIds, type ChangePlace, type SessionDocument } from './store/document-store.ts'
import type { Db } from './store/source-store.ts'
import { titleFromPrompt } from './summary/plain.ts'

/**
 * A running session changes every second. It is handed over when it has been quiet for a while; its words are found at
 * once by the search of transcripts.
 */
const quietMs = 60_000
const maxText = 12_000

/** Sessions by what people asked and what came of it. Whole conversations would be a thousand times as much text. */
export function createTranscriptSearchKind(db: Db): SearchKind {
  return {
    kind: 'transcript',
    title: 'Sessions',
    maxPerGroup: 20_000,
    async changed(after, limit) {
      const from = after === null ? beginning : readCursor(after)
      const rows = await changedSessions(db, from, new Date(Date.now() - quietMs), limit)
      const last = rows.at(-1)
      return {
        documents: rows.map(toDocument),
        cursor: last
          ? JSON.stringify([last.changed_at, last.no])
          : (after ?? JSON.stringify([from.at, from.no])),
        more: rows.length === limit,
      }
    },
    async missing(documents) {
      const listed = await listedIds(
        db,
        documents.map(({ id }) => id),
      )
      return documents.flatMap(({ id }) => (listed.has(id) ? [] : [id]))
    },
  }
}

const beginning: ChangePlace = { at: '1970-01-01T00:00:00Z', no: '0' }

function readCursor(cursor: string): ChangePlace {
  const [at, no] = JSON.parse(cursor) as [string, string]
  return { at, no }
}

/** What stays as it is comes first: only the end of a growing text is embedded again. */
function toDocument(row: SessionDocument): SearchDocument {
  const prompts = row.prompts ?? (row.first_prompt === null ? [] : [row.first_prompt])
  const text = [...prompts, row.summary ?? ''].filter((part) => part !== '').join('\n\n')
  return {
    groupId: row.group_id,
    id: row.id,
    title: row.title ?? titleFromPrompt(row.first_prompt) ?? 'Session',
    text: text.slice(0, maxText).toWellFormed(),
    url: `/transcripts/${row.id}`,
    at: row.at,
  }
}
