import { invalidField } from '#kernel/errors'
import { isAbsent, isObject, objectOf, parseJson, type JsonObject } from '../wire/json.ts'
import { optionalString, requireArray, requireObject, requireString } from '../wire/request-json.ts'
import { readTextContent } from './parts.ts'
import type { TextPart } from './parts.ts'
import { readReasoningDetails } from './reasoning-details.ts'
import type { ReasoningDetail } from './reasoning-details.ts'

export interface AssistantTurn {
  role: 'assistant'
  path: string
  parts: TextPart[]
  calls: ToolCall[]
  reasoning: ReasoningDetail[]
  /** The provider's own additions, as the client brought them back. */
  extra: JsonObject
}

export interface ToolCall {
  id: string
  name: string
  arguments: JsonObject
  extra: JsonObject
}

/** A bare `reasoning_content` is left out: without its signature no provider takes it back. */
export function readAssistant(message: JsonObject, path: string): AssistantTurn {
  if (!isAbsent(message['function_call'])) {
    throw invalidField(`${path}.function_call`, 'is no longer used; send tool_calls')
  }
  const content = isAbsent(message['content']) ? '' : message['content']
  const parts = readTextContent(content, `${path}.content`)
  const refusal = optionalString(message['refusal'], `${path}.refusal`)
  if (parts.length === 0 && refusal) parts.push(...readTextContent(refusal, `${path}.refusal`))
  return {
    role: 'assistant',
    path,
    parts,
    calls: readCalls(message['tool_calls'], `${path}.tool_calls`),
    reasoning: readReasoningDetails(message['reasoning_details'], `${path}.reasoning_details`),
    extra: objectOf(message['extra_content']),
  }
}

function readCalls(value: unknown, path: string): ToolCall[] {
  if (isAbsent(value)) return []
  const calls = new Map<string, ToolCall>()
  for (const [index, item] of requireArray(value, path).entries()) {
    const call = readCall(requireObject(item, `${path}.${index}`), `${path}.${index}`)
    if (calls.has(call.id)) {
      throw invalidField(`${path}.${index}.id`, 'is used by another call of the same message')
    }
    calls.set(call.id, call)
  }
  return [...calls.values()]
}

function readCall(call: JsonObject, path: string): ToolCall {
  if (!isAbsent(call['type']) && call['type'] !== 'function') {
    throw invalidField(`${path}.type`, 'must be function')
  }
  const target = requireObject(call['function'], `${path}.function`)
  const id = requireString(call['id'], `${path}.id`)
  const name = requireString(target['name'], `${path}.function.name`)
  if (id === '') throw invalidField(`${path}.id`, 'is empty')
  if (name === '') throw invalidField(`${path}.function.name`, 'is empty')
  const args = readArguments(target['arguments'], `${path}.function.arguments`)
  return { id, name, arguments: args, extra: objectOf(call['extra_content']) }
}

function readArguments(value: unknown, path: string): JsonObject {
  const text = optionalString(value, path) ?? ''
  // A call without arguments is written both ways.
  if (text.trim() === '') return {}
  const parsed = parseJson(text)
  // A client cannot mend what a model wrote: the conversation continues with the text as it is.
  return isObject(parsed) ? parsed : { raw_arguments: text }
}
