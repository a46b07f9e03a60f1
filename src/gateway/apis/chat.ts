import { invalidField } from '#kernel/errors'
import { isAbsent, isObject } from '../wire/json.ts'
import { readSettings } from '../request/body.ts'
import type { Api } from '../api.ts'

/** Chat Completions: the API format that the providers' adapters read and write. */
export const chat: Api = {
  path: '/v1/chat/completions',
  summary: 'Chat completion, in the OpenAI format, by any configured provider',
  read(given) {
    const request = readSettings(given)
    const { messages } = request.body
    if (!Array.isArray(messages) || messages.length === 0)
      throw invalidField('messages', 'is required and must be an array with at least one message')
    return request
  },
  exchange: (provider, request) =>
    provider.chat({
      raw: request.raw,
      body: request.body,
      model: request.model,
      requestedModel: request.shownModel ?? request.model,
      isStream: request.isStream,
      wantsUsage: asksForUsage(request.body['stream_options']),
    }),
  promptText: ({ body }) => promptText(body),
  faultBody: (fault) => fault.body(),
  faultEvent: (fault) => `data: ${JSON.stringify(fault.body())}\n\n`,
}

function asksForUsage(options: unknown): boolean {
  if (isAbsent(options)) return false
  if (!isObject(options)) throw invalidField('stream_options', 'must be an object')
  return options['include_usage'] === true
}

/** The words of a conversation. */
export function promptText(body: Readonly<Record<string, unknown>>): string {
  const parts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') parts.push(value)
    else if (Array.isArray(value)) value.forEach(collect)
    else if (isObject(value))
      for (const name of ['text', 'content', 'arguments', 'function', 'tool_calls']) collect(value[name])
  }
  collect(body['messages'])
  if (body['tools'] !== undefined) parts.push(JSON.stringify(body['tools']))
  return parts.join('\n')
}
