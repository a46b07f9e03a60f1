import { callOf } from '../calls.ts'
import { objectOf, objectsOf, stringOf, type JsonObject } from '../json.ts'
import { emitFile } from './files.ts'
import type { PartContext } from './context.ts'

const editTools = new Set(['edit', 'write', 'multiedit', 'apply_patch', 'patch'])

export function readTool(context: PartContext): void {
  const { part, changes, sessionKey, emit, calls, id } = context
  const call = callOf(calls, stringOf(part['callID']) ?? id, id, sessionKey)
  const name = stringOf(part['tool']) ?? 'unknown'
  const state = objectOf(part['state'])
  const input = objectOf(state['input'])
  emit({
    key: `call:${call}`,
    role: 'assistant',
    kind: 'tool_call',
    toolName: name,
    toolInput: input,
    toolCallKey: call,
  })
  linkSubagent(context, call, state)
  const status = stringOf(state['status'])
  if (status !== 'completed' && status !== 'error') return
  const { exit } = objectOf(state['metadata'])
  const isError = status === 'error' || name === 'invalid' || (typeof exit === 'number' && exit !== 0)
  emit({
    key: `result:${call}`,
    role: 'tool',
    kind: 'tool_result',
    content: stringOf(state['output']) ?? stringOf(state['error']) ?? '',
    isError,
    toolCallKey: call,
  })
  objectsOf(state['attachments']).forEach((file, index) =>
    emitFile(context, file, `result:${call}/file${index}`, call),
  )
  if (!isError && editTools.has(name)) changes.filesEdited(sessionKey, editedFiles(input, state))
}

function linkSubagent({ sessionKey, changes }: PartContext, call: string, state: JsonObject): void {
  const child = stringOf(objectOf(state['metadata'])['sessionId'])
  if (child !== undefined) changes.session(child, { parentKey: sessionKey, parentCallKey: call })
}

function editedFiles(input: JsonObject, state: JsonObject): string[] {
  const file = stringOf(input['filePath'])
  if (file !== undefined) return [file]
  const files = objectsOf(objectOf(state['metadata'])['files'])
    .map((each) => stringOf(each['filePath']) ?? stringOf(each['path']))
    .filter((path) => path !== undefined)
  if (files.length > 0) return files
  const patch = stringOf(input['patchText']) ?? ''
  return [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, path = '']) =>
    path.trim(),
  )
}
