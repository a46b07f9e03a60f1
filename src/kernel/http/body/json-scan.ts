import { invalid, type Fault } from '#kernel/errors'

/** Deep enough for every schema and document, and far from what code that recurses can take. */
export const maxDepth = 128
/** Above these counts JSON costs far more time and memory than its size suggests. */
export const jsonLimits = { members: 100_000, values: 500_000 } as const
/** Strings with more bytes are parsed apart from the rest. */
export const longString = 16 * 1024

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Where the content of a string begins, and the place of the quote that ends it. */
export interface StringRange {
  start: number
  end: number
}

/** How far a scan has come, and what it has found. */
export interface JsonScan {
  at: number
  /** Where the content of the string begins that is not over yet. */
  string: number | undefined
  depth: number
  members: number
  values: number
  longStrings: StringRange[]
}

export const startScan = (): JsonScan => ({
  at: 0,
  string: undefined,
  depth: 0,
  members: 0,
  values: 0,
  longStrings: [],
})

/**
 * Continues a scan up to the bytes that have arrived. Refuses JSON that is nested too deeply or has too many members
 * or values, before it is parsed. It validates nothing else: where the bytes are valid JSON, it agrees with JSON.parse
 * on what is a string and what is not.
 */
export function scanJson(bytes: Uint8Array, scan: JsonScan, end: number): void {
  if (scan.string !== undefined) finishString(bytes, scan, scan.string, end)
  let { at, depth, members, values } = scan
  while (at < end) {
    const byte = bytes[at]
    at += 1
    if (byte === quote) {
      scan.at = at
      finishString(bytes, scan, at, end)
      at = scan.at
    } else if (byte === comma) {
      values += 1
    } else if (byte === colon) {
      members += 1
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1
      values += 1
      if (depth > maxDepth) throw tooDeep()
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1
    }
  }
  if (members > jsonLimits.members) throw refusal(`has more than ${jsonLimits.members} object members`)
  if (values > jsonLimits.values) throw refusal(`has more than ${jsonLimits.values} values`)
  Object.assign(scan, { at, depth, members, values })
}

/** Continues in a string: to its end, or as far as the bytes have arrived. */
function finishString(bytes: Uint8Array, scan: JsonScan, start: number, end: number): void {
  const found = findQuote(bytes, scan, end)
  scan.string = found === undefined ? start : undefined
  if (found !== undefined && found - start > longString) scan.longStrings.push({ start, end: found })
}

/** A native search costs more than it saves on a short string, and on one that is full of escaped quotes. */
const beforeSearch = 64
const beforeNextSearch = 1_024

/** Where the string ends in which the scan is, if that has arrived; moves the scan on. */
function findQuote(bytes: Uint8Array, scan: JsonScan, end: number): number | undefined {
  const from = scan.at
  let searchAt = from + beforeSearch
  let at = from
  for (; at < end; at += 1) {
    const byte = bytes[at]
    if (byte === quote) break
    if (byte === backslash) {
      at += 1
    } else if (at >= searchAt) {
      const found = bytes.subarray(0, end).indexOf(quote, at)
      at = found === -1 ? end : found
      if (!isEscaped(bytes, at, from)) break
      searchAt = at + beforeNextSearch
    }
  }
  // It is one byte beyond what has arrived where the last byte begins an escape.
  scan.at = at < end ? at + 1 : at
  return at < end ? at : undefined
}

/** An odd number of backslashes before it escapes a byte. */
export function isEscaped(bytes: Uint8Array, at: number, from: number): boolean {
  let first = at
  while (first > from && bytes[first - 1] === backslash) first -= 1
  return (at - first) % 2 === 1
}

const refusal = (reason: string): Fault => invalid(`The body is not accepted: its JSON ${reason}.`)

export const tooDeep = (): Fault =>
  invalid(`The body is not accepted: its JSON is nested more than ${maxDepth} levels deep.`)
