import { callOf } from '../calls.ts'
import { countOf, defined, objectOf, objectsOf, stringOf, type JsonObject } from '../json.ts'
import type { ChatContext } from './context.ts'
import { contentText, hasFailedExit, responseImages, responseText } from '../google-parts.ts'

const editTools = new Set(['replace', 'write_file', 'edit'])

export function readGeminiMessage(context: ChatContext, at: Date | undefined): void {
  const { message, changes, sessionKey, id, emit } = context
  const model = stringOf(message['model'])
  const common = defined<{ model: string }>({ model })
  objectsOf(message['thoughts']).forEach((thought, index) => {
    const content = [stringOf(thought['subject']), stringOf(thought['description'])]
      .filter((text) => text !== undefined)
      .join('\n')
    if (content !== '')
      emit({ ...common, key: `${id}/thought${index}`, role: 'assistant', kind: 'thinking', content })
  })
  const content = contentText(message['content'])
  if (content !== '') emit({ ...common, key: id, role: 'assistant', kind: 'text', content })
  for (const call of objectsOf(message['toolCalls'])) readToolCall(context, call, common)
  const tokens = objectOf(message['tokens'])
  changes.usage(
    sessionKey,
    id,
    model,
    {
      input: countOf(tokens['input']) + countOf(tokens['tool']),
      cached: countOf(tokens['cached']),
      cacheWrite: 0,
      output: countOf(tokens['output']) + countOf(tokens['thoughts']),
    },
    at,
  )
}

function readToolCall(context: ChatContext, call: JsonObject, common: { model?: string }): void {
  const { emit, changes, sessionKey, state } = context
  const ownId = stringOf(call['id'])
  if (ownId === undefined) return
  const id = callOf(state.calls, ownId, context.id)
  const toolName = stringOf(call['name']) ?? 'unknown'
  const toolInput = objectOf(call['args'])
  emit({
    ...common,
    key: `call:${id}`,
    role: 'assistant',
    kind: 'tool_call',
    toolName,
    toolInput,
    toolCallKey: id,
  })
  const status = stringOf(call['status'])
  const result = call['result'] ?? undefined
  if (result === undefined && !['success', 'error', 'cancelled'].includes(status ?? '')) return
  const text = responseText(result)
  const isError = status === 'error' || status === 'cancelled' || hasFailedExit(text)
  emit({
    key: `result:${id}`,
    role: 'tool',
    kind: 'tool_result',
    content: text === '' ? (stringOf(call['resultDisplay']) ?? '') : text,
    isError,
    toolCallKey: id,
  })
  responseImages(result).forEach((image, index) =>
    emit({ key: `result:${id}/image${index}`, role: 'tool', kind: 'image', image, toolCallKey: id }),
  )
  const file = stringOf(toolInput['file_path'])
  if (file !== undefined && !isError && editTools.has(toolName)) changes.filesEdited(sessionKey, [file])
}
