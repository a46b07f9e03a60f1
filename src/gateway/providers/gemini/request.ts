import { invalidField } from '#kernel/errors'
import { readConversation } from '../../chat/conversation.ts'
import { Dropped } from '../../wire/dropped.ts'
import { noteDropped, refuseFields, retiredFields } from '../../chat/fields.ts'
import { isAbsent, present, type JsonObject } from '../../wire/json.ts'
import { contentOf, type RequestContent } from '../../wire/large-json.ts'
import {
  optionalBoolean,
  optionalInteger,
  optionalNumber,
  optionalString,
  requireArray,
} from '../../wire/request-json.ts'
import { readMaxTokens, readResponseFormat, readStop } from '../../chat/settings.ts'
import type { ResponseFormat } from '../../chat/settings.ts'
import type { ToolNames } from '../../chat/tool-names.ts'
import { readToolSetting } from '../../chat/tools.ts'
import type { ChatRequest } from '../../provider.ts'
import { toContents } from './contents.ts'
import { capabilitiesOf } from './models.ts'
import type { GeminiCapabilities } from './models.ts'
import { toGeminiSchema } from './schema.ts'
import { toThinkingConfig } from './thinking.ts'
import { besideTools, geminiNames, toToolFields } from './tools.ts'

const handled = new Set(
  `max_tokens max_completion_tokens temperature top_p top_k stop n seed tools tool_choice parallel_tool_calls
  response_format reasoning_effort reasoning thinking web_search_options service_tier store logprobs
  top_logprobs modalities audio safety_settings cached_content continuation_token`.split(/\s+/),
)

const refused = {
  ...retiredFields,
  audio: 'is not available: Gemini does not produce audio through chat completions.',
}

export interface GeminiRequest {
  upstream: JsonObject
  content: RequestContent
  dropped: Dropped
  names: ToolNames
  can: GeminiCapabilities
  /** The client takes one call at a time. */
  isSingleCall: boolean
}

export function toGeminiRequest(request: ChatRequest): GeminiRequest {
  const { model, isStream, body } = request
  const can = capabilitiesOf(model)
  const dropped = new Dropped()
  const names = geminiNames()
  refuseFields(body, refused)
  const setting = readToolSetting(body)
  names.offer(setting.tools.map((tool) => tool.name))
  const conversation = readConversation(body['messages'], dropped)
  const { format, instruction, isWithoutTools } = besideTools(readResponseFormat(body), setting, can, dropped)
  if (instruction !== undefined) conversation.instructions.push(instruction)
  const config = toGenerationConfig(body, { can, dropped, format, isStream })
  const upstream = {
    ...toContents(conversation, { can, names, dropped }),
    ...toToolFields(isWithoutTools ? { ...setting, tools: [] } : setting, body, {
      names,
      can,
      dropped,
      isJson: format !== undefined,
    }),
    ...(Object.keys(config).length > 0 ? { generationConfig: config } : {}),
    ...serviceFields(body, dropped),
  }
  noteDropped(body, handled, dropped)
  return {
    upstream,
    content: contentOf(upstream, request),
    dropped,
    names,
    can,
    isSingleCall: !setting.isParallel,
  }
}

interface ConfigContext {
  can: GeminiCapabilities
  dropped: Set<string>
  format: ResponseFormat | undefined
  isStream: boolean
}

function toGenerationConfig(body: JsonObject, { can, dropped, format, isStream }: ConfigContext) {
  // Google refuses an empty stop text.
  const stop = readStop(body).filter((text) => text !== '')
  const schema = format?.kind === 'schema' ? toGeminiSchema(format.schema, format.path) : undefined
  return present({
    maxOutputTokens: readMaxTokens(body),
    temperature: optionalNumber(body['temperature'], 'temperature', 0, 2),
    topP: optionalNumber(body['top_p'], 'top_p', 0, 1),
    topK: optionalInteger(body['top_k'], 'top_k', 1),
    stopSequences: stop.length > 0 ? stop : undefined,
    candidateCount: candidateCount(body, isStream),
    seed: readSeed(body, dropped),
    ...logprobs(body, isStream),
    responseMimeType: format ? 'application/json' : undefined,
    responseJsonSchema: schema,
    responseModalities: modalities(body),
    thinkingConfig: toThinkingConfig(body, can, dropped),
  })
}

/** Google's seeds have 32 bits; a larger one cannot be kept. */
function readSeed(body: JsonObject, dropped: Set<string>): number | undefined {
  const seed = optionalInteger(body['seed'], 'seed', -Infinity)
  if (seed === undefined || Math.abs(seed) < 2 ** 31) return seed
  dropped.add('seed')
  return undefined
}

function candidateCount(body: JsonObject, isStream: boolean): number | undefined {
  const count = optionalInteger(body['n'], 'n', 1, 8)
  if (count === undefined || count === 1) return undefined
  if (isStream) throw invalidField('n', 'must be 1 in a stream: Gemini streams one choice')
  return count
}

function logprobs(body: JsonObject, isStream: boolean) {
  const isAsked = optionalBoolean(body['logprobs'], 'logprobs') ?? false
  const top = optionalInteger(body['top_logprobs'], 'top_logprobs', 0, 20)
  if (!isAsked) return {}
  if (isStream) throw invalidField('logprobs', 'is not available in a stream of a Gemini model')
  return { responseLogprobs: true, logprobs: top }
}

function modalities(body: JsonObject): string[] | undefined {
  if (isAbsent(body['modalities'])) return undefined
  const asked = requireArray(body['modalities'], 'modalities')
  const wrong = asked.findIndex((modality) => modality !== 'text' && modality !== 'image')
  if (wrong >= 0) throw invalidField(`modalities.${wrong}`, 'must be text or image')
  return asked.includes('image') ? asked.map((modality) => String(modality).toUpperCase()) : undefined
}

/** Fields of the request that are not about generating, and Google's own which clients may add. */
function serviceFields(body: JsonObject, dropped: Set<string>) {
  const tier = optionalString(body['service_tier'], 'service_tier')
  const tiers: Readonly<Record<string, string>> = {
    flex: 'flex',
    priority: 'priority',
    default: 'standard',
  }
  const known = tier !== undefined && Object.hasOwn(tiers, tier) ? tiers[tier] : undefined
  if (tier !== undefined && tier !== 'auto' && !known) dropped.add('service_tier')
  const safety = body['safety_settings']
  return present({
    serviceTier: known,
    store: optionalBoolean(body['store'], 'store'),
    safetySettings: isAbsent(safety) ? undefined : requireArray(safety, 'safety_settings'),
    cachedContent: optionalString(body['cached_content'], 'cached_content'),
    continuationToken: optionalString(body['continuation_token'], 'continuation_token'),
  })
}
