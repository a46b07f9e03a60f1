import { Dropped } from '../../wire/dropped.ts'
import type { ChatRequest } from '../../provider.ts'
import { isAbsent, isObject } from '../../wire/json.ts'
import { isReasoningModel, reasons } from './family.ts'

/** The only values that a model takes while it reasons. */
const fixed: Readonly<Record<string, number>> = {
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
}

/** Sampling that the model cannot take; values of a wrong type are for OpenAI to refuse. */
export function unsupportedSampling(request: ChatRequest): Dropped {
  const { model, body } = request
  const dropped = new Dropped()
  if (!isAbsent(body['top_k'])) dropped.adapt('top_k', 'is not a setting of OpenAI models')
  if (!isReasoningModel(model) || !reasons(request)) return dropped
  for (const [field, only] of Object.entries(fixed)) {
    const value = body[field]
    if (typeof value === 'number' && value !== only)
      dropped.adapt(field, `cannot be set for ${model} while it reasons`)
  }
  const bias = body['logit_bias']
  if (isObject(bias) && Object.keys(bias).length > 0)
    dropped.adapt('logit_bias', `cannot be set for ${model} while it reasons`)
  return dropped
}
