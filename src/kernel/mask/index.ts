import { maskPasswordsInAddresses } from './addresses.ts'
import { assignedValues, isWorthRepeating, nameHints } from './assignments.ts'
import { commandHints, passwordsOfCommands } from './commands.ts'
import { maskCookies } from './cookies.ts'
import { masked, maskSpans, type Span } from './masked.ts'
import { maskPrivateKeys } from './private-keys.ts'
import { maskByRules, ruleHints } from './rules.ts'
import { restAt, tokensByMark, type Token } from './tokens.ts'

/** More repeated values are not looked for, so that the time stays linear in the length of the text. */
const maxRepeated = 32

interface Known extends Needle {
  /** How a token that begins so continues. */
  tokens?: readonly Token[]
  isName?: boolean
  isCommand?: boolean
}

const hints = [...new Set([...ruleHints, ...nameHints, ...commandHints])].map((text) => ({
  text,
  ignoresCase: true,
  isName: nameHints.includes(text),
  isCommand: commandHints.includes(text),
}))
const scan = createScan<Known>([
  ...[...tokensByMark].map(([text, tokens]) => ({ text, ignoresCase: false, tokens })),
  ...hints,
])

/**
 * Masks what looks like a secret: the one list for logs, events, transcripts and errors. The text may be JSON and stays
 * the JSON that it was: only characters inside of strings are replaced, and no escape is cut. The time is linear in the
 * length of the text, whatever it contains.
 */
export function mask(text: string): string {
  const found = new Set<string>()
  const tokens: Span[] = []
  const names: number[] = []
  const commands: number[] = []
  scan(text, (needle, at) => {
    if (needle.tokens !== undefined) {
      const rest = restAt(text, at, needle.tokens)
      if (rest !== undefined) tokens.push(rest)
      return rest?.to
    }
    found.add(needle.text)
    if (needle.isName) names.push(at)
    if (needle.isCommand) commands.push(at)
    return undefined
  })
  if (found.size === 0) return maskSpans(text, tokens)
  const values = names.length === 0 ? [] : assignedValues(text, names)
  const passwords = commands.length === 0 ? [] : passwordsOfCommands(text, commands)
  const seen = new Set(values.map(({ from, to }) => text.slice(from, to)).filter(isWorthRepeating))
  return maskByHints(maskSpans(text, inOrder(tokens, values, passwords)), found, seen)
}

/** Spans that do not overlap: of two that do, the one of the list that comes first. */
function inOrder(...lists: Span[][]): Span[] {
  if (lists.every((list, index) => index === 0 || list.length === 0)) return lists[0] ?? []
  let to = 0
  return lists
    .flat()
    .toSorted((a, b) => a.from - b.from)
    .filter((span) => span.from >= to && (to = span.to) > 0)
}

function maskByHints(text: string, found: ReadonlySet<string>, seen: Set<string>): string {
  let result = text
  if (found.has('private')) result = maskPrivateKeys(result)
  if (found.has('://')) result = maskPasswordsInAddresses(result, seen)
  if (found.has('cookie') || found.has('curl')) result = maskCookies(result)
  result = maskByRules(result, found, seen)
  for (const value of [...seen].slice(0, maxRepeated)) result = maskRepeated(result, value)
  return result
}

/** Not where a part of the value would be the end of an escape. */
function maskRepeated(text: string, value: string): string {
  return text.replaceAll(value, (_, at: number) =>
    /\\(?:u[0-9a-f]{0,3})?$/i.test(text.slice(Math.max(0, at - 5), at)) ? value : masked,
  )
}

interface Needle {
  text: string
  /** Upper and lower case are the same. */
  ignoresCase: boolean
}

/** Is called where a needle is; may return the position to continue at. */
type Meet<T> = (needle: T, at: number) => number | undefined

/**
 * Finds many words of three characters or more in one pass. Tables of the first three decide where a word can begin,
 * which is several times faster than one expression with all words.
 */
function createScan<T extends Needle>(needles: readonly T[]): (text: string, meet: Meet<T>) => void {
  const buckets: T[][] = [[]]
  const pairs = new Uint16Array(128 * 128)
  for (const needle of needles)
    for (const pair of pairsOf(needle)) {
      if (pairs[pair] === 0) pairs[pair] = buckets.push([]) - 1
      buckets[pairs[pair] as number]?.push(needle)
    }
  const thirds = new Uint8Array(128 * buckets.length)
  buckets.forEach((bucket, index) => {
    for (const needle of bucket) for (const code of codesOf(needle, 2)) thirds[128 * index + code] = 1
  })
  return (text, meet) => {
    for (let at = 0; at < text.length - 2; at++) {
      const first = text.charCodeAt(at)
      const second = text.charCodeAt(at + 1)
      if (first > 127 || second > 127) continue
      const bucket = pairs[(first << 7) | second] as number
      // The loop adds one.
      if (bucket !== 0 && thirds[128 * bucket + Math.min(text.charCodeAt(at + 2), 127)] === 1)
        at = meetAll(buckets[bucket] as T[], text, at, meet) - 1
    }
  }
}

function meetAll<T extends Needle>(needles: readonly T[], text: string, at: number, meet: Meet<T>): number {
  for (const needle of needles) {
    if (!isAt(needle, text, at)) continue
    const next = meet(needle, at)
    if (next !== undefined) return next
  }
  return at + 1
}

function isAt({ text: word, ignoresCase }: Needle, text: string, at: number): boolean {
  if (!ignoresCase) return text.startsWith(word, at)
  for (let index = 0; index < word.length; index++)
    if (lower(text.charCodeAt(at + index)) !== word.charCodeAt(index)) return false
  return true
}

const lower = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code)

function pairsOf(needle: Needle): Set<number> {
  return new Set(codesOf(needle, 0).flatMap((one) => codesOf(needle, 1).map((two) => (one << 7) | two)))
}

function codesOf({ text, ignoresCase }: Needle, index: number): number[] {
  const letter = text[index] ?? ''
  return [letter, ...(ignoresCase ? [letter.toUpperCase()] : [])].map((each) => each.charCodeAt(0))
}
