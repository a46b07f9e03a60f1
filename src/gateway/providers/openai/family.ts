import type { ChatRequest } from '../../provider.ts'
import { arrayOf, isAbsent, objectOf, stringOf, type JsonObject, isObject } from '../../wire/json.ts'
import { Dropped } from '../../wire/dropped.ts'

const gptVersion = /^gpt-(\d+)(?:\.(\d+))?/
const responsesOnly = /^(o\d+-pro|gpt-\d+(\.\d+)?-pro)\b|(^|-)codex\b|-deep-research\b/

/** Reasoning models refuse `max_tokens`. */
export function isReasoningModel(model: string): boolean {
  const base = baseOf(model)
  return /^o\d/.test(base) || (versionOf(base) >= 5 && !base.startsWith('gpt-5-chat'))
}

/**
 * Whether a request must go to the Responses API: some models are available nowhere else, and from gpt-5.4 on Chat
 * Completions refuses function tools while the model reasons.
 */
export function needsResponses({ model, body }: ChatRequest): boolean {
  const base = baseOf(model)
  if (responsesOnly.test(base)) return true
  if (versionOf(base) < 5.04 || !arrayOf(body['tools']).some(isFunction)) return false
  return reasons({ model, body })
}

/** Whether a reasoning model reasons on this request. */
export function reasons({ model, body }: Pick<ChatRequest, 'model' | 'body'>): boolean {
  const effort = effortOf(body)
  if (!isAbsent(effort)) return effort !== 'none'
  // From gpt-5.1 to 5.4 models reason only when told to; from 5.5 on we do not count on it.
  const version = versionOf(baseOf(model))
  return version < 5.01 || version > 5.04
}

/** The effort in OpenAI's own field, or in the one that OpenRouter's clients send. */
export function effortOf(body: JsonObject): unknown {
  return body['reasoning_effort'] ?? objectOf(body['reasoning'])['effort']
}

/** A fine-tuned model behaves as the one it was made from: `ft:gpt-4.1-mini:team::id`. */
function baseOf(model: string): string {
  return model.startsWith('ft:') ? (model.split(':')[1] ?? '') : model
}

/** 5.04 for gpt-5.4 and 5.1 for gpt-5.10: numbers that sort as the versions do. */
function versionOf(base: string): number {
  const match = gptVersion.exec(base)
  return match ? Number(match[1]) + Number(match[2] ?? 0) / 100 : 0
}

function isFunction(tool: unknown): boolean {
  return stringOf(objectOf(tool)['type']) === 'function'
}

/** The only values that a model takes while it reasons. */
const fixed: Readonly<Record<string, number>> = {
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
}

/** Most requests. */
const nothing = new Dropped()

/** Sampling that the model cannot take; values of a wrong type are for OpenAI to refuse. */
export function unsupportedSampling(request: ChatRequest): Dropped {
  const { model, body } = request
  const takesSampling = !isReasoningModel(model) || !reasons(request)
  if (takesSampling && isAbsent(body['top_k'])) return nothing
  const dropped = new Dropped()
  if (!isAbsent(body['top_k'])) dropped.adapt('top_k', 'is not a setting of OpenAI models')
  if (takesSampling) return dropped
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
