/** Terms of a filter by metadata, as the server and the address have them: `request/path:%2Fhealth`. */

const encoded = (text: string): string => encodeURIComponent(text).replaceAll('!', '%21')

export const metadataTerm = (path: readonly string[], value: string): string =>
  `${path.map(encoded).join('/')}:${encoded(value)}`

export interface ReadTerm {
  path: string[]
  value: string
  isExcluded: boolean
}

/** Undefined: not a term. */
export function readTerm(term: string): ReadTerm | undefined {
  const isExcluded = term.startsWith('!')
  const parts = term.slice(isExcluded ? 1 : 0).split(':')
  const [name, value] = parts
  if (!name || value === undefined || parts.length > 2) return undefined
  try {
    return { path: name.split('/').map(decodeURIComponent), value: decodeURIComponent(value), isExcluded }
  } catch {
    return undefined
  }
}

/** `not request.path: /health` */
export function termText(term: string): string {
  const read = readTerm(term)
  if (!read) return term
  return `${read.isExcluded ? 'not ' : ''}${read.path.join('.')}: ${read.value}`
}

/** The server compares at most this many, and values up to this length. */
export const maxTerms = 5
export const maxValue = 500
