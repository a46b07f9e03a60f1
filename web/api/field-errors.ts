import { ApiError } from './client.ts'

/**
 * Assigns a server error to the field it names, such as `prefixes.0` to `prefixes`. An error about anything the form
 * does not show stays an error of the whole form.
 */
export function splitFieldErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): { problems: Partial<Record<Field, string>>; rest: unknown } {
  if (!(error instanceof ApiError) || error.param === null) return { problems: {}, rest: error }
  const [first] = error.param.split(/[.[]/)
  const field = fields.find((candidate) => candidate === first)
  if (field === undefined) return { problems: {}, rest: error }
  return { problems: { [field]: error.message } as Partial<Record<Field, string>>, rest: null }
}
