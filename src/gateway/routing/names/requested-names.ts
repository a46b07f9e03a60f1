import { invalidField } from '#kernel/errors'
import { isAbsent } from '../../wire/json.ts'

/** Fields with names to try when the model fails: OpenRouter's and LiteLLM's. */
export const listFields = ['models', 'fallbacks'] as const
const maxNames = 10
const maxLength = 300

type Body = Readonly<Record<string, unknown>>

/** Whether a request names more than its model. */
export const namesMore = ({ models, fallbacks }: Body): boolean => !isAbsent(models) || !isAbsent(fallbacks)

/** The names in one of the fields; none where it is absent. */
export function namesIn(body: Body, field: (typeof listFields)[number]): string[] {
  const value = body[field]
  if (isAbsent(value)) return []
  if (!Array.isArray(value) || !value.every(isName))
    throw invalidField(field, 'must be an array of model names')
  if (value.length > maxNames) throw invalidField(field, `may hold at most ${maxNames} names`)
  return value
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxLength
}
