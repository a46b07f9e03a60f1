import { invalidField } from '#kernel/errors'
import { promptCacheControl, promptCacheFields } from '../../chat/prompt-cache.ts'
import { isAbsent, present, stringOf, type JsonObject } from '../../wire/json.ts'
import {
  optionalInteger,
  optionalObject,
  optionalString,
  requireArray,
  requireObject,
  requireString,
  toJson,
} from '../../wire/request-json.ts'
import type { Provider } from '../../provider.ts'
import type { ClientNames } from '../client-names.ts'
import { fieldNames, noteRest, refuseForeign } from './fields.ts'
import { toMessages } from './input.ts'
import type { Targets } from './targets.ts'
import { toToolFields } from './tools.ts'

export interface TranslatedRequest {
  readonly raw: Buffer
  readonly body: JsonObject
  readonly clientNames: ClientNames
  readonly dropped: readonly string[]
  readonly targets: Targets
}

/** Translates a Responses request to a chat request, which always asks for usage. */
export function toChatRequest(request: JsonObject, isStream: boolean, provider: Provider): TranslatedRequest {
  refuseForeign(request)
  const dropped = new Set<string>()
  const messages = toMessages(request, provider.id, dropped)
  const tools = toToolFields(request, dropped)
  const body: JsonObject = {
    ...present({
      model: request['model'],
      messages: messages.list,
      stream: isStream ? true : undefined,
      stream_options: isStream ? { include_usage: true } : undefined,
      max_tokens: request['max_output_tokens'],
      temperature: request['temperature'],
      top_p: request['top_p'],
      service_tier: request['service_tier'] === 'auto' ? undefined : request['service_tier'],
      user: request['safety_identifier'] ?? request['user'],
      metadata: request['metadata'],
    }),
    ...tools.members,
    ...textFields(request['text']),
    ...reasoningFields(request['reasoning'], dropped),
    ...probabilities(request, dropped),
    ...cacheFields(request, provider, dropped),
  }
  noteRest(request, dropped)
  const clientNames = {
    messages: messages.origins,
    tools: tools.origins,
    fields: fieldNames,
    toolSchema: 'parameters',
  }
  return { raw: Buffer.from(toJson(body)), body, clientNames, dropped: [...dropped], targets: tools.targets }
}

function textFields(value: unknown): JsonObject {
  const text = optionalObject(value, 'text')
  const format = optionalObject(text?.['format'], 'text.format')
  return present({
    response_format: format && responseFormat(format),
    verbosity: optionalString(text?.['verbosity'], 'text.verbosity'),
  })
}

function responseFormat(format: JsonObject): JsonObject | undefined {
  const type = requireString(format['type'], 'text.format.type')
  if (type === 'text') return undefined
  if (type === 'json_object') return { type }
  if (type !== 'json_schema') {
    throw invalidField('text.format.type', 'must be text, json_object or json_schema')
  }
  const schema = present({
    name: requireString(format['name'], 'text.format.name'),
    description: optionalString(format['description'], 'text.format.description'),
    schema: requireObject(format['schema'], 'text.format.schema'),
    strict: format['strict'],
  })
  return { type, json_schema: schema }
}

/** Reasoning is shown as the provider sends it: the length of a summary cannot be chosen. */
function reasoningFields(value: unknown, dropped: Set<string>): JsonObject {
  const reasoning = optionalObject(value, 'reasoning')
  if (!reasoning) return {}
  for (const [field, setting] of Object.entries(reasoning)) {
    const isShown = (field === 'summary' || field === 'generate_summary') && setting === 'auto'
    if (field === 'effort' || isShown || isAbsent(setting)) continue
    if (/^\w{1,64}$/.test(field)) dropped.add(`reasoning.${field}`)
  }
  return present({ reasoning_effort: optionalString(reasoning['effort'], 'reasoning.effort') })
}

const tokenProbabilities = 'message.output_text.logprobs'

/** What else may be included comes from tools that only OpenAI runs. */
function probabilities(request: JsonObject, dropped: Set<string>): JsonObject {
  const include = isAbsent(request['include']) ? [] : requireArray(request['include'], 'include')
  const known = [tokenProbabilities, 'reasoning.encrypted_content']
  if (include.some((each) => typeof each !== 'string' || !known.includes(each))) dropped.add('include')
  const top = optionalInteger(request['top_logprobs'], 'top_logprobs', 0, 20) ?? 0
  const isAsked = top > 0 || include.includes(tokenProbabilities)
  return isAsked ? { logprobs: true, ...(top > 0 ? { top_logprobs: top } : {}) } : {}
}

function cacheFields(request: JsonObject, provider: Provider, dropped: Set<string>): JsonObject {
  const cacheControl = promptCacheControl(request)
  const places = provider.cachePlaces?.(stringOf(request['model'])) ?? []
  if (cacheControl && places.includes('request')) return { cache_control: cacheControl }
  for (const field of promptCacheFields) if (!isAbsent(request[field])) dropped.add(field)
  return {}
}
