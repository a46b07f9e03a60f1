import { invalid, invalidField, type Fault } from '#kernel/errors'
import { maxDepth, scanJson, startScan, tooDeep } from './json-scan.ts'

/**
 * Bodies above this size are counted, scanned while they arrive, and parsed one at a time. Below it even the slowest
 * JSON is parsed in some tens of milliseconds.
 */
export const largeBody = 128 * 1024

const parsed = new WeakMap<Uint8Array, unknown>()

/** Remembers what a large body holds; it was parsed when it had its turn. */
export function markParsed(bytes: Uint8Array, value: unknown): void {
  parsed.set(bytes, value)
}

/**
 * Parses a body, once. What is nested too deeply for code that recurses, or would take far more time and memory than
 * its size suggests, returns 400.
 */
export function readJson(bytes: Uint8Array): unknown {
  const isLarge = bytes.length > largeBody
  if (isLarge && parsed.has(bytes)) {
    const value = parsed.get(bytes)
    // The caller has it now, and may change it.
    parsed.delete(bytes)
    return value
  }
  if (isLarge) scanJson(bytes, startScan(), bytes.length)
  const value = parseText(decodeText(bytes))
  // Cheaper than a scan of the bytes: most of them are text.
  if (!isLarge) checkDepth(value)
  return value
}

const bodyDecoder = new TextDecoder('utf-8', { fatal: true })
/** Inside a text U+FEFF is a character; at the beginning of a body it is a mark and left out. */
const pieceDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const decodeText = (bytes: Uint8Array): string => decodeBy(bodyDecoder, bytes)
export const decodePiece = (bytes: Uint8Array): string => decodeBy(pieceDecoder, bytes)

/** A body must be valid UTF-8: replacement characters would silently change what was sent. */
function decodeBy(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

export function parseText(text: string): unknown {
  if (text === '') throw invalid('The body is empty. Send a JSON value.')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(`The body is not valid JSON: ${(error as Error).message.replace(/\.$/, '')}.`)
  }
}

/** Refuses a parsed value that is nested too deeply. */
function checkDepth(value: unknown, level = 1): void {
  if (typeof value !== 'object' || value === null) return
  if (level > maxDepth) throw tooDeep()
  if (Array.isArray(value)) {
    for (const item of value) checkDepth(item, level + 1)
  } else {
    for (const key in value) checkDepth((value as Record<string, unknown>)[key], level + 1)
  }
}

/** Lists show names in one line, and beside other names. What is deeper in a body may be data of somebody else. */
const namePath = /^(\d+\.)?([^.]+_)?name$/
const controlCharacter = /\p{Cc}/u
/** Turn around how the text after them is read, so that a name looks like another one. */
const directionOverride = /[\u202a-\u202e\u2066-\u2069]/

/**
 * No text with a NUL or half a surrogate pair can be stored or sent on, wherever in a request it is, and no member may
 * change the prototype of the object it ends up in. A name is one line of what people see. The value must not be nested
 * deeper than code can recurse.
 */
export function checkText(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    const reason = whyNotText(value) ?? (namePath.test(path) ? whyNotName(value) : undefined)
    if (reason) throw refusal(path, reason)
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkText(item, join(path, String(index)))
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (isForbidden(name, member)) throw refusal(path, 'has a member with a name that is not allowed')
      checkText(member, join(path, name))
    }
  }
}

function isForbidden(key: string, member: unknown): boolean {
  if (key === '__proto__' || whyNotText(key) !== undefined) return true
  return key === 'constructor' && typeof member === 'object' && member !== null && 'prototype' in member
}

function whyNotText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain NUL characters'
  return text.isWellFormed() ? undefined : 'must be valid Unicode: it contains half of a surrogate pair'
}

function whyNotName(text: string): string | undefined {
  if (controlCharacter.test(text)) return 'must not contain control characters'
  return directionOverride.test(text)
    ? 'must not contain characters that change the direction of text'
    : undefined
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

const refusal = (path: string, reason: string): Fault =>
  path === '' ? invalid(`The body ${reason}.`) : invalidField(path.slice(0, 200), reason)
