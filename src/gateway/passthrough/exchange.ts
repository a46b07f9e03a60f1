import type { ChatResponse, ChatExchange, ChatRequest } from '../provider.ts'
import { edit } from './edit.ts'
import type { Edits } from './edit.ts'
import { brokenFault } from '../wire/fault.ts'
import { bufferOf, isAbsent, isObject, parseJson, type JsonObject } from '../wire/json.ts'
import { endOfAnswer } from './answer-end.ts'
import { ForwardingReader } from './reader.ts'
import type { ForwardRules } from './reader.ts'

/** How one upstream wants a request that is already in its own form. */
export interface WireRules extends Omit<ForwardRules, 'showsUsage'> {
  /** The model name for the upstream. */
  readonly model: string
  /** Streams tell usage only when asked to. */
  readonly usageOnRequest: boolean
  /** The upstream defines `metadata` as OpenAI does. */
  readonly definesMetadata: boolean
  /** Usage comes in chunks that also hold text; they cannot be hidden. */
  readonly usageEverywhere?: boolean
  readonly rename?: Readonly<Record<string, string>>
  readonly remove?: readonly string[]
}

/** Forwards a chat completion to an upstream that speaks it: what need not change does not change. */
export function forwardChat(request: ChatRequest, rules: WireRules): ChatExchange {
  const { body } = request
  const dropped = rules.definesMetadata && isFlatMetadata(body['metadata']) ? [] : ['metadata']
  const edits: Edits = {
    set: {
      ...(body['model'] === rules.model ? {} : { model: rules.model }),
      ...(request.isStream && rules.usageOnRequest ? askForUsage(body['stream_options']) : {}),
    },
    remove: [...dropped, ...(rules.remove ?? [])],
    rename: rules.rename ?? {},
  }
  const showsUsage = request.wantsUsage || rules.usageEverywhere === true
  return {
    path: '/chat/completions',
    body: edit(request.raw, body, edits),
    dropped: isAbsent(body['metadata']) ? [] : dropped,
    response: (bytes) => readAnswer(bytes, rules),
    stream: () => new ForwardingReader({ ...rules, showsUsage }),
  }
}

function askForUsage(options: unknown): Record<string, unknown> {
  if (isObject(options)) {
    return options['include_usage'] === true ? {} : { stream_options: { ...options, include_usage: true } }
  }
  // What is neither an object nor absent is for the upstream to refuse.
  return isAbsent(options) ? { stream_options: { include_usage: true } } : {}
}

/** OpenAI takes at most 16 short texts; the gateway's own metadata may be any object and must not fail a request. */
export function isFlatMetadata(metadata: unknown): boolean {
  if (isAbsent(metadata)) return true
  if (!isObject(metadata)) return false
  const entries = Object.entries(metadata)
  return (
    entries.length <= 16 &&
    entries.every(([key, value]) => key.length <= 64 && typeof value === 'string' && value.length <= 512)
  )
}

function readAnswer(bytes: Uint8Array, rules: WireRules): ChatResponse {
  const json = bufferOf(bytes)
  const answer = endOfAnswer(json) ?? readWhole(json, rules)
  return { body: bytes, usage: rules.usageOf(answer, json) }
}

function readWhole(json: Buffer, rules: WireRules): JsonObject {
  const answer = parseJson(json.toString())
  if (!isObject(answer)) {
    throw brokenFault(rules.name, 'gave an answer that is not JSON', json.toString('utf8', 0, 500))
  }
  // An error can come with status 200; it must never pass for an empty answer.
  if (!isAbsent(answer['error'])) throw rules.reported(answer)
  if (!Array.isArray(answer['choices'])) {
    throw brokenFault(rules.name, 'gave an answer without choices', json.toString('utf8', 0, 500))
  }
  return answer
}
