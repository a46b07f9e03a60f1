import { invalid } from '#kernel/errors'

/** What the gateway itself must know of a chat request; everything else is the provider's to judge. */
export interface ParsedChat {
  raw: Uint8Array
  body: Record<string, unknown>
  model: string
  isStream: boolean
  wantsUsage: boolean
  userLabel: string | null
  metadata: Record<string, unknown> | null
}

const decoder = new TextDecoder('utf-8', { fatal: true })
const metadataLimit = 16 * 1024

export function parseChat(raw: Uint8Array): ParsedChat {
  const body = parseObject(raw)
  const { model, messages, stream, user } = body
  if (typeof model !== 'string' || model === '')
    throw invalid('"model" is required and must be a text.', 'model')
  if (!Array.isArray(messages) || messages.length === 0) {
    throw invalid('"messages" is required and must be a list with at least one message.', 'messages')
  }
  if (!isOneOf(stream, 'boolean')) throw invalid('"stream" must be true or false.', 'stream')
  if (!isOneOf(user, 'string')) throw invalid('"user" must be a text.', 'user')
  return {
    raw,
    body,
    model,
    isStream: stream === true,
    wantsUsage: asksForUsage(body['stream_options']),
    userLabel: typeof user === 'string' ? user.slice(0, 256) : null,
    metadata: readMetadata(body['metadata']),
  }
}

function parseObject(raw: Uint8Array): Record<string, unknown> {
  let text: string
  try {
    text = decoder.decode(raw)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid(`The body is not valid JSON: ${(error as Error).message}.`)
  }
  if (isObject(value)) return value
  throw invalid('The body must be a JSON object.')
}

function readMetadata(value: unknown): Record<string, unknown> | null {
  if (value === undefined || value === null) return null
  if (!isObject(value)) throw invalid('"metadata" must be an object.', 'metadata')
  if (Buffer.byteLength(JSON.stringify(value)) > metadataLimit)
    throw invalid('"metadata" may hold at most 16 KiB.', 'metadata')
  return value
}

function asksForUsage(options: unknown): boolean {
  if (options === undefined || options === null) return false
  if (!isObject(options)) throw invalid('"stream_options" must be an object.', 'stream_options')
  return options['include_usage'] === true
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isOneOf = (value: unknown, type: 'boolean' | 'string'): boolean =>
  value === undefined || value === null || typeof value === type

/** The words of the conversation, for counting tokens when the provider never says how many. */
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
