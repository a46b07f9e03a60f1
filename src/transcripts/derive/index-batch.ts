import { indexMessages, type IndexPart } from '../word-index/index.ts'
import { searchedText } from '../words/index.ts'
import type { Batch } from './batch.ts'
import type { MessageRow } from './message-row.ts'

export interface IndexedBatch {
  /** The words of messages, by the place of the session in the batch. */
  parts: { session: number; part: IndexPart }[]
  /** Messages that other lines say more of: their words are indexed when they are stored. */
  unsettled: { session: number; key: string }[]
}

export function indexBatch({ messages }: Pick<Batch, 'messages'>): IndexedBatch {
  const rows = messages.map((each) => [...each.values()])
  return {
    parts: rows.flatMap((each, session) =>
      indexMessages(each.filter(isSettled).map(toIndexed)).map((part) => ({ session, part })),
    ),
    unsettled: rows.flatMap((each, session) =>
      each.filter((row) => !isSettled(row)).map(({ key }) => ({ session, key })),
    ),
  }
}

const isSettled = ({ createdAt, content, toolInput }: MessageRow): boolean =>
  createdAt !== null && (content !== null || toolInput !== null)

function toIndexed({ key, createdAt: at, role, kind, toolName: tool, content, toolInput }: MessageRow) {
  return { key, at, role, kind, tool, text: searchedText(content, toolInput) }
}
