import { calledBefore, callOf } from '../calls.ts'
import { countOf, dateOf, defined, objectOf, objectsOf, stringOf, type JsonObject } from '../json.ts'
import { remember } from '../record-reader.ts'
import type { EntryContext } from './context.ts'

export function readMessage(context: EntryContext, message: JsonObject): void {
  const { id, emit, changes, sessionKey } = context
  const role = stringOf(message['role'])
  // The prompt and the tools of the program.
  if (role === 'system') return
  if (role === 'assistant') readAssistant(context, message)
  else if (role === 'toolResult') readResult(context, message)
  else if (role === 'user') emitParts(context, message['content'], 'human')
  else if (role === 'custom' || role === 'hookMessage') emitParts(context, message['content'], 'injected')
  else if (role === 'bashExecution') readShell(context, message)
  else if (role === 'compactionSummary' || role === 'branchSummary')
    emit({
      key: id,
      role: 'system',
      kind: 'summary',
      origin: 'injected',
      content: stringOf(message['summary']) ?? '',
    })
  else changes.unknown(sessionKey, `message of role ${String(role)}`)
}

export function readUsage(
  { changes, sessionKey, state, entry }: EntryContext,
  holder: JsonObject,
  id: string,
): void {
  const usage = objectOf(holder['usage'])
  const cached = countOf(usage['cacheRead'])
  const cacheWrite = countOf(usage['cacheWrite'])
  const tokens = {
    input: countOf(usage['input']) + cached + cacheWrite,
    cached,
    cacheWrite,
    output: countOf(usage['output']),
  }
  const model = stringOf(holder['model']) ?? state.model ?? undefined
  // A fork repeats its entries with their ids and times.
  const key = `${id}/${String(entry['timestamp'])}`
  changes.usage(sessionKey, key, model, tokens, dateOf(entry['timestamp']))
}

function readAssistant(context: EntryContext, message: JsonObject): void {
  const { id, emit, state, changes, sessionKey } = context
  const model = stringOf(message['model'])
  const common = defined<{ model: string }>({ model })
  objectsOf(message['content']).forEach((block, index) => {
    const key = `${id}/${index}`
    const type = stringOf(block['type'])
    if (type === 'text') {
      const content = stringOf(block['text'])
      if (content !== undefined) emit({ ...common, key, role: 'assistant', kind: 'text', content })
    } else if (type === 'thinking') {
      const content = stringOf(block['thinking'])
      if (content !== undefined) emit({ ...common, key, role: 'assistant', kind: 'thinking', content })
    } else if (type === 'toolCall') {
      const call = callOf(state.calls, stringOf(block['id']) ?? key, id)
      const toolName = stringOf(block['name']) ?? 'unknown'
      const input = objectOf(block['arguments'])
      const file = stringOf(input['path']) ?? stringOf(input['file_path'])
      if (file !== undefined && ['edit', 'write'].includes(toolName)) remember(state.editOf, call, file, 50)
      emit({
        ...common,
        key: `call:${call}`,
        role: 'assistant',
        kind: 'tool_call',
        toolName,
        toolInput: input,
        toolCallKey: call,
      })
    } else changes.unknown(sessionKey, `block of type ${String(type)}`)
  })
  const error = stringOf(message['errorMessage'])
  if (error !== undefined)
    emit({
      key: `${id}/error`,
      role: 'system',
      kind: 'text',
      origin: 'injected',
      content: error,
      isError: true,
    })
  readUsage(context, message, id)
}

function readResult(context: EntryContext, message: JsonObject): void {
  const { emit, state, changes, sessionKey, id } = context
  const call = calledBefore(state.calls, stringOf(message['toolCallId']) ?? id)
  const isError = message['isError'] === true
  emit({
    key: `result:${call}`,
    role: 'tool',
    kind: 'tool_result',
    content: textOf(message['content']),
    isError,
    toolCallKey: call,
  })
  emitImages(context, message['content'], `result:${call}`, call)
  const file = state.editOf[call]
  if (file !== undefined && !isError) changes.filesEdited(sessionKey, [file])
}

function emitParts(context: EntryContext, content: unknown, origin: 'human' | 'injected'): void {
  const text = textOf(content)
  const role = origin === 'human' ? 'user' : 'system'
  if (text !== '') context.emit({ key: context.id, role, kind: 'text', origin, content: text })
  emitImages(context, content, context.id)
}

/** A command that the person typed behind `!`. */
function readShell({ id, emit }: EntryContext, message: JsonObject): void {
  const content = `! ${stringOf(message['command']) ?? ''}`
  emit({ key: id, role: 'user', kind: 'text', origin: 'human', content })
  emit({
    key: `${id}/output`,
    role: 'tool',
    kind: 'tool_result',
    content: stringOf(message['output']) ?? '',
    isError: countOf(message['exitCode']) > 0,
  })
}

function emitImages({ emit }: EntryContext, content: unknown, key: string, callKey?: string): void {
  objectsOf(content).forEach((part, index) => {
    const data = stringOf(part['data'])
    if (part['type'] !== 'image' || data === undefined) return
    emit({
      key: `${key}/image${index}`,
      role: callKey === undefined ? 'user' : 'tool',
      kind: 'image',
      image: { mime: stringOf(part['mimeType']) ?? null, data },
      ...(callKey === undefined ? { origin: 'human' as const } : { toolCallKey: callKey }),
    })
  })
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map((part) => stringOf(part['text']))
    .filter((text) => text !== undefined)
    .join('\n')
}
