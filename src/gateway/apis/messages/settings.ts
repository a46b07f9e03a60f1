import { invalidField } from '#kernel/errors'
import { isAbsent, type JsonObject } from '../../wire/json.ts'
import {
  optionalInteger,
  optionalNumber,
  optionalObject,
  optionalString,
  requireArray,
  requireObject,
  requireString,
} from '../../wire/request-json.ts'
import { isClosedSchema } from './strict.ts'

/** Limits and sampling; whether a model supports them is for its provider to decide. */
export function toSampling(body: JsonObject): JsonObject {
  const limit = optionalInteger(body['max_tokens'], 'max_tokens', 1)
  if (limit === undefined) throw invalidField('max_tokens', 'is required')
  const temperature = optionalNumber(body['temperature'], 'temperature', 0, 1)
  const topP = optionalNumber(body['top_p'], 'top_p', 0, 1)
  const topK = optionalInteger(body['top_k'], 'top_k', 0)
  const stop = stopsIn(body)
  return {
    max_tokens: limit,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(topK === undefined ? {} : { top_k: topK }),
    ...(stop.length > 0 ? { stop } : {}),
  }
}

export function stopsIn(body: JsonObject): string[] {
  const stops = body['stop_sequences']
  if (isAbsent(stops)) return []
  return requireArray(stops, 'stop_sequences').map((text, index) =>
    requireString(text, `stop_sequences.${index}`),
  )
}

const efforts = ['low', 'medium', 'high', 'xhigh', 'max']

/** How much the model is to think, in the one word that chat completions have for it. */
export function toReasoning(body: JsonObject, dropped: Set<string>): { reasoning_effort?: string } {
  const config = optionalObject(body['output_config'], 'output_config')
  const asked = optionalString(config?.['effort'], 'output_config.effort')
  if (asked !== undefined && !efforts.includes(asked))
    throw invalidField('output_config.effort', `must be one of ${efforts.join(', ')}`)
  const effort = effortOf(optionalObject(body['thinking'], 'thinking'), asked, dropped)
  return effort === undefined ? {} : { reasoning_effort: effort }
}

function effortOf(thinking: JsonObject | undefined, asked: string | undefined, dropped: Set<string>) {
  if (!thinking) return asked
  switch (thinking['type']) {
    case 'disabled':
      return 'none'
    case 'adaptive':
      // Left to the model, unless its thinking is to be shown: some models show it only with an effort set.
      return asked ?? (thinking['display'] === 'summarized' ? 'medium' : undefined)
    case 'enabled': {
      const budget = optionalInteger(thinking['budget_tokens'], 'thinking.budget_tokens', 1024)
      if (budget === undefined) throw invalidField('thinking.budget_tokens', 'is required')
      return asked ?? (budget <= 4096 ? 'low' : budget <= 16_384 ? 'medium' : 'high')
    }
    case 'between_tools':
      dropped.add('thinking')
      return asked
    default:
      throw invalidField('thinking.type', 'must be enabled, adaptive, between_tools or disabled')
  }
}

/** Whether the client wants no text of the thoughts. */
export function hidesThinking(body: JsonObject): boolean {
  return optionalObject(body['thinking'], 'thinking')?.['display'] === 'omitted'
}

/** The schema of the response, in its present field or in the one it had in beta. */
export function toFormat(body: JsonObject, dropped: Set<string>): { response_format?: unknown } {
  const config = optionalObject(body['output_config'], 'output_config')
  const field = isAbsent(config?.['format']) ? 'output_format' : 'output_config.format'
  const format = optionalObject(config?.['format'] ?? body['output_format'], field)
  if (!format) return {}
  if (format['type'] !== 'json_schema') throw invalidField(`${field}.type`, 'must be json_schema')
  const schema = requireObject(format['schema'], `${field}.schema`)
  const isStrict = isClosedSchema(schema)
  if (!isStrict) dropped.add(`${field}.strict`)
  return {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: isStrict } },
  }
}

export function toTier(body: JsonObject): { service_tier?: string } {
  const tier = optionalString(body['service_tier'], 'service_tier')
  if (tier === undefined || tier === 'auto') return {}
  if (tier !== 'standard_only') throw invalidField('service_tier', 'must be auto or standard_only')
  return { service_tier: 'default' }
}
