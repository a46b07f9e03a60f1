import { endOfRun, isReal, limited, maskSpans, type Span } from './masked.ts'

/*
 * Secrets that are known by what stands before them: headers, parameters, cookies, statements, files of programs.
 * Lines may be JSON, so that a quotation mark comes with backslashes before it, and a new line is `\n`.
 */

interface Rule {
  /** One of these is in every text that the expression matches, in lower case. */
  hints: readonly string[]
  /** What stays, as the first group, and the secret as the second. */
  expression: RegExp
  accepts?: (value: string, prefix: string) => boolean
}

const quote = String.raw`(?:\\{0,7}["'\x60])?`
const space = String.raw`(?:\s|\\+[nrt])`
const rule = (hints: string, source: string, accepts?: Rule['accepts']): Rule => ({
  hints: hints.split(' '),
  expression: new RegExp(limited(source), 'gi'),
  ...(accepts && { accepts }),
})

const isSecretParameter =
  /(?:key|token|secret|password|passwd|signature|credential)=$|[?&](?:sig|pwd|pass|jwt|auth|code_verifier)=$/i
const looksRandom = (value: string): boolean => value.length >= 20 || /\d|[._~+/=]\w/.test(value)

const rules: readonly Rule[] = [
  rule(
    'auth',
    String.raw`(authorization${quote}\s{0,8}[:=,]\s{0,8}${quote}(?:bearer|basic|token|digest|negotiate|apikey|api-key|key)\s{1,8})([A-Za-z0-9._~+/=-]{6,})`,
  ),
  rule(
    'auth',
    String.raw`(_?auth${quote}\s{0,8}[:=]\s{0,8}${quote})([A-Za-z0-9+/]{8,}={0,2})(?=["'\x60\\\s]|$)`,
    isUserAndPassword,
  ),
  rule('bearer', String.raw`(bearer\s{1,8})([A-Za-z0-9._~+/=-]{8,})`, looksRandom),
  rule(
    'basic',
    String.raw`(["'\x60 ]basic\s{1,8})([A-Za-z0-9+/]{8,}={0,2})(?=["'\x60\\\s]|$)`,
    isUserAndPassword,
  ),
  rule(
    'key token secret pass signature credential sig= pwd jwt= auth code_ver',
    String.raw`([?&][\w-]{2,40}=)([^&\s"'\x60\\<>[\]]{4,})`,
    (value, prefix) => isSecretParameter.test(prefix) && !/^[$*{%]/.test(value),
  ),
  rule(
    'login',
    String.raw`(login${space}{1,8}[^\s\\]{1,200}${space}{1,8}(?:account${space}{1,8}[^\s\\]{1,200}${space}{1,8})?password${space}{1,8})([^\s"'\\]{1,200})`,
  ),
  rule(
    'pass identified',
    String.raw`((?:password|identified${space}{1,8}(?:with${space}{1,8}\w{1,60}${space}{1,8})?(?:by|as))${space}{1,8}(?:=${space}{0,8}|password${space}{1,8})?(?:e|u&)?')([^'"\\]{1,200})(?=')`,
  ),
  rule('pass', String.raw`(password${space}{1,8}\$\w{0,20}\$)([^$"\\]{1,200})(?=\$)`),
  rule('pass', String.raw`((?:password|crypt)\(')([^'"\\]{1,200})(?=')`),
  rule('identified', String.raw`(identified${space}{1,8}by${space}{1,8})([^\s"'\\;]{4,200})`),
  rule(
    'securestring',
    String.raw`(securestring\s{1,8}(?:-string\s{1,8})?${quote})([^\s"'\\,:}\]-][^\s"'\\]{3,200})`,
  ),
  rule(':543', String.raw`(:543\d:[^\s:"'\\]{1,64}:[^\s:"'\\@/]{1,64}:)([^\s"'\\]{1,200})`),
  rule(
    '$2a $2b $2y $apr $argon $5$ $6$ $y$',
    String.raw`(\$(?:2[aby]|apr1|argon2(?:id|i|d)|5|6|y)\$)([\w./=,$+]{20,200})`,
  ),
  rule('-us', String.raw`()(?<![0-9a-f])([0-9a-f]{32})(?=-us\d{1,2}(?!\w))`),
  rule(
    'pass secret token key',
    String.raw`(<[\w.:-]{0,40}(?:password|passwd|secret|token|apikey|api-key|api_key|accesskey|privatekey)>)([^<>\s"'\\]{4,400})(?=<\\{0,7}/)`,
  ),
  rule(
    'value=',
    String.raw`(key=${quote}[\w.:-]{0,40}(?:password|passwd|secret|token|apikey|accesskey)${quote}\s{1,8}value=${quote})((?![,:}\]])[^\s"'\\<>]{4,400})`,
  ),
  rule(
    'private',
    String.raw`(private-lines: \d{1,4}${space}{1,4})((?:[A-Za-z0-9+/=]|${space}){16,})(?=private-mac)`,
  ),
  rule('kty', String.raw`("(?:d|k|p|q|dp|dq|qi)\\{0,7}"\s?:\s?\\{0,7}")([\w-]{20,})`),
]

/** Words of which a text must have some, so that only the rules are tried that can match. */
export const ruleHints = [...new Set([...rules.flatMap(({ hints }) => hints), 'cookie', '://', 'curl'])]

/** Masks what the rules find, and adds to `seen` those whose repetition in the text is masked as well. */
export function maskByRules(text: string, found: ReadonlySet<string>, seen: Set<string>): string {
  let result = text
  for (const each of rules)
    if (each.hints.some((hint) => found.has(hint))) result = maskSpans(result, spansOf(result, each, seen))
  return result
}

function spansOf(text: string, { expression, accepts }: Rule, seen: Set<string>): Span[] {
  const spans: Span[] = []
  for (const { index, 0: whole, 1: prefix = '', 2: value = '' } of text.matchAll(expression)) {
    if (!isReal(value) || accepts?.(value, prefix) === false) continue
    const to = index + whole.length
    const span = { from: to - value.length, to }
    spans.push({ ...span, to: endOfRun(text, span) })
    if (value.length >= 12) seen.add(value)
  }
  return spans
}

/** Base64 of `user:password`, which a text beside the word would hardly be. */
function isUserAndPassword(value: string): boolean {
  return /^[\x20-\x7e]{1,100}:[\x20-\x7e]+$/.test(Buffer.from(value, 'base64').toString('latin1'))
}
