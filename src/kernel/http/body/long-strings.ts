import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalid } from '#kernel/errors'
import { isEscaped, type JsonScan, type StringRange } from './json-scan.ts'
import { decodePiece, decodeText, parseText } from './read-json.ts'

const colon = 0x3a
const backslash = 0x5c
const letterU = 0x75
const pieceBytes = 256 * 1024
/** After so long a part of a body, other requests are served. */
const stepMs = 4

/** Stands for a long string while the rest is parsed; nobody outside this process can know it. */
const placeholder = randomBytes(16).toString('hex')

/**
 * The same as JSON.parse, in steps that do not hold the event loop: what surrounds long strings is parsed at once, and
 * they are parsed piece by piece. A body that holds no long string takes one step.
 */
export async function parseInSteps(bytes: Buffer, { longStrings }: JsonScan): Promise<unknown> {
  const ranges = longStrings.filter(({ end }) => !isName(bytes, end))
  if (ranges.length === 0) return parseText(decodeText(bytes))
  const outline = parseOutline(bytes, ranges)
  const texts = new Map<string, string>()
  const began = { at: performance.now() }
  for (const [index, range] of ranges.entries()) {
    texts.set(placeholder + String(index), await parseString(bytes, range, began))
  }
  return fillIn(outline, texts)
}

/** Names of members stay where they are. */
function isName(bytes: Buffer, end: number): boolean {
  let next = end + 1
  while (isSpace(bytes[next])) next += 1
  return bytes[next] === colon
}

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function parseOutline(bytes: Buffer, ranges: readonly StringRange[]): unknown {
  const parts: Buffer[] = []
  let from = 0
  for (const [index, { start, end }] of ranges.entries()) {
    parts.push(bytes.subarray(from, start), Buffer.from(placeholder + String(index)))
    from = end
  }
  const text = decodeText(Buffer.concat([...parts, bytes.subarray(from)]))
  try {
    return JSON.parse(text)
  } catch {
    // What the parser says names places and text of the outline.
    throw invalid('The body is not valid JSON.')
  }
}

async function parseString(
  bytes: Buffer,
  { start, end }: StringRange,
  began: { at: number },
): Promise<string> {
  let text = ''
  for (let from = start; from < end;) {
    const to = from + pieceBytes < end ? cutBefore(bytes, from + pieceBytes, from) : end
    text += parseText(`"${decodePiece(bytes.subarray(from, to))}"`) as string
    from = to
    if (performance.now() - began.at > stepMs) {
      await nextTurn()
      began.at = performance.now()
    }
  }
  return text
}

/** The last place up to `at` that is not inside a character or an escape; `from` is such a place too. */
function cutBefore(bytes: Buffer, at: number, from: number): number {
  let cut = at
  while (((bytes[cut] ?? 0) & 0xc0) === 0x80 && at - cut < 3) cut -= 1
  if (isEscaped(bytes, cut, from)) return cut - 1
  for (let before = cut - 5; before < cut - 1; before += 1)
    if (bytes[before] === backslash && bytes[before + 1] === letterU && !isEscaped(bytes, before, from))
      return before
  return cut
}

/** Puts the long strings where their placeholders are. */
function fillIn(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return texts.get(value) ?? value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = fillIn(value[index], texts)
  } else if (typeof value === 'object' && value !== null) {
    const holder = value as Record<string, unknown>
    for (const key of Object.keys(holder)) holder[key] = fillIn(holder[key], texts)
  }
  return value
}
