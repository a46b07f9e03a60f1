import type { Dropped } from '../wire/dropped.ts'
import type { ChatExchange, ChatRequest, ChatResponse } from '../provider.ts'
import { brokenFault } from '../wire/fault.ts'
import { bufferOf, isAbsent, isObject, parseJson, type JsonObject } from '../wire/json.ts'
import { ChatFormat, type ChatFormatRules } from './chat-format.ts'
import { edit, type Edits } from './edit.ts'
import { PassthroughReader } from './reader.ts'

/** How one upstream wants a chat-completions request. */
export interface ChatUpstream extends Omit<ChatFormatRules, 'showsUsage'> {
  /** The model name for the upstream. */
  readonly model: string
  /** Streams report usage only when asked to. */
  readonly usageOnRequest: boolean
  /** The upstream takes `metadata` as OpenAI defines it, with this request. */
  readonly takesMetadata: boolean
  readonly rename?: Readonly<Record<string, string>>
  readonly remove?: readonly string[]
  /** Removed because the model cannot take them. */
  readonly adapted?: Dropped
}

/** Passes a request through to an upstream that speaks Chat Completions: only what must change does. */
export function passChat(request: ChatRequest, upstream: ChatUpstream): ChatExchange {
  const { body } = request
  const dropped = upstream.takesMetadata && isFlatMetadata(body['metadata']) ? [] : ['metadata']
  const edits: Edits = {
    set: {
      ...(body['model'] === upstream.model ? {} : { model: upstream.model }),
      ...(request.isStream && upstream.usageOnRequest ? askForUsage(body['stream_options']) : {}),
    },
    remove: [...dropped, ...(upstream.remove ?? []), ...(upstream.adapted ?? [])],
    rename: upstream.rename ?? {},
  }
  const showsUsage = request.wantsUsage
  return {
    path: '/chat/completions',
    body: edit(request.raw, body, edits),
    dropped: [...(isAbsent(body['metadata']) ? [] : dropped), ...(upstream.adapted ?? [])],
    adapted: upstream.adapted?.adapted ?? [],
    response: (bytes) => readResponse(bytes, upstream),
    stream: () => new PassthroughReader(new ChatFormat({ ...upstream, showsUsage })),
  }
}

function askForUsage(options: unknown): Record<string, unknown> {
  if (isObject(options)) {
    return options['include_usage'] === true ? {} : { stream_options: { ...options, include_usage: true } }
  }
  // Anything else is for the upstream to refuse.
  return isAbsent(options) ? { stream_options: { include_usage: true } } : {}
}

/** OpenAI takes at most 16 short strings; the gateway's own metadata may be any object and must not fail a request. */
export function isFlatMetadata(metadata: unknown): boolean {
  if (isAbsent(metadata)) return true
  if (!isObject(metadata)) return false
  const entries = Object.entries(metadata)
  return (
    entries.length <= 16 &&
    entries.every(([key, value]) => key.length <= 64 && typeof value === 'string' && value.length <= 512)
  )
}

function readResponse(bytes: Uint8Array, upstream: ChatUpstream): ChatResponse {
  const json = bufferOf(bytes)
  const response = endOfResponse(json) ?? parseResponse(json, upstream)
  return { body: bytes, usage: upstream.usageOf(response, json) }
}

function parseResponse(json: Buffer, upstream: ChatUpstream): JsonObject {
  const response = parseJson(json.toString())
  if (!isObject(response)) {
    throw brokenFault(upstream.name, 'sent a response that is not JSON', json.toString('utf8', 0, 500))
  }
  // An error can come with status 200; it must never pass for an empty response.
  if (!isAbsent(response['error'])) throw upstream.reported(response)
  if (!Array.isArray(response['choices'])) {
    throw brokenFault(upstream.name, 'sent a response without choices', json.toString('utf8', 0, 500))
  }
  return response
}

const openingBrace = 0x7b
const choices = Buffer.from('"choices"')
const error = Buffer.from('"error"')
const usage = Buffer.from('"usage"')

/**
 * The members of a good response from its usage on, which is all that is read of it: responses are long, and their
 * bytes go to the client as they are. Undefined where a full parse is needed.
 *
 * Inside a string the closing quote is escaped, so a word with both quotes is a name or a whole value. And what follows
 * is an object only if the word is the name of a member of the response itself: from deeper inside, or from a value,
 * there is a bracket too many or a colon too few.
 */
export function endOfResponse(json: Buffer): JsonObject | undefined {
  const at = json.lastIndexOf(usage)
  if (at < 0 || json[0] !== openingBrace || !json.includes(choices) || json.includes(error)) return undefined
  const end = parseJson(`{${json.toString('utf8', at)}`)
  return isObject(end) ? end : undefined
}
