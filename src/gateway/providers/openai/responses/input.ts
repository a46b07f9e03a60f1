import { invalid } from '#kernel/errors'
import { arrayOf, isAbsent, objectOf, present, stringOf, type JsonObject } from '../../../wire/json.ts'
import {
  optionalArray,
  optionalString,
  requireArray,
  requireObject,
  requireString,
} from '../../../wire/request-json.ts'
import { readParts } from './parts.ts'
import { reasoningItems } from './reasoning.ts'

/** How a service of this shape differs from OpenAI's own. */
export interface InputDialect {
  readonly name: string
  /** Roles as the service calls them; what is not here is refused. */
  readonly roles: ReadonlyMap<string, string>
  /** Takes files, image detail, refusals and reasoning items. */
  readonly isComplete: boolean
  /** Results carry the name of their function, calls the signature of the thought behind them. */
  readonly namesResults: boolean
}

/** Chat messages as input items. Every item has its type; tool calls and results are items of their own. */
export function readInput(messages: unknown, dialect: InputDialect): JsonObject[] {
  const list = requireArray(messages, 'messages')
  if (list.length === 0) throw invalid('messages must not be empty.', 'messages')
  const calls = new Map<string, JsonObject>()
  return list.flatMap((each, index) => {
    const path = `messages.${index}`
    const message = requireObject(each, path)
    const role = requireString(message['role'], `${path}.role`)
    if (role === 'assistant') return readAssistant(message, path, dialect, calls)
    if (role === 'tool') return [readResult(message, path, dialect, calls)]
    const known = dialect.roles.get(role)
    if (known === undefined)
      throw invalid(`${path}.role: ${dialect.name} has no role ${role}.`, `${path}.role`)
    const content = readContent(message['content'], `${path}.content`, 'input', dialect)
    return [{ type: 'message', role: known, content }]
  })
}

function readContent(content: unknown, path: string, side: 'input' | 'output', dialect: InputDialect) {
  return typeof content === 'string' ? content : readParts(requireArray(content, path), path, side, dialect)
}

function readAssistant(
  message: JsonObject,
  path: string,
  dialect: InputDialect,
  calls: Map<string, JsonObject>,
): JsonObject[] {
  if (!isAbsent(message['audio']))
    throw invalid(`${path}.audio cannot be sent to this model.`, `${path}.audio`)
  if (!isAbsent(message['function_call'])) {
    throw invalid(`${path}.function_call is not supported; use tool_calls.`, `${path}.function_call`)
  }
  const items = dialect.isComplete
    ? reasoningItems(message['reasoning_details'], `${path}.reasoning_details`)
    : []
  const { content } = message
  const parts =
    typeof content === 'string'
      ? content === ''
        ? []
        : [{ type: 'output_text', text: content }]
      : readParts(optionalArray(content, `${path}.content`) ?? [], `${path}.content`, 'output', dialect)
  const refusal = optionalString(message['refusal'], `${path}.refusal`)
  if (refusal !== undefined)
    parts.push(dialect.isComplete ? { type: 'refusal', refusal } : { type: 'output_text', text: refusal })
  if (parts.length > 0) items.push({ type: 'message', role: 'assistant', content: parts })
  const list = optionalArray(message['tool_calls'], `${path}.tool_calls`) ?? []
  for (const [index, each] of list.entries()) {
    const call = readCall(each, `${path}.tool_calls.${index}`, dialect)
    calls.set(stringOf(call['call_id']), call)
    items.push(call)
  }
  return items
}

function readCall(value: unknown, path: string, dialect: InputDialect): JsonObject {
  const call = requireObject(value, path)
  const callId = requireString(call['id'], `${path}.id`)
  if (call['type'] === 'custom') {
    const custom = requireObject(call['custom'], `${path}.custom`)
    const name = requireString(custom['name'], `${path}.custom.name`)
    return {
      type: 'custom_tool_call',
      call_id: callId,
      name,
      input: requireString(custom['input'], `${path}.custom.input`),
    }
  }
  const target = requireObject(call['function'], `${path}.function`)
  const signature = objectOf(objectOf(call['extra_content'])['google'])['thought_signature']
  return present({
    type: 'function_call',
    call_id: callId,
    name: requireString(target['name'], `${path}.function.name`),
    arguments: requireString(target['arguments'], `${path}.function.arguments`),
    thought_signature: dialect.namesResults && typeof signature === 'string' ? signature : undefined,
  })
}

function readResult(
  message: JsonObject,
  path: string,
  dialect: InputDialect,
  calls: Map<string, JsonObject>,
): JsonObject {
  const callId = requireString(message['tool_call_id'], `${path}.tool_call_id`)
  const call = calls.get(callId)
  const content = readContent(message['content'], `${path}.content`, 'input', dialect)
  if (call?.['type'] === 'custom_tool_call')
    return { type: 'custom_tool_call_output', call_id: callId, output: content }
  if (!dialect.namesResults) return { type: 'function_call_output', call_id: callId, output: content }
  return present({
    type: 'function_call_output',
    call_id: callId,
    name: call?.['name'],
    output: typeof content === 'string' ? content : textIn(content, path),
    thought_signature: call?.['thought_signature'],
  })
}

function textIn(parts: readonly JsonObject[], path: string): string {
  const other = parts.findIndex((part) => part['type'] !== 'input_text')
  if (other >= 0) throw invalid('A tool result can hold text only.', `${path}.content.${other}`)
  return arrayOf(parts)
    .map((part) => stringOf(objectOf(part)['text']))
    .join('\n')
}
