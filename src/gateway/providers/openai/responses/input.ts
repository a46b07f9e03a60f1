import { invalidField } from '#kernel/errors'
import { arrayOf, isAbsent, objectOf, present, stringOf, type JsonObject } from '../../../wire/json.ts'
import {
  optionalArray,
  optionalString,
  requireArray,
  requireObject,
  requireString,
} from '../../../wire/request-json.ts'
import { readParts, type ResponsesVariant } from './parts.ts'
import { reasoningItems } from './reasoning.ts'

/** Chat messages as input items. Every item has its type; tool calls and results are items of their own. */
export function readInput(messages: unknown, variant: ResponsesVariant): JsonObject[] {
  const list = requireArray(messages, 'messages')
  if (list.length === 0) throw invalidField('messages', 'must not be empty')
  const calls = new Map<string, JsonObject>()
  return list.flatMap((each, index) => {
    const path = `messages.${index}`
    const message = requireObject(each, path)
    const role = requireString(message['role'], `${path}.role`)
    if (role === 'assistant') return readAssistant(message, path, variant, calls)
    if (role === 'tool') return [readResult(message, path, variant, calls)]
    const known = variant.roles.get(role)
    if (known === undefined)
      throw invalidField(`${path}.role`, `is ${role}, a role that ${variant.name} does not have`)
    const content = readContent(message['content'], `${path}.content`, 'input', variant)
    return [{ type: 'message', role: known, content }]
  })
}

function readContent(content: unknown, path: string, side: 'input' | 'output', variant: ResponsesVariant) {
  return typeof content === 'string' ? content : readParts(requireArray(content, path), path, side, variant)
}

function readAssistant(
  message: JsonObject,
  path: string,
  variant: ResponsesVariant,
  calls: Map<string, JsonObject>,
): JsonObject[] {
  if (!isAbsent(message['audio'])) throw invalidField(`${path}.audio`, 'cannot be sent to this model')
  if (!isAbsent(message['function_call'])) {
    throw invalidField(`${path}.function_call`, 'is not supported; use tool_calls')
  }
  const items = variant.isComplete
    ? reasoningItems(message['reasoning_details'], `${path}.reasoning_details`)
    : []
  const { content } = message
  const parts =
    typeof content === 'string'
      ? content === ''
        ? []
        : [{ type: 'output_text', text: content }]
      : readParts(optionalArray(content, `${path}.content`) ?? [], `${path}.content`, 'output', variant)
  const refusal = optionalString(message['refusal'], `${path}.refusal`)
  if (refusal !== undefined)
    parts.push(variant.isComplete ? { type: 'refusal', refusal } : { type: 'output_text', text: refusal })
  if (parts.length > 0) items.push({ type: 'message', role: 'assistant', content: parts })
  const list = optionalArray(message['tool_calls'], `${path}.tool_calls`) ?? []
  for (const [index, each] of list.entries()) {
    const call = readCall(each, `${path}.tool_calls.${index}`, variant)
    calls.set(stringOf(call['call_id']), call)
    items.push(call)
  }
  return items
}

function readCall(value: unknown, path: string, variant: ResponsesVariant): JsonObject {
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
    thought_signature: variant.namesResults && typeof signature === 'string' ? signature : undefined,
  })
}

function readResult(
  message: JsonObject,
  path: string,
  variant: ResponsesVariant,
  calls: Map<string, JsonObject>,
): JsonObject {
  const callId = requireString(message['tool_call_id'], `${path}.tool_call_id`)
  const call = calls.get(callId)
  const content = readContent(message['content'], `${path}.content`, 'input', variant)
  if (call?.['type'] === 'custom_tool_call')
    return { type: 'custom_tool_call_output', call_id: callId, output: content }
  if (!variant.namesResults) return { type: 'function_call_output', call_id: callId, output: content }
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
  if (other >= 0)
    throw invalidField(`${path}.content.${other}`, 'must be text: a tool result can hold nothing else')
  return arrayOf(parts)
    .map((part) => stringOf(objectOf(part)['text']))
    .join('\n')
}
