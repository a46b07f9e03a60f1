import { toJson } from '../wire/request-json.ts'

/** Describes to the model the schema keywords that cannot be enforced. */
export function withNote(description: unknown, unenforced: readonly string[]): { description?: string } {
  const given = typeof description === 'string' ? description : ''
  if (unenforced.length === 0) return given === '' ? {} : { description: given }
  const note = `Must satisfy: ${unenforced.join('; ')}.`
  return { description: given === '' ? note : `${given} ${note}` }
}

export function noteOf(word: string, value: unknown): string {
  const text = toJson(value)
  return `${word} ${text.length > 200 ? `${text.slice(0, 200)}…` : text}`
}

/** Deeper schemas are refused: real ones are not, and each level costs stack. */
export const maxSchemaDepth = 64
