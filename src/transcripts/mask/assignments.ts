import { masked } from './masked.ts'

/*
 * `NAME=value`, `name: "value"`, `"name":"value"` and `--name value`, where the name says that the value is a secret.
 * Lines are JSON, so that a quotation mark in a text comes with backslashes before it, and a new line is `\n`.
 */

const assignment =
  /(?:pass|pwd|secret|token|key|credential|authorization|connectionstring)[A-Za-z0-9_-]{0,40}(\\*["'`]?[ \t]{0,8}(?:=>|:=|==?|:)[ \t]{0,8})(\\*["'`])?/gi
const option = /--(?:[a-z-]*-)?(?:password|passwd|passphrase|secret|token|key)([ \t]+)(\\*["'`])?/gi

/** Values without quotation marks: of `NAME=value` in a file or shell anything, elsewhere what is no code. */
const plainValue = /(?:[^\s"'`\\&|]|\\+\/|\\+u00[0-9a-fA-F]{2})+/y
const codeValue = /(?:[^\s"'`\\&|,;(){}<>[\]]|\\+\/)+/y
const longestValue = 4_096

const isPassword = /(?:password|passwd|passphrase|pwd|pass)$/
const isSecretName =
  /(?:password|passwd|passphrase|pwd|secret|token|credentials?|authorization|connectionstring)$|(?:api|access|secret|private|auth|encryption|signing|master|service|account|client|shared|storage|session|webhook|deploy|license|jwt|app)key(?:base)?$/
/** In environment variables the word may be anywhere, unless the end says that the value is something else. */
const isSecretVariable =
  /PASS(?:WORD|WD|PHRASE)?(?:_|$)|PWD|SECRET|TOKEN(?:_|$)|_KEY(?:_|$)|APIKEY|CREDENTIAL/
const isOtherVariable =
  /(?:_FILE|_PATH|_DIR|_URL|_URI|_NAME|_ID|_TYPE|_TTL|_AGE|_LENGTH|_LIMIT|_COUNT|_SIZE|_HEADER|_PREFIX|_FIELD|TOKENS|PUBLIC_KEY|^PWD|^OLDPWD|^KEY|PRIMARY_KEY|FOREIGN_KEY|CACHE_KEY|SORT_KEY)$/
const isPlaceholder =
  /^(?:[$%*#@.]|\{\{|<|x{4,}$|your[-_]|process\.|os\.|env\.|import\.|null\b|undefined\b|none\b|true\b|false\b|string\b)|\[masked\]/i

interface Found {
  from: number
  to: number
}

/** Masks the values, and adds to `seen` those whose repetition in the line is masked as well. */
export function maskAssignments(line: string, seen: Set<string>): string {
  const marked = line.includes('--') ? maskValues(line, option, seen) : line
  return maskValues(marked, assignment, seen)
}

function maskValues(line: string, expression: RegExp, seen: Set<string>): string {
  const found: Found[] = []
  expression.lastIndex = 0
  for (let match = expression.exec(line); match !== null; match = expression.exec(line)) {
    const value = valueAfter(line, match)
    if (value === undefined) continue
    found.push(value)
    const text = line.slice(value.from, value.to)
    if (isWorthRepeating(text)) seen.add(text)
    expression.lastIndex = value.to
  }
  if (found.length === 0) return line
  let result = ''
  let from = 0
  for (const each of found) {
    result += line.slice(from, each.from) + masked
    from = each.to
  }
  return result + line.slice(from)
}

function valueAfter(line: string, match: RegExpExecArray): Found | undefined {
  const [whole, separator = '', quote] = match
  const from = match.index + whole.length
  const name = nameOf(line, match)
  const to = quote === undefined ? plainEnd(line, from, name, separator) : quotedEnd(line, from, name, quote)
  return to === undefined ? undefined : { from, to }
}

/** The whole name: what the expression found is often only its end. A letter behind a backslash is an escape. */
function nameOf(line: string, match: RegExpExecArray): string {
  const [whole, separator = '', quote = ''] = match
  let start = match.index
  while (start > 0 && match.index - start < 60 && /[\w.-]/.test(line[start - 1] ?? '')) start--
  if (line[start - 1] === '\\') start = Math.min(start + 1, match.index)
  return line.slice(start, match.index + whole.length - separator.length - quote.length)
}

function isSecret(name: string): boolean {
  const bare = name.replace(/^-+/, '')
  if (/^[A-Z][A-Z0-9_]*$/.test(bare)) return isSecretVariable.test(bare) && !isOtherVariable.test(bare)
  return isSecretName.test(bare.toLowerCase().replaceAll(/[_.-]/g, ''))
}

function plainEnd(line: string, from: number, name: string, separator: string): number | undefined {
  if (!isSecret(name)) return undefined
  const isVariable = /^[A-Z][A-Z0-9_]*$/.test(name) && separator === '='
  const expression = isVariable ? plainValue : codeValue
  expression.lastIndex = from
  const value = expression.exec(line)?.[0]
  if (value === undefined || isPlaceholder.test(value) || line[from + value.length] === '(') return undefined
  if (isVariable) return value.length >= 4 && !/^\d{1,5}$/.test(value) ? from + value.length : undefined
  const isLong = value.length >= (isPassword.test(name.toLowerCase()) ? 6 : 8)
  const isCode = /^[\w$]+(?:\.[\w$]+)+$/.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)
  return isLong && !isCode ? from + value.length : undefined
}

function quotedEnd(line: string, from: number, name: string, quote: string): number | undefined {
  if (!isSecret(name)) return undefined
  const length = line.slice(from, from + longestValue).indexOf(quote)
  if (length === -1) return undefined
  const to = from + length
  const value = line.slice(from, to)
  // Another quotation mark ends the string of the line, or the text goes on in another one.
  if (/["\s]|\\[nrt]/.test(value) || value.endsWith('\\') || isPlaceholder.test(value)) return undefined
  const isEnough = isPassword.test(name.toLowerCase())
    ? value.length >= 4
    : value.length >= 20 || (value.length >= 8 && /\d/.test(value))
  return isEnough ? to : undefined
}

/** A word such as `postgres` is no secret everywhere, and ids are needed as they are. */
function isWorthRepeating(value: string): boolean {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value)) return false
  return value.length >= 16 || (value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value))
}
