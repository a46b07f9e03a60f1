import { isAbsent, isObject, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { describeType } from './check-model.ts'
import { refuse } from './fault.ts'

const roles = ['system', 'assistant', 'user', 'function', 'tool', 'developer']
const parts: Record<string, string[]> = {
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  system: ['text'],
  developer: ['text'],
  tool: ['text'],
  function: ['text'],
}

export function checkChatMessages(messages: unknown): void {
  if (isAbsent(messages)) {
    refuse("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter')
  }
  if (!Array.isArray(messages)) {
    refuse(
      `Invalid type for 'messages': expected an array of objects, but got ${describeType(messages)} instead.`,
      'messages',
      'invalid_type',
    )
  }
  if (messages.length === 0) {
    refuse(
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'messages',
      'empty_array',
    )
  }
  for (const [index, message] of objectsOf(messages).entries()) checkMessage(message, `messages[${index}]`)
  checkToolOrder(objectsOf(messages))
}

function checkMessage(message: JsonObject, at: string): void {
  const role = stringOf(message['role'])
  if (!roles.includes(role)) {
    refuse(
      `Invalid value: '${role}'. Supported values are: ${roles.map((one) => `'${one}'`).join(', ')}.`,
      `${at}.role`,
      'invalid_value',
    )
  }
  const { content } = message
  const speaks =
    role === 'assistant' &&
    (!isAbsent(message['tool_calls']) ||
      !isAbsent(message['refusal']) ||
      !isAbsent(message['function_call']) ||
      !isAbsent(message['audio']))
  if (isAbsent(content) && !speaks) {
    refuse(
      `Invalid type for '${at}.content': expected one of a string or array of objects, but got null instead.`,
      `${at}.content`,
      'invalid_type',
    )
  }
  if (!isAbsent(content) && typeof content !== 'string' && !Array.isArray(content)) {
    refuse(
      `Invalid type for '${at}.content': expected one of a string or array of objects, but got ${describeType(content)} instead.`,
      `${at}.content`,
      'invalid_type',
    )
  }
  if (Array.isArray(content)) {
    for (const [place, part] of objectsOf(content).entries()) checkPart(part, `${at}.content[${place}]`, role)
  }
  if (role === 'tool' && stringOf(message['tool_call_id']) === '') {
    refuse(
      `Missing required parameter: '${at}.tool_call_id'.`,
      `${at}.tool_call_id`,
      'missing_required_parameter',
    )
  }
  if (Array.isArray(message['tool_calls'])) checkCalls(objectsOf(message['tool_calls']), at)
}

function checkPart(part: JsonObject, at: string, role: string): void {
  const type = stringOf(part['type'])
  const allowed = parts[role] ?? ['text']
  if (!allowed.includes(type)) {
    refuse(
      `Invalid value: '${type}'. Supported values are: ${allowed.map((one) => `'${one}'`).join(', ')}.`,
      `${at}.type`,
      'invalid_value',
    )
  }
  if (type === 'text' && typeof part['text'] !== 'string') {
    refuse(
      `Invalid type for '${at}.text': expected a string, but got ${describeType(part['text'])} instead.`,
      `${at}.text`,
      'invalid_type',
    )
  }
  if (type === 'image_url') {
    if (!isObject(part['image_url'])) {
      refuse(
        `Invalid type for '${at}.image_url': expected an object, but got ${describeType(part['image_url'])} instead.`,
        `${at}.image_url`,
        'invalid_type',
      )
    }
    if (!/^(https?:\/\/|data:image\/)/.test(stringOf(part['image_url']['url']))) {
      refuse(
        `Invalid '${at}.image_url.url'. Expected a valid URL, but got a value with an invalid format.`,
        `${at}.image_url.url`,
        'invalid_value',
      )
    }
  }
}

function checkCalls(calls: JsonObject[], at: string): void {
  if (calls.length === 0) {
    refuse(
      `Invalid '${at}.tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
      `${at}.tool_calls`,
      'empty_array',
    )
  }
  for (const [place, call] of calls.entries()) {
    const where = `${at}.tool_calls[${place}]`
    if (stringOf(call['id']) === '') {
      refuse(`Missing required parameter: '${where}.id'.`, `${where}.id`, 'missing_required_parameter')
    }
    const target = objectOf(call['function'])
    if (call['type'] === 'function' && typeof target['arguments'] !== 'string') {
      refuse(
        `Invalid type for '${where}.function.arguments': expected a string, but got ${describeType(target['arguments'])} instead.`,
        `${where}.function.arguments`,
        'invalid_type',
      )
    }
  }
}

/** Every call wants its result directly after it, every result its call before it. */
function checkToolOrder(messages: JsonObject[]): void {
  let open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (message['role'] === 'tool') {
      if (!open.delete(stringOf(message['tool_call_id']))) {
        refuse(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `messages.[${index}].role`,
        )
      }
      continue
    }
    requireAnswered(open)
    open = new Set(objectsOf(message['tool_calls']).map((call) => stringOf(call['id'])))
  }
  requireAnswered(open)
}

function requireAnswered(open: Set<string>): void {
  if (open.size === 0) return
  refuse(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
    'messages',
  )
}
