import { invalidField } from '#kernel/errors'

/** A value of the metadata that is asked for, or that is left out. */
export interface MetadataTerm {
  path: readonly string[]
  value: string
  isExcluded: boolean
}

const maxTerms = 5
const maxSteps = 8
const maxLength = 500

/**
 * Reads `environment:production,!request/path:%2Fhealth`: steps of a path with `/` between them, a colon and the value,
 * each with percent-encoding. One after ! is left out.
 */
export function parseMetadata(text: string | undefined): readonly MetadataTerm[] {
  if (text === undefined) return []
  const terms = text.split(',').filter((term) => term !== '')
  if (terms.length === 0 || terms.length > maxTerms)
    throw invalidField('metadata', `must have from 1 to ${maxTerms} values`)
  return terms.map(parseTerm)
}

function parseTerm(term: string): MetadataTerm {
  const isExcluded = term.startsWith('!')
  const [name = '', value, ...rest] = term.slice(isExcluded ? 1 : 0).split(':')
  if (name === '' || value === undefined || rest.length > 0)
    throw invalidField('metadata', 'must be a name, a colon and a value, such as environment:production')
  const path = name.split('/').map(decoded)
  if (path.length > maxSteps) throw invalidField('metadata', `must have at most ${maxSteps} names in a path`)
  return { path, value: decoded(value), isExcluded }
}

function decoded(text: string): string {
  if (text.length > 3 * maxLength) throw tooLong()
  try {
    const value = decodeURIComponent(text)
    if (value.length > maxLength) throw tooLong()
    if (!value.includes('\0')) return value
  } catch (error) {
    if (!(error instanceof URIError)) throw error
  }
  throw invalidField('metadata', 'must have valid percent-encoding')
}

const tooLong = () => invalidField('metadata', `must have values of at most ${maxLength} characters`)
