import { z } from 'zod'
import { invalid, type Fault } from '#kernel/errors'

/** What zod says by default is for programmers. A message that a schema has of its own comes first. */
export function usePlainMessages(): void {
  z.config({ customError: describeIssue })
}

interface ValidationIssue {
  keyword?: string
  instancePath?: string
  message?: string
  params?: { keys?: readonly string[] }
}

export function describeValidation(issue: ValidationIssue, context = 'body'): Fault {
  const path = shown((issue.instancePath ?? '').replace(/^\//, '').replaceAll('/', '.'))
  if (issue.keyword === 'unrecognized_keys') {
    const [key = ''] = issue.params?.keys ?? []
    const name = shown(path === '' ? key : `${path}.${key}`)
    return invalid(`"${name}" is not valid: there is no such field.`, name)
  }
  const where = path === '' ? `The ${context}` : `"${path}"`
  return invalid(
    `${where} is not valid: ${issue.message ?? 'see the API reference'}.`,
    path === '' ? null : path,
  )
}

/** Names in a body are chosen by the client, and may be as long as the body. */
const shown = (path: string): string => path.slice(0, 200).toWellFormed()

function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const rule = ruleOf(issue)
  if (rule === undefined) return undefined
  return issue.input === undefined ? `it is required and ${rule}` : rule
}

function ruleOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] && `must be ${typeNames[issue.expected]}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${choices(issue.values)}`
    case 'invalid_format':
      if (issue.format === 'regex') return `must match ${issue.pattern}`
      return formatNames[issue.format] && `must be ${formatNames[issue.format]}`
    case 'too_small':
      return issue.inclusive === false
        ? `must be more than ${issue.minimum}`
        : limitOf(issue.origin, Number(issue.minimum), 'least')
    case 'too_big':
      return limitOf(issue.origin, Number(issue.maximum), 'most')
    case 'invalid_union':
      return unionOf(issue)
    case 'unrecognized_keys':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
    default:
      return undefined
  }
}

const maxChoices = 20

/** Nobody reads hundreds of them in a message; the API reference has them all. */
function choices(values: readonly unknown[]): string {
  const more = values.length - maxChoices
  return `${values.slice(0, maxChoices).map(String).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function unionOf(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const { options } = issue as { options?: readonly unknown[] }
  if (options) return `must be one of ${choices(options)}`
  const types = issue.errors.map(([first, ...others]) =>
    first?.code === 'invalid_type' && first.path.length === 0 && others.length === 0
      ? typeNames[first.expected]
      : undefined,
  )
  return types.length > 0 && types.every((type) => type !== undefined)
    ? `must be ${types.join(' or ')}`
    : 'has none of the forms that are allowed here'
}

function limitOf(origin: string, limit: number, end: 'least' | 'most'): string | undefined {
  if (origin === 'string')
    return limit === 1 && end === 'least'
      ? 'must not be empty'
      : `must have at ${end} ${limit} ${limit === 1 ? 'character' : 'characters'}`
  if (origin === 'array') return `must have at ${end} ${limit} ${limit === 1 ? 'item' : 'items'}`
  return origin === 'number' || origin === 'int' ? `must be at ${end} ${limit}` : undefined
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formatNames: Record<string, string> = {
  uuid: 'a UUID',
  email: 'an email address',
  url: 'a URL',
  date: 'a date such as 2026-11-16',
  datetime: 'a time such as 2026-11-16T12:00:00Z',
}
