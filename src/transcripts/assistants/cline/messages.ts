import type { LineReader, MessageChange, Source } from '../assistant.ts'
import { callOf, type Calls } from '../calls.ts'
import { countOf, dateOf, defined, objectOf, objectsOf, stringOf, type JsonObject } from '../json.ts'
import { recordReader, shortHash, savedState, type Changes } from '../record-reader.ts'
import { emitResult, filesOf } from './tool-results.ts'
import type { MessageContext } from './context.ts'
import { between } from '../between.ts'

/** `<id>.messages.json`, rewritten whole: a message that a compaction removed from it stays stored. */
export function openMessages(source: Source, saved: unknown): LineReader {
  const sessionKey = source.sessionKey ?? ''
  const state = savedState<{ calls: Calls }>(saved, { calls: {} })
  return recordReader(
    () => sessionKey,
    state,
    (document, changes) => {
      const version = stringOf(objectOf(document['origin'])['version'])
      changes.session(sessionKey, defined({ version, parentKey: source.parentKey }))
      const known = { edits: new Map<string, string[]>(), calls: state.calls }
      objectsOf(document['messages']).forEach((message, index) =>
        readMessage(source, message, index, changes, known),
      )
    },
  )
}

function readMessage(
  source: Source,
  message: JsonObject,
  index: number,
  changes: Changes,
  known: Pick<MessageContext, 'edits' | 'calls'>,
): void {
  const sessionKey = source.sessionKey ?? ''
  const isSubagent = source.role === 'subagent'
  const at = dateOf(message['ts'])
  const id =
    stringOf(message['id']) ?? shortHash(JSON.stringify([message['role'], message['ts'], message['content']]))
  const base = defined<Partial<MessageChange>>({ createdAt: at, isSidechain: isSubagent ? true : undefined })
  // The time orders messages across rewritings of the document, where indexes shift.
  const place = at?.getTime() ?? index
  let block = 0
  const emit = (each: Omit<MessageChange, 'order'>) =>
    changes.message(sessionKey, { ...base, ...each }, place + Math.min(block++, 999) / 1000)
  const context = { sessionKey, isSubagent, changes, message, id, ...known, emit }
  const content = message['content']
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
  blocks.forEach((each, position) => readBlock(context, each, `${id}/${position}`))
  const model = stringOf(objectOf(message['modelInfo'])['id'])
  changes.usage(sessionKey, `${id}/${at?.getTime() ?? 0}`, model, tokensOf(objectOf(message['metrics'])), at)
}

function readBlock(context: MessageContext, block: JsonObject, key: string): void {
  const { message, emit, changes, sessionKey, edits, calls } = context
  const type = stringOf(block['type'])
  const model = defined<{ model: string }>({ model: stringOf(objectOf(message['modelInfo'])['id']) })
  if (type === 'text') readText(context, stringOf(block['text']) ?? '', key)
  else if (type === 'thinking' || type === 'redacted_thinking' || type === 'reasoning') {
    const content = stringOf(block['thinking']) ?? stringOf(block['text'])
    if (content !== undefined) emit({ ...model, key, role: 'assistant', kind: 'thinking', content })
  } else if (type === 'tool_use') {
    const call = callOf(calls, stringOf(block['id']) ?? key, context.id)
    const toolName = stringOf(block['name']) ?? 'unknown'
    const toolInput = block['input'] ?? {}
    edits.set(call, filesOf(toolName, objectOf(toolInput)))
    emit({
      ...model,
      key: `call:${call}`,
      role: 'assistant',
      kind: 'tool_call',
      toolName,
      toolInput,
      toolCallKey: call,
    })
  } else if (type === 'tool_result') emitResult(context, block)
  else if (type === 'image') {
    const data = stringOf(block['data']) ?? stringOf(objectOf(block['source'])['data'])
    const mime = stringOf(block['mediaType']) ?? stringOf(objectOf(block['source'])['media_type']) ?? null
    if (data !== undefined) emit({ key, role: 'user', kind: 'image', origin: 'human', image: { mime, data } })
  } else if (type === 'file') readText(context, stringOf(block['content']) ?? '', key, true)
  else changes.unknown(sessionKey, `block of type ${String(type)}`)
}

function readText(
  { message, emit, isSubagent }: MessageContext,
  text: string,
  key: string,
  isFile = false,
): void {
  if (text === '') return
  const metadata = objectOf(message['metadata'])
  if (metadata['displayRole'] === 'error') {
    emit({ key, role: 'system', kind: 'text', origin: 'injected', content: text, isError: true })
    return
  }
  if (metadata['kind'] === 'compaction_summary' || metadata['compactionSummary'] !== undefined) {
    emit({ key, role: 'system', kind: 'summary', origin: 'injected', content: text })
    return
  }
  if (message['role'] === 'assistant') {
    const model = defined<{ model: string }>({ model: stringOf(objectOf(message['modelInfo'])['id']) })
    emit({ ...model, key, role: 'assistant', kind: 'text', content: text })
    return
  }
  const isPerson = !isSubagent && !isFile && /<user_input\b/.test(text)
  const role = isPerson || isSubagent ? 'user' : 'system'
  emit({ key, role, kind: 'text', origin: isPerson ? 'human' : 'injected', content: typedText(text) })
}

/** Prompts are wrapped in `<user_input mode="act">`. */
export function typedText(text: string): string {
  return between(text, /<user_input\b[^<>]*>/, '</user_input>') ?? text
}

function tokensOf(metrics: JsonObject) {
  return {
    input: countOf(metrics['inputTokens']),
    cached: countOf(metrics['cacheReadTokens']),
    cacheWrite: countOf(metrics['cacheWriteTokens']),
    output: countOf(metrics['outputTokens']),
  }
}
