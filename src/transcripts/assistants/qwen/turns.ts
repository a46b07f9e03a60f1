import { calledBefore, callOf } from '../calls.ts'
import { contentText, hasFailedExit, partsOf, responseImages, responseText } from '../google-parts.ts'
import { countOf, dateOf, defined, objectOf, stringOf, isObject, type JsonObject } from '../json.ts'
import { remember } from '../record-reader.ts'
import type { ChatContext } from './context.ts'

const editTools = new Set(['edit', 'replace', 'write_file', 'notebook_edit'])

export function readAssistant({ record, emit, id, state, changes, sessionKey }: ChatContext): void {
  const model = stringOf(record['model'])
  const common = defined<{ model: string }>({ model })
  partsOf(objectOf(record['message'])['parts']).forEach((part, index) => {
    const key = `${id}/${index}`
    const text = stringOf(part['text'])
    if (isObject(part['functionCall'])) {
      const call = part['functionCall']
      const callKey = callOf(state.calls, stringOf(call['id']) ?? key, id)
      const toolName = stringOf(call['name']) ?? 'unknown'
      const toolInput = objectOf(call['args'])
      const file = stringOf(toolInput['file_path']) ?? stringOf(toolInput['notebook_path'])
      if (file !== undefined && editTools.has(toolName)) remember(state.editOf, callKey, file, 50)
      emit({
        ...common,
        key: `call:${callKey}`,
        role: 'assistant',
        kind: 'tool_call',
        toolName,
        toolInput,
        toolCallKey: callKey,
      })
    } else if (text !== undefined) {
      const kind = part['thought'] === true ? 'thinking' : 'text'
      emit({ ...common, key, role: 'assistant', kind, content: text })
    }
  })
  changes.usage(
    sessionKey,
    id,
    model,
    tokensOf(objectOf(record['usageMetadata'])),
    dateOf(record['timestamp']),
  )
}

/** Providers differ in whether candidates include thoughts; the total always does. */
function tokensOf(usage: JsonObject) {
  const input = countOf(usage['promptTokenCount'])
  const candidates = countOf(usage['candidatesTokenCount'])
  const total = countOf(usage['totalTokenCount'])
  const output = total > input ? total - input : candidates + countOf(usage['thoughtsTokenCount'])
  return { input, cached: countOf(usage['cachedContentTokenCount']), cacheWrite: 0, output }
}

export function readToolResult({ record, emit, id, state, changes, sessionKey }: ChatContext): void {
  const result = objectOf(record['toolCallResult'])
  const { parts } = objectOf(record['message'])
  const response = objectOf(
    partsOf(parts).find((part) => isObject(part['functionResponse']))?.['functionResponse'],
  )
  const call = calledBefore(state.calls, stringOf(result['callId']) ?? stringOf(response['id']) ?? id)
  const text = responseText(parts)
  const display = stringOf(result['resultDisplay'])
  const status = stringOf(result['status'])
  const isError = status === 'error' || status === 'cancelled' || hasFailedExit(text)
  emit({
    key: `result:${call}`,
    role: 'tool',
    kind: 'tool_result',
    content: text === '' ? (display ?? contentText(parts)) : text,
    isError,
    toolCallKey: call,
  })
  responseImages(parts).forEach((image, index) =>
    emit({ key: `result:${call}/image${index}`, role: 'tool', kind: 'image', image, toolCallKey: call }),
  )
  const file = state.editOf[call]
  if (file !== undefined && !isError) changes.filesEdited(sessionKey, [file])
}
