import { arrayOf, isObject, objectOf, stringOf, type JsonObject } from '../../wire/json.ts'

/** Chat messages as text for a model to read. What is not text is only named. */
export function transcriptOf(messages: readonly JsonObject[]): string {
  return messages.flatMap(linesOf).join('\n\n')
}

const speakers: Readonly<Record<string, string>> = {
  system: 'Instructions',
  user: 'User',
  assistant: 'Assistant',
}

function linesOf(message: JsonObject): string[] {
  const text = textOf(message['content'])
  if (message['role'] === 'tool') return [`Result of ${stringOf(message['tool_call_id'])}: ${text}`]
  const said = text === '' ? [] : [`${speakers[stringOf(message['role'])] ?? 'User'}: ${text}`]
  return [...said, ...arrayOf(message['tool_calls']).map((call) => callLine(objectOf(call)))]
}

function callLine(call: JsonObject): string {
  const { name, arguments: args } = objectOf(call['function'])
  return `Assistant calls ${stringOf(name)} (${stringOf(call['id'])}) with ${stringOf(args)}`
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return arrayOf(content)
    .map((part) => (isObject(part) ? (part['type'] === 'text' ? stringOf(part['text']) : '[not text]') : ''))
    .join('\n')
}
