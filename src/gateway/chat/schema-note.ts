import { toJson } from '../wire/request-json.ts'

/** A schema word that cannot be enforced is told to the model instead, in the description. */
export function withNote(description: unknown, lost: readonly string[]): { description?: string } {
  const said = typeof description === 'string' ? description : ''
  if (lost.length === 0) return said === '' ? {} : { description: said }
  const note = `Must satisfy: ${lost.join('; ')}.`
  return { description: said === '' ? note : `${said} ${note}` }
}

export function noteOf(word: string, value: unknown): string {
  const text = toJson(value)
  return `${word} ${text.length > 200 ? `${text.slice(0, 200)}…` : text}`
}

/** Deeper schemas are refused: no real one is, and each level costs stack. */
export const maxSchemaDepth = 64
