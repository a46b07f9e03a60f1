import { invalidField } from '#kernel/errors'
import { isAbsent, isObject, type JsonObject } from '../../../wire/json.ts'

/** Fields that would change the response but have no counterpart in the Responses API, with the values that change nothing. */
const neutral: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: (value) => value === 1,
  stop: isEmptyArray,
  presence_penalty: (value) => value === 0,
  frequency_penalty: (value) => value === 0,
  logit_bias: (value) => isObject(value) && Object.keys(value).length === 0,
  logprobs: (value) => value === false,
  top_logprobs: (value) => value === 0,
  modalities: (value) => Array.isArray(value) && value.every((each) => each === 'text'),
  audio: () => false,
  functions: isEmptyArray,
  function_call: () => false,
}

/** Refuses fields that would otherwise be lost silently. */
export function refuseUnsupported(body: JsonObject, fields: readonly string[], who: string): void {
  for (const field of fields) {
    if (isAbsent(body[field]) || neutral[field]?.(body[field]) === true) continue
    const instead = field.startsWith('function') ? ' Use tools and tool_choice.' : ''
    throw invalidField(field, `is not supported by ${who}.${instead}`)
  }
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
