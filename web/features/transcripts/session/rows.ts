import type { TranscriptMessage } from '#transcripts/contract'
import { isSameDay } from '../../../ui/moment.ts'

/** What the list shows as one piece. */
export type Row =
  | { kind: 'message'; key: string; message: TranscriptMessage }
  /** A call with its results; a result whose call is not loaded stands alone. */
  | { kind: 'tool'; key: string; call: TranscriptMessage | null; results: TranscriptMessage[] }
  /** The messages below are of another day. */
  | { kind: 'day'; key: string; time: string }
  /** The messages above are copied from the session that this one was forked from. */
  | { kind: 'fork'; key: string }

/** The rows of loaded messages, which are in ascending order. */
export function rowsOf(messages: readonly TranscriptMessage[], hasOlder: boolean): Row[] {
  const rows: Row[] = []
  const calls = new Map<string, Extract<Row, { kind: 'tool' }>>()
  let before: TranscriptMessage | undefined
  for (const message of messages) {
    const owner = isResult(message) ? calls.get(message.call_id ?? '') : undefined
    if (owner) {
      owner.results.push(message)
      continue
    }
    // Its call is in the page before: shown here it would move when that page is loaded.
    if (isResult(message) && message.call_id !== null && hasOlder) continue
    rows.push(...dividers(before, message))
    if (message.kind === 'tool_call' || isResult(message)) {
      const row = toolRow(message)
      rows.push(row)
      if (row.call?.call_id) calls.set(row.call.call_id, row)
    } else rows.push({ kind: 'message', key: message.id, message })
    before = message
  }
  return rows
}

const isResult = ({ kind, role }: TranscriptMessage): boolean =>
  kind === 'tool_result' || (kind === 'image' && role === 'tool')

const toolRow = (message: TranscriptMessage): Extract<Row, { kind: 'tool' }> =>
  message.kind === 'tool_call'
    ? { kind: 'tool', key: message.id, call: message, results: [] }
    : { kind: 'tool', key: message.id, call: null, results: [message] }

/** The first row has none, because more messages may be loaded before it. */
function dividers(before: TranscriptMessage | undefined, message: TranscriptMessage): Row[] {
  if (before === undefined) return []
  const rows: Row[] = []
  if (before.is_copied && !message.is_copied) rows.push({ kind: 'fork', key: `fork-${message.id}` })
  const time = message.created_at
  if (time !== null && before.created_at !== null && !isSameDay(time, before.created_at))
    rows.push({ kind: 'day', key: `day-${message.id}`, time })
  return rows
}

export const messagesOf = (row: Row): TranscriptMessage[] => {
  if (row.kind === 'message') return [row.message]
  if (row.kind === 'tool') return row.call ? [row.call, ...row.results] : row.results
  return []
}

/** The row that shows this message. */
export const indexOfMessage = (rows: readonly Row[], id: string): number =>
  rows.findIndex((row) => messagesOf(row).some((message) => message.id === id))

export const isPrompt = (row: Row): boolean =>
  row.kind === 'message' && row.message.role === 'user' && row.message.origin === 'human'
