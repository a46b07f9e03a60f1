import type { Dropped } from '../../wire/dropped.ts'
import type { JsonObject } from '../../wire/json.ts'
import { optionalInteger, optionalNumber } from '../../wire/request-json.ts'

export interface Sampling {
  temperature?: number
  top_p?: number
  top_k?: number
}

/** Values that change nothing are left out: newer models refuse the fields altogether. */
export function toSampling(
  body: JsonObject,
  { model, isAccepted, isThinking, dropped }: SamplingRules,
): Sampling {
  const temperature = optionalNumber(body['temperature'], 'temperature', 0, 2)
  const topP = optionalNumber(body['top_p'], 'top_p', 0, 1)
  const topK = optionalInteger(body['top_k'], 'top_k', 0)
  if (!isAccepted) {
    const isFixed = `cannot be set for ${model}: the model has a fixed one`
    if (temperature !== undefined && temperature !== 1) dropped.adapt('temperature', isFixed)
    if (topP !== undefined && topP < 0.99) dropped.adapt('top_p', isFixed)
    if (topK !== undefined) dropped.adapt('top_k', isFixed)
    return {}
  }
  if (isThinking) {
    const given = { temperature, top_p: topP, top_k: topK }
    for (const [field, value] of Object.entries(given)) {
      if (value !== undefined && value !== 1) dropped.add(field)
    }
    return {}
  }
  const hasTemperature = temperature !== undefined && temperature !== 1
  const hasTopP = topP !== undefined && topP < 1
  if (hasTemperature && hasTopP) {
    dropped.adapt('top_p', [
      'cannot be used together with ',
      { path: 'temperature' },
      ` on ${model}: send one of them`,
    ])
  }
  if (hasTemperature && temperature > 1) dropped.add('temperature')
  return {
    ...(hasTemperature ? { temperature: Math.min(1, temperature) } : {}),
    ...(hasTopP && !hasTemperature ? { top_p: topP } : {}),
    ...(topK === undefined ? {} : { top_k: topK }),
  }
}

interface SamplingRules {
  model: string
  isAccepted: boolean
  isThinking: boolean
  dropped: Dropped
}
