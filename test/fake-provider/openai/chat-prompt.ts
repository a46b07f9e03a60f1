import { arrayOf, numberOf, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { countInput, emptyPrompt } from '../prompt.ts'
import type { Prompt } from '../prompt.ts'

/** Reads a Chat Completions request; also for the providers that borrow its shape. */
export function readChatPrompt(body: JsonObject, reasoning: Prompt['reasoning']): Prompt {
  const messages = objectsOf(body['messages'])
  const user = messages.findLast((message) => message['role'] === 'user')
  const parts = typeof user?.['content'] === 'string' ? [] : objectsOf(user?.['content'])
  const count = (type: string) => parts.filter((part) => part['type'] === type).length
  const lastOther = messages.findLastIndex((message) => message['role'] !== 'tool')
  const format = objectOf(body['response_format'])
  return {
    ...emptyPrompt,
    model: stringOf(body['model']),
    text: contentText(user?.['content']),
    images: count('image_url'),
    documents: count('file'),
    audio: count('input_audio'),
    tools: objectsOf(body['tools']).map((tool) => {
      const target = objectOf(tool['function'] ?? tool['custom'])
      return { name: stringOf(target['name']), schema: target['parameters'] ?? { type: 'object' } }
    }),
    toolChoice: readChoice(body['tool_choice']),
    parallel: body['parallel_tool_calls'] !== false,
    toolResults: messages.slice(lastOther + 1).map((message) => contentText(message['content'])),
    json: readFormat(format),
    stop: typeof body['stop'] === 'string' ? [body['stop']] : arrayOf(body['stop']).map(stringOf),
    maxTokens: numberOf(body['max_completion_tokens']) ?? numberOf(body['max_tokens']),
    reasoning,
    inputTokens: countInput([messages, body['tools'], format['json_schema']]),
  }
}

function readFormat(format: JsonObject): Prompt['json'] {
  if (format['type'] === 'json_object') return 'object'
  if (format['type'] !== 'json_schema') return undefined
  return { schema: objectOf(format['json_schema'])['schema'] }
}

function readChoice(choice: unknown): Prompt['toolChoice'] {
  if (choice === 'none' || choice === 'required') return choice
  const name = stringOf(objectOf(objectOf(choice)['function'])['name'])
  return name === '' ? 'auto' : { name }
}

export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map((part) => stringOf(part['text']))
    .filter((text) => text !== '')
    .join('\n')
}
