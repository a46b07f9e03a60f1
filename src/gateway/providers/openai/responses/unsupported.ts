import { invalid } from '#kernel/errors'
import { isAbsent, isObject, type JsonObject } from '../../../wire/json.ts'

/** Fields with no counterpart on this wire that would change the answer, and the values that ask for nothing. */
const neutral: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: (value) => value === 1,
  stop: isEmptyList,
  presence_penalty: (value) => value === 0,
  frequency_penalty: (value) => value === 0,
  logit_bias: (value) => isObject(value) && Object.keys(value).length === 0,
  logprobs: (value) => value === false,
  top_logprobs: (value) => value === 0,
  modalities: (value) => Array.isArray(value) && value.every((each) => each === 'text'),
  audio: () => false,
  functions: isEmptyList,
  function_call: () => false,
}

/** Refuses what would silently get lost. */
export function refuseLost(body: JsonObject, fields: readonly string[], who: string): void {
  for (const field of fields) {
    if (isAbsent(body[field]) || neutral[field]?.(body[field]) === true) continue
    const instead = field.startsWith('function') ? ' Use tools and tool_choice.' : ''
    throw invalid(`${field} is not supported by ${who}.${instead}`, field)
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
