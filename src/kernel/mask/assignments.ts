import type { Span } from './masked.ts'

/*
 * `NAME=value`, `name: "value"`, `"name":"value"` and `--name value`, where the name says that the value is a secret.
 * Lines are JSON, so that a quotation mark in a text comes with backslashes before it, and a new line is `\n`.
 */

const assignment =
  /(?:pass|pwd|pw|secret|token|key|credential|authorization|connectionstring)[A-Za-z0-9_-]{0,40}(\\{0,7}["'`]?[ \t]{0,8}(?:=>|:=|==?|:)[ \t]{0,8})(\\{0,7}["'`])?/iy
const option =
  /(?<=-)(?:password|passwd|passphrase|pass|secret|token|key)([ \t]{1,8}|\\{0,7}["'],[ \t]?)(\\{0,7}["'`])?/iy
/** Names that a tool sets with a space before the value. */
const setting =
  /(?:secret_access_key|(?<=session_)token|(?<=_)(?:authtoken|password|auth))([ \t]{1,8})(\\{0,7}["'`])?/iy

/** Values without quotation marks: of `NAME=value` in a file or shell anything, elsewhere what is no code. */
const plainValue = /(?:[^\s"'`\\&|]|\\{1,7}\/|\\{1,7}u00[0-9a-fA-F]{2}){1,4096}/y
const codeValue = /(?:[^\s"'`\\&|,;(){}<>[\]]|\\{1,7}\/){1,4096}/y
const longestValue = 4_096
const longestQuoted = 65_536
const isNumber = /^[-+]?\d[\d.eE+-]*$/
/** As much of a value decides whether it is code. */
const longestHead = 256

const isPassword = /(?:password|passwd|passphrase|passcode|pwd|pass|pw)$/
const isSecretName =
  /(?:password|passwd|passphrase|passcode|pwd|secret|token|credentials?|authorization|connectionstring)$|(?:api|access|secret|private|auth|encryption|signing|master|service|account|client|shared|storage|session|webhook|deploy|license|jwt|app)key(?:base|data)?$|^(?:db|user|smtp|mail|admin|root|ftp|ssh|redis|pg|my)?(?:pass|pw)$/
/** In environment variables the word may be anywhere, unless the end says that the value is something else. */
const isSecretVariable =
  /PASS(?:WORD|WD|PHRASE)?(?:_|$)|PWD|SECRET|TOKEN(?:_|$)|_KEY(?:_|$)|APIKEY|CREDENTIAL/
const isOtherVariable =
  /(?:_FILE|_PATH|_DIR|_URL|_URI|_NAME|_ID|_TYPE|_TTL|_AGE|_LENGTH|_LIMIT|_COUNT|_SIZE|_HEADER|_PREFIX|_FIELD|TOKENS|PUBLIC_KEY|^PWD|^OLDPWD|^KEY|PRIMARY_KEY|FOREIGN_KEY|CACHE_KEY|SORT_KEY)$/
const isPlaceholder =
  /^(?:[$%*#@.]|\{\{|<|x{4,}$|your[-_]|process\.|os\.|env\.|import\.|null\b|undefined\b|none\b|true\b|false\b|string\b)|\[masked\]/i

/** Passwords in lists such as `Server=db;Password=…` and `host=db password=…`. */
const pairValue = /[^\s"'`\\&|;]{1,200}/y
/** Each name contains one of these. */
export const nameHints = [
  ...[
    'pass',
    'pwd',
    'pw=',
    'pw:',
    'pw"',
    "pw'",
    'secret',
    'token',
    'key',
    'credential',
    'auth',
    'connectionstring',
  ],
]

/** The values of what is named at some of the places, which must be in order. */
export function assignedValues(line: string, places: readonly number[]): Span[] {
  const found: Span[] = []
  const ends: Ends = new Map()
  let from = 0
  for (const at of places) {
    const value = at < from ? undefined : valueAt(line, at, ends)
    if (value === undefined) continue
    found.push(value)
    from = value.to
  }
  return found
}

function valueAt(line: string, at: number, ends: Ends): Span | undefined {
  for (const expression of [assignment, option, setting]) {
    expression.lastIndex = at
    const match = expression.exec(line)
    const value = match === null ? undefined : valueAfter(line, match, ends)
    if (value !== undefined) return value
  }
  return undefined
}

function valueAfter(line: string, match: RegExpExecArray, ends: Ends): Span | undefined {
  const [whole, separator = '', quote] = match
  const from = match.index + whole.length
  const name = nameOf(line, match)
  if (!isSecret(name)) return undefined
  if (quote !== undefined) return span(from, quotedEnd(line, from, name, quote))
  const start = from - separator.length - name.length
  const isPair = separator === '=' && isPassword.test(name.toLowerCase()) && isListed(line, start, name)
  return span(from, isPair ? pairEnd(line, from, name) : plainEnd(line, from, name, separator, ends))
}

const span = (from: number, to: number | undefined): Span | undefined =>
  to === undefined ? undefined : { from, to }

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

/** Whether the name is one of a list of pairs, or of a line of settings: there a value is never code. */
function isListed(line: string, start: number, name: string): boolean {
  const before = line.slice(Math.max(0, start - 100), start)
  if (before === '' || /(?:[;\n]|\\n)$/.test(before)) return true
  return name.includes('.') || /(?:^|[\s"'])\w{1,30}=[^\s"'()]{1,60} $/.test(before)
}

function pairEnd(line: string, from: number, name: string): number | undefined {
  pairValue.lastIndex = from
  const value = pairValue.exec(line)?.[0] ?? ''
  const isCode = /[(),]/.test(value) || name.endsWith(value) || /^[a-z]\w*(?:\.\w+)+$/.test(value)
  return value.length < 4 || isCode || isPlaceholder.test(value) ? undefined : from + value.length
}

function plainEnd(
  line: string,
  from: number,
  name: string,
  separator: string,
  ends: Ends,
): number | undefined {
  const isVariable = /^[A-Z][A-Z0-9_]*$/.test(name) && separator === '='
  const to = endOfRun(line, from, isVariable ? plainValue : codeValue, ends)
  const value = line.slice(from, Math.min(to, from + longestHead))
  if (value === '' || isPlaceholder.test(value) || line[to] === '(') return undefined
  if (isVariable) return value.length >= 4 && !/^\d{1,5}$/.test(value) ? to : undefined
  const isLong = value.length >= (isPassword.test(name.toLowerCase()) ? 6 : 8)
  const isCode = /^[\w$]+(?:\.[\w$]+)+$/.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)
  if (isCode || isNumber.test(value)) return undefined
  return isLong ? to : undefined
}

/** Where a value may end, by its expression: another one that begins within it ends there too, and is not read again. */
type Ends = Map<RegExp, number>

function endOfRun(line: string, from: number, expression: RegExp, ends: Ends): number {
  const known = ends.get(expression) ?? 0
  if (from < known) return known
  let [to, length] = [from, 0]
  do {
    expression.lastIndex = to
    length = expression.exec(line)?.[0].length ?? 0
    to += length
  } while (length >= longestValue)
  ends.set(expression, to)
  return to
}

function quotedEnd(line: string, from: number, name: string, quote: string): number | undefined {
  const length = line.slice(from, from + longestQuoted).indexOf(quote)
  if (length === -1) return undefined
  const to = from + length
  const value = line.slice(from, to)
  // Another quotation mark ends the string of the line, or the text continues in another one.
  if (/["\s]|\\[nrt]|^[,:}\]]/.test(value) || value.endsWith('\\') || isPlaceholder.test(value))
    return undefined
  const isEnough = isPassword.test(name.toLowerCase())
    ? value.length >= 4
    : value.length >= 20 || (value.length >= 8 && /\d/.test(value))
  return isEnough ? to : undefined
}

/** A word such as `postgres` is no secret everywhere, and ids are needed as they are. */
export function isWorthRepeating(value: string): boolean {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value)) return false
  return value.length >= 16 || (value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value))
}
