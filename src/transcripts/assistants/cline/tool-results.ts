import { calledBefore } from '../calls.ts'
import { arrayOf, isObject, objectOf, objectsOf, stringOf, type JsonObject } from '../json.ts'
import type { MessageContext } from './context.ts'

const editTools = new Set(['editor', 'edit', 'write', 'write_to_file', 'replace_in_file', 'apply_patch'])

export function emitResult(context: MessageContext, block: JsonObject): void {
  const { emit, changes, sessionKey, edits, calls, id } = context
  const call = calledBefore(calls, stringOf(block['tool_use_id']) ?? id)
  const content = resultText(block['content'])
  const isError = block['is_error'] === true || hasFailure(block['content'])
  emit({ key: `result:${call}`, role: 'tool', kind: 'tool_result', content, isError, toolCallKey: call })
  objectsOf(block['content']).forEach((part, index) => {
    const data = stringOf(part['data']) ?? stringOf(objectOf(part['source'])['data'])
    if (part['type'] !== 'image' || data === undefined) return
    const mime = stringOf(part['mediaType']) ?? stringOf(objectOf(part['source'])['media_type']) ?? null
    emit({
      key: `result:${call}/image${index}`,
      role: 'tool',
      kind: 'image',
      image: { mime, data },
      toolCallKey: call,
    })
  })
  if (!isError) changes.filesEdited(sessionKey, edits.get(call) ?? [])
}

export function filesOf(toolName: string, input: JsonObject): string[] {
  if (!editTools.has(toolName)) return []
  const file = stringOf(input['path']) ?? stringOf(input['file_path'])
  if (file !== undefined) return [file]
  const patch = stringOf(input['input']) ?? stringOf(input['patch']) ?? ''
  return [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, path = '']) =>
    path.trim(),
  )
}

/** A result is text, blocks, or what the tool returned for each of its parts. */
function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = arrayOf(content).map((part) => {
    if (!isObject(part)) return typeof part === 'string' ? part : JSON.stringify(part)
    if (part['type'] === 'image') return ''
    return (
      stringOf(part['text']) ?? stringOf(part['result']) ?? stringOf(part['error']) ?? JSON.stringify(part)
    )
  })
  if (texts.length > 0) return texts.filter((text) => text !== '').join('\n')
  return isObject(content) ? JSON.stringify(content) : ''
}

function hasFailure(content: unknown): boolean {
  return objectsOf(content).some((part) => part['success'] === false)
}
