import { calledBefore, callOf } from '../calls.ts'
import { countOf, defined, objectOf, objectsOf, stringOf, type JsonObject } from '../json.ts'
import { remember } from '../record-reader.ts'
import type { EventContext } from './context.ts'

export function readUserMessage(context: EventContext): void {
  const { data, emit, id, isSubagent } = context
  const content = stringOf(data['content'])
  const source = stringOf(data['source'])
  const isHuman = !isSubagent && (source === undefined || source === 'user')
  const role = isHuman || isSubagent ? 'user' : 'system'
  if (content !== undefined)
    emit({ key: id, role, kind: 'text', origin: isHuman ? 'human' : 'injected', content })
  objectsOf(data['attachments']).forEach((attachment, index) =>
    emitAttachment(context, attachment, `${id}/${index}`),
  )
}

function emitAttachment({ emit, isSubagent }: EventContext, attachment: JsonObject, key: string): void {
  const data = stringOf(attachment['data']) ?? stringOf(attachment['assetId'])
  if (data === undefined) return
  const image = { mime: stringOf(attachment['mimeType']) ?? null, data }
  emit({ key, role: 'user', kind: 'image', origin: isSubagent ? 'injected' : 'human', image })
}

export function readAssistantMessage({ data, emit, id, state, sessionKey }: EventContext): void {
  const common = defined<{ model: string }>({ model: stringOf(data['model']) })
  const thinking = stringOf(data['reasoningText'])
  if (thinking !== undefined)
    emit({ ...common, key: `${id}/thinking`, role: 'assistant', kind: 'thinking', content: thinking })
  const content = stringOf(data['content'])
  if (content !== undefined) emit({ ...common, key: id, role: 'assistant', kind: 'text', content })
  for (const request of objectsOf(data['toolRequests'])) {
    const ownId = stringOf(request['toolCallId'])
    if (ownId === undefined) continue
    remember(state.reported, ownId, true, 100)
    const call = callOf(state.calls, ownId, id, sessionKey)
    emit({
      ...common,
      key: `call:${call}`,
      role: 'assistant',
      kind: 'tool_call',
      toolName: stringOf(request['name']) ?? 'unknown',
      toolInput: request['arguments'] ?? {},
      toolCallKey: call,
    })
  }
}

export function readToolResult({ data, emit, id, state, changes, sessionKey }: EventContext): void {
  const call = calledBefore(state.calls, stringOf(data['toolCallId']) ?? id, sessionKey)
  const result = objectOf(data['result'])
  const error = data['error']
  const exit = countOf(objectOf(data['shellExecution'])['exitCode'])
  const isError = data['success'] === false || exit > 0
  emit({
    key: `result:${call}`,
    role: 'tool',
    kind: 'tool_result',
    content:
      stringOf(result['content']) ??
      stringOf(objectOf(error)['message']) ??
      stringOf(error) ??
      stringOf(result['detailedContent']) ??
      '',
    isError,
    toolCallKey: call,
  })
  for (const binary of objectsOf(result['binaryResultsForLlm'])) {
    const asset = stringOf(binary['assetId'])
    const bytes = stringOf(binary['data'])
    const mime = stringOf(binary['mimeType']) ?? null
    if (asset !== undefined) emit({ key: asset, role: 'tool', kind: 'image', toolCallKey: call })
    else if (bytes !== undefined)
      emit({
        key: `result:${call}/image`,
        role: 'tool',
        kind: 'image',
        toolCallKey: call,
        image: { mime, data: bytes },
      })
  }
  const file = state.editOf[call]
  if (file !== undefined && !isError) changes.filesEdited(sessionKey, [file])
}
