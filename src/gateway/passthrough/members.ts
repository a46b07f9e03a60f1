/** Where one member of a JSON object lies in the bytes. */
export interface Member {
  readonly key: string
  /** The opening quote of the key. */
  readonly start: number
  readonly valueStart: number
  /** Behind the last byte of the value. */
  readonly end: number
}

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openers = new Set([openBrace, 0x5b])
const closers = new Set([closeBrace, 0x5d])
const comma = 0x2c
const colon = 0x3a
const space = 0x20

/**
 * Finds the members of a JSON object without reading their values, so that one can be changed and all others stay
 * byte for byte: large integers, `1.0` and repeated keys would not survive a parse and a print. The bytes must be
 * known to be valid JSON. UTF-8 needs no care: bytes of longer characters never equal a quote or a bracket.
 */
export function membersOf(json: Buffer): Member[] {
  const members: Member[] = []
  let at = skipSpace(json, json.indexOf('{') + 1)
  while (at < json.length && json[at] !== closeBrace) {
    const keyEnd = stringEnd(json, at)
    const key = JSON.parse(json.toString('utf8', at, keyEnd)) as string
    const valueStart = skipSpace(json, json.indexOf(colon, keyEnd) + 1)
    const end = valueEnd(json, valueStart)
    members.push({ key, start: at, valueStart, end })
    at = skipSpace(json, end)
    if (json[at] === comma) at = skipSpace(json, at + 1)
  }
  return members
}

/** The bytes of a value deep inside an object; the last of repeated keys counts, as for every JSON reader. */
export function valueAt(json: Buffer, path: readonly string[]): Buffer | undefined {
  // A slow response may begin with spaces that only keep the connection alive.
  let value: Buffer | undefined = json.subarray(skipSpace(json, 0))
  for (const key of path) {
    if (value?.[0] !== openBrace) return undefined
    const whole: Buffer = value
    const member = membersOf(whole).findLast((each) => each.key === key)
    value = member && whole.subarray(member.valueStart, member.end)
  }
  return value
}

function skipSpace(json: Buffer, from: number): number {
  let at = from
  while (at < json.length && (json[at] ?? 0) <= space) at += 1
  return at
}

function valueEnd(json: Buffer, start: number): number {
  const first = json[start] ?? 0
  if (first === quote) return stringEnd(json, start)
  let at = start
  if (!openers.has(first)) {
    while (at < json.length && !isValueEnd(json[at] ?? 0)) at += 1
    return at
  }
  let depth = 0
  while (at < json.length) {
    const byte = json[at] ?? 0
    if (byte === quote) {
      at = stringEnd(json, at)
      continue
    }
    if (openers.has(byte)) depth += 1
    else if (closers.has(byte)) depth -= 1
    at += 1
    if (depth === 0) break
  }
  return at
}

function isValueEnd(byte: number): boolean {
  return byte === comma || byte <= space || closers.has(byte)
}

/** Behind the closing quote. Images are strings of megabytes, so the search is the native one. */
function stringEnd(json: Buffer, start: number): number {
  let from = start + 1
  for (;;) {
    const end = json.indexOf(quote, from)
    if (end < 0) return json.length
    let escapes = 0
    while (json[end - 1 - escapes] === backslash) escapes += 1
    if (escapes % 2 === 0) return end + 1
    from = end + 1
  }
}
