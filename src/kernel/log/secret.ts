import { inspect } from 'node:util'
import { mask } from '#kernel/mask'

const hidden = '[secret]'

/** A value that cannot be printed, serialised or concatenated by accident; only `reveal()` returns it. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  get suffix(): string {
    return this.#value.slice(-4)
  }

  toString(): string {
    return hidden
  }

  toJSON(): string {
    return hidden
  }

  [Symbol.toPrimitive](): string {
    return hidden
  }

  [inspect.custom](): string {
    return hidden
  }
}

const hiddenKey = '[key]'
/** A quoted key may be cut off at either end; it is replaced too if at least this many characters are left. */
const headLength = 24
/** A pattern for more characters would take long to compile; longer keys are found whole or by their head. */
const longestPattern = 512
/** Shorter ones are mostly placeholders such as `localhost`, which a model may write: its text stays as it is. */
const shortestInGoodResponses = 16

/** Replaces one known key in what its server sends back, and in its errors whatever else looks like a secret. */
export interface KeyMask {
  /** For errors: in every encoding in which servers quote keys: escapes of addresses, JSON and HTML, base64 at any offset, hexadecimal. */
  text(text: string): string
  /**
   * Only the key as it is, and only one that no model writes by chance: cheap enough for every piece of every response.
   * Returns the same object if it is not there.
   */
  plainText(text: string): string
  plainBytes<T extends Uint8Array>(bytes: T): T | Buffer
}

const masks = new WeakMap<Secret, KeyMask>()

/** Made once per key, because every request needs it. */
export function maskFor(secret: Secret): KeyMask {
  let found = masks.get(secret)
  if (!found) masks.set(secret, (found = createKeyMask(secret.reveal())))
  return found
}

function createKeyMask(key: string): KeyMask {
  const keyBytes = Buffer.from(key)
  const isLong = key.length >= shortestInGoodResponses
  let encoded: RegExp | undefined
  let hexadecimal: RegExp | undefined

  return {
    text(text) {
      encoded ??= new RegExp([quoted(key), ...base64Of(key)].join('|'), 'g')
      hexadecimal ??= new RegExp(`${headOf(keyBytes).toString('hex')}[0-9a-f]*`, 'gi')
      return mask(text.replaceAll(key, hiddenKey).replace(encoded, hiddenKey).replace(hexadecimal, hiddenKey))
    },
    plainText: (text) => (isLong && text.includes(key) ? text.replaceAll(key, hiddenKey) : text),
    plainBytes(bytes) {
      if (!isLong) return bytes
      const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (!view.includes(keyBytes)) return bytes
      // One character per byte, so that bytes which are no UTF-8 stay as they are.
      const text = view.toString('latin1').replaceAll(keyBytes.toString('latin1'), hiddenKey)
      return Buffer.from(text, 'latin1')
    },
  }
}

function headOf<T extends string | Buffer>(key: T): T {
  return (typeof key === 'string' ? key.slice(0, headLength) : key.subarray(0, headLength)) as T
}

/** The whole key, its head with whatever belongs to the same word, or its tail: what remains before that is useless. */
function quoted(key: string): string {
  const pattern = (part: string): string => Array.from(part, characterPattern).join('')
  const whole = key.length > longestPattern ? '' : `${pattern(key)}|`
  return `${whole}${pattern(headOf(key))}(?:&#?\\w{1,8};|[^\\s"'<>,;])*|${pattern(key.slice(-headLength))}`
}

/**
 * A character as it is, with the escapes of some layers of JSON, percent-encoded several times, or as a numeric
 * reference of HTML. The numbers of layers are limited, so that the time is linear whatever a server sends.
 */
function characterPattern(character: string): string {
  const code = character.charCodeAt(0)
  if (code > 0x7f) return `(?:${character}|${encodeURIComponent(character.toWellFormed())})`
  const hex = anyCase(hexOf(code))
  const name = htmlNames[character]
  const named = name === undefined ? '' : `|&(?:amp;){0,3}${name};`
  const entity = `&(?:amp;){0,3}#(?:0{0,5}${code}|[xX]0{0,5}${hex});?${named}`
  return `(?:\\\\{0,7}\\x${hexOf(code)}|%(?:25){0,4}${hex}|\\\\{1,7}u00${hex}|${entity})`
}

const htmlNames: Readonly<Record<string, string>> = {
  '&': 'amp',
  '"': 'quot',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
}
const hexOf = (code: number): string => code.toString(16).padStart(2, '0')
const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** What is in front of the key shifts its base64, so there are three patterns; each covers what the key alone decides. */
function base64Of(key: string): string[] {
  const head = headOf(Buffer.from(key))
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), head]).toString('base64')
    const first = Math.ceil((offset * 8) / 6)
    const last = Math.floor(((offset + head.length) * 8) / 6)
    const pattern = Array.from(text.slice(first, last), base64Pattern).join('')
    return `${pattern}[\\w+/=%\\\\-]*`
  })
}

function base64Pattern(character: string): string {
  if (character === '+') return '(?:[+-]|%2[bB])'
  if (character === '/') return '(?:\\\\{0,7}/|_|%2[fF])'
  return character
}
