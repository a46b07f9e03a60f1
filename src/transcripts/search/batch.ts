import { indexMessages, type IndexedMessage, type IndexPart } from './part.ts'

export interface IndexedBatch {
  /** The words of messages, by the place of the session in the batch. */
  parts: { session: number; part: IndexPart }[]
  /** Messages that other lines say more of: their words are indexed when they are stored. */
  unsettled: { session: number; key: string }[]
}

interface Message {
  key: string
  createdAt: number | null
  role: number
  kind: number
  toolName: string | null
  content: string | null
  toolInput: string | null
}

/** So much of a text is searched. */
export const maxSearched = 32_768

/** The text of a message in which words are looked for. In the input of a tool, line ends are written as escapes. */
export function searchedText(content: string | null, toolInput: string | null): string {
  if (content !== null) return content.slice(0, maxSearched)
  return (toolInput ?? '').slice(0, maxSearched).replaceAll(/\\[nrt]/g, '  ')
}

/** The words of messages, by session. */
export function indexBatch(messages: readonly ReadonlyMap<string, Message>[]): IndexedBatch {
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

const isSettled = ({ createdAt, content, toolInput }: Message): boolean =>
  createdAt !== null && (content !== null || toolInput !== null)

export function toIndexed({
  createdAt: at,
  toolName: tool,
  content,
  toolInput,
  ...row
}: Message): IndexedMessage {
  return { key: row.key, at, role: row.role, kind: row.kind, tool, text: searchedText(content, toolInput) }
}
