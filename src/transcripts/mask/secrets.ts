import { maskAssignments } from './assignments.ts'
import { masked } from './masked.ts'
import { maskTokens } from './tokens.ts'

const privateKey =
  /(-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)(?:[^"\\]|\\[^"])*?(-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?=\\*"|$))/g
const header =
  /\b((?:bearer|authorization\\*["'`]?\s*[:=]\s*\\*["'`]?(?:basic|token))\s+)([A-Za-z0-9._~+/=-]{8,})/gi
const address = /(:\/\/[^\s/:@"'\\<>]{0,100}:)([^\s/@"'\\<>]{1,200})(?=@)/g
const parameter = /([?&]([\w-]{2,40})=)([^&\s"'`\\<>[\]]{6,})/g
const isSecretParameter = /(?:key|token|secret|password|signature|credential)$|^sig$/i
/** What the parsers need as it is, and nobody can read: it may contain anything by chance. */
const sealed =
  /"(?:signature|encrypted_content|encryptedContent|thoughtSignature|thinkingSignature)":"([^"\\]{40,})"/g

/**
 * Masks what looks like a secret in one raw line. The line stays the JSON that it was: only characters inside of
 * strings are replaced, and no escape is cut. Masking a masked line changes nothing. The mask of the logs
 * (`kernel/log`) is smaller and knows no JSON.
 */
export function maskSecrets(line: string): string {
  const kept: string[] = []
  const open = line.includes('":"')
    ? line.replace(sealed, (found, value: string) => hold(kept, found, value))
    : line
  const result = maskOpen(open)
  if (kept.length === 0) return result
  return kept.reduce((text, value, index) => text.replace(placeOf(index), () => value), result)
}

function hold(kept: string[], found: string, value: string): string {
  kept.push(value)
  return found.replace(value, placeOf(kept.length - 1))
}

/** A raw line of JSON has no NUL, so that nothing else looks like the place of a kept value. */
function placeOf(index: number): string {
  return `\0${index}\0`
}

function maskOpen(line: string): string {
  const seen = new Set<string>()
  const keep = (found: string, prefix: string, value: string) => {
    if (!isReal(value)) return found
    if (value.length >= 12) seen.add(value)
    return `${prefix}${masked}`
  }
  let result = line
  if (result.includes('PRIVATE KEY')) result = result.replace(privateKey, `$1${masked}$2`)
  result = maskTokens(result)
  if (result.includes('://')) result = result.replace(address, keep)
  result = result.replace(header, (found, prefix: string, value: string) =>
    value.length >= 20 || /\d/.test(value) || /^authorization/i.test(prefix)
      ? keep(found, prefix, value)
      : found,
  )
  result = result.replace(parameter, (found, prefix: string, name: string, value: string) =>
    isSecretParameter.test(name) ? keep(found, prefix, value) : found,
  )
  result = maskAssignments(result, seen)
  for (const value of seen) result = result.replaceAll(value, masked)
  return result
}

function isReal(value: string): boolean {
  return !value.includes(masked) && !/^(?:[$*<{%]|x{4,}$)/i.test(value)
}
