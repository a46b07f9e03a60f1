import type { LineReader, MessageChange, Source } from '../assistant.ts'
import { dateOf, defined, objectOf, stringOf, type JsonObject } from '../json.ts'
import { recordReader, remember, savedState, type Changes } from '../record-reader.ts'
import { readMessage, readUsage } from './messages.ts'
import type { PiState, EntryContext } from './context.ts'

const silent = new Set(['thinking_level_change', 'custom', 'label', 'context_edit', 'leaf'])

export function openSession(source: Source, saved: unknown): LineReader {
  const sessionKey = source.sessionKey ?? ''
  const state = savedState<PiState>(saved, { model: null, keyOf: {}, editOf: {}, calls: {} })
  return recordReader(
    () => sessionKey,
    state,
    (entry, changes) => readEntry(sessionKey, state, entry, changes),
  )
}

function readEntry(sessionKey: string, state: PiState, entry: JsonObject, changes: Changes): void {
  const parent = stringOf(entry['parentId'])
  let last = parent === undefined ? undefined : state.keyOf[parent]
  const id = stringOf(entry['id']) ?? `entry:${changes.position}`
  const emit = (message: Omit<MessageChange, 'order'>) => {
    const base = defined<Partial<MessageChange>>({ parentKey: last, createdAt: dateOf(entry['timestamp']) })
    changes.message(sessionKey, { ...base, ...message })
    last = message.key
  }
  readType({ sessionKey, state, changes, entry, id, emit })
  if (last !== undefined) remember(state.keyOf, id, last)
}

function readType(context: EntryContext): void {
  const { sessionKey, state, changes, entry, id, emit } = context
  const type = stringOf(entry['type']) ?? 'without type'
  if (silent.has(type)) return
  if (type === 'session') readHeader(context)
  else if (type === 'message') readMessage(context, objectOf(entry['message']))
  else if (type === 'model_change') state.model = stringOf(entry['modelId']) ?? state.model
  else if (type === 'usage') readUsage(context, entry, id)
  else if (type === 'compaction' || type === 'branch_summary') {
    const content = stringOf(entry['summary']) ?? 'Conversation compacted'
    emit({ key: id, role: 'system', kind: 'summary', origin: 'injected', content })
    readUsage(context, entry, `${id}/summary`)
  } else if (type === 'custom_message') readMessage(context, { role: 'custom', content: entry['content'] })
  else if (type === 'session_info') {
    const text = stringOf(entry['name'])
    if (text !== undefined) changes.session(sessionKey, { title: { text, source: 'custom' } })
  } else changes.unknown(sessionKey, `entry of type ${type}`)
}

function readHeader({ sessionKey, changes, entry }: EntryContext): void {
  const parent = stringOf(entry['parentSession'])
  changes.session(
    sessionKey,
    defined({
      project: stringOf(entry['cwd']),
      startedAt: dateOf(entry['timestamp']),
      forkedFrom: parent === undefined ? undefined : /_([^/\\_]+)\.jsonl$/.exec(parent)?.[1],
    }),
  )
}
