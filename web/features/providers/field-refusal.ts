import { ApiError } from '../../api/client.ts'

/**
 * The server's words for the field that it refused, and the rest of what went wrong. `prefixes.0` belongs to the field
 * `prefixes`; a refusal of something that the form does not show is left as an error of the whole.
 */
export function splitRefusal<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): { problems: Partial<Record<Field, string>>; rest: unknown } {
  if (!(error instanceof ApiError) || error.param === null) return { problems: {}, rest: error }
  const [first] = error.param.split(/[.[]/)
  const field = fields.find((candidate) => candidate === first)
  if (field === undefined) return { problems: {}, rest: error }
  return { problems: { [field]: error.message } as Partial<Record<Field, string>>, rest: null }
}
