import type { TokenCounts } from '../assistant.ts'
import { calledBefore, callOf } from '../calls.ts'
import { countOf, dateOf, defined, objectOf, objectsOf, stringOf, type JsonObject } from '../json.ts'
import { remember, shortHash } from '../record-reader.ts'
import type { RecordContext } from './context.ts'

/** One API message comes in several lines, one block each; older versions repeat earlier blocks. */
export function readAssistant(context: RecordContext): void {
  const { record, changes, sessionKey } = context
  const message = objectOf(record['message'])
  const model = stringOf(message['model'])
  const isSynthetic = model === '<synthetic>'
  const key = messageKey(record, message)
  const id = key ?? String(changes.position)
  const blocks = typeof message['content'] === 'string' ? [textBlock(message['content'])] : message['content']
  const objects = objectsOf(blocks)
  objects.forEach((block, index) => {
    emitBlock(context, block, {
      id,
      record: key ?? '',
      index:
        objects.length === 1 && typeof record['apiBlockIndex'] === 'number' ? record['apiBlockIndex'] : null,
      line: index,
      model: isSynthetic ? undefined : model,
    })
  })
  if (!isSynthetic && message['usage'] !== undefined)
    changes.usage(sessionKey, id, model, tokensOf(objectOf(message['usage'])), dateOf(record['timestamp']))
}

/** Lines of one API message share its id and the request; a provider may use an id twice, a request is one call. */
function messageKey(record: JsonObject, message: JsonObject): string | undefined {
  const parts = [stringOf(message['id']), stringOf(record['requestRef']) ?? stringOf(record['requestId'])]
  return stringOf(parts.filter((part) => part !== undefined).join('/')) ?? stringOf(record['uuid'])
}

interface Place {
  id: string
  /** The API message, which separates its calls from those of others; empty where the line has no id. */
  record: string
  /** Index of the block in the API message, where the line says so. */
  index: number | null
  line: number
  model: string | undefined
}

function emitBlock(context: RecordContext, block: JsonObject, place: Place): void {
  const { record, emit, state } = context
  const type = stringOf(block['type']) ?? ''
  const common = defined<{ model: string; isError: boolean }>({
    model: place.model,
    isError: record['isApiErrorMessage'] === true ? true : undefined,
  })
  if (type === 'text') {
    const content = stringOf(block['text'])
    if (content !== undefined)
      emit({
        ...common,
        key: keyOf(context, place, 'text', content),
        role: 'assistant',
        kind: 'text',
        content,
      })
  } else if (type === 'thinking' || type === 'redacted_thinking') {
    const content = stringOf(block['thinking']) ?? ''
    // Most models keep their thinking to themselves: an empty block says nothing.
    if (content === '' && type === 'thinking') return
    emit({
      ...common,
      key: keyOf(context, place, 'thinking', content),
      role: 'assistant',
      kind: 'thinking',
      content,
    })
  } else if (type === 'tool_use' || type === 'server_tool_use') {
    const call = callOf(state.calls, stringOf(block['id']) ?? `${place.id}/${place.line}`, place.record)
    emit({
      ...common,
      key: `call:${call}`,
      role: 'assistant',
      kind: 'tool_call',
      toolName: stringOf(block['name']) ?? 'unknown',
      toolInput: block['input'] ?? {},
      toolCallKey: call,
    })
  } else if (type.endsWith('_tool_result')) {
    const call = calledBefore(state.calls, stringOf(block['tool_use_id']) ?? `${place.id}/${place.line}`)
    const content = JSON.stringify(block['content'] ?? null)
    emit({ key: `result:${call}`, role: 'tool', kind: 'tool_result', content, toolCallKey: call })
  } else context.changes.unknown(context.sessionKey, `block of type ${type}`)
}

/** Without an index, a text that an earlier line began and this one extends is the same block. */
function keyOf({ state }: RecordContext, place: Place, kind: string, content: string): string {
  if (place.index !== null) return `${place.id}/${place.index}`
  const seen = state.blocksOf[place.id] ?? []
  const known = seen.find(
    (block) => block.kind === kind && shortHash(content.slice(0, block.length)) === block.hash,
  )
  const key = known?.key ?? `${place.id}/${kind}${seen.length}`
  const entry = { key, kind, length: content.length, hash: shortHash(content) }
  remember(state.blocksOf, place.id, [...seen.filter((block) => block !== known), entry].slice(-50), 8)
  return key
}

function tokensOf(usage: JsonObject): TokenCounts {
  const cached = countOf(usage['cache_read_input_tokens'])
  const cacheWrite = countOf(usage['cache_creation_input_tokens'])
  const input = countOf(usage['input_tokens']) + cached + cacheWrite
  return { input, cached, cacheWrite, output: countOf(usage['output_tokens']) }
}

function textBlock(text: string): JsonObject {
  return { type: 'text', text }
}
