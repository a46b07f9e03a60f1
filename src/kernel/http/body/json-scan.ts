import { invalid, type Fault } from '#kernel/errors'
import { maxDepth, tooDeep } from './json-depth.ts'

/** Above these counts JSON costs far more time and memory than its size suggests. */
export const jsonLimits = { members: 100_000, values: 500_000 } as const

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** How far a scan has come, and what it has counted. */
export interface JsonScan {
  at: number
  depth: number
  members: number
  values: number
}

export const startScan = (): JsonScan => ({ at: 0, depth: 0, members: 0, values: 0 })

/**
 * Continues a scan up to a position, or to the end of the string that extends beyond it. Refuses JSON that is nested
 * too deeply or has too many members or values, before it is parsed. It validates nothing else: where the bytes are valid JSON, it agrees with JSON.parse on what is a string and what is not.
 */
export function scanJson(bytes: Uint8Array, scan: JsonScan, end: number): void {
  let { at, depth, members, values } = scan
  while (at < end) {
    const byte = bytes[at]
    at += 1
    if (byte === quote) {
      at = skipString(bytes, at)
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

/** A native search costs more than it saves on a short string, and on one that is full of escaped quotes. */
const beforeSearch = 64
const beforeNextSearch = 1_024

/** Where the string ends whose content begins here. */
function skipString(bytes: Uint8Array, start: number): number {
  let searchAt = start + beforeSearch
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) return at + 1
    if (byte === backslash) {
      at += 1
    } else if (at >= searchAt) {
      const found = bytes.indexOf(quote, at)
      if (found === -1) return bytes.length
      if (!isEscaped(bytes, found)) return found + 1
      at = found
      searchAt = found + beforeNextSearch
    }
  }
  return bytes.length
}

/** An odd number of backslashes before it escapes a quote. */
function isEscaped(bytes: Uint8Array, at: number): boolean {
  let first = at
  while (bytes[first - 1] === backslash) first -= 1
  return (at - first) % 2 === 1
}

const refusal = (reason: string): Fault => invalid(`The body is not accepted: its JSON ${reason}.`)
