import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { allocate } from '#kernel/http'
import { toJson } from './request-json.ts'
import { isObject } from './json.ts'

/** From this size of the client's request on, the upstream request is written in steps. */
const largeRequest = 128 * 1024
const longString = 16 * 1024
const pieceLength = 256 * 1024
/** After so long a part of a request, other requests are served. */
const stepMs = 4

/** Stands for a long string while the rest is written; nobody outside this process can know it. */
const placeholder = randomBytes(16).toString('hex')

/** JSON that would hold the event loop if it were written at once. */
export class LargeJson {
  readonly #value: unknown
  readonly #size: number

  constructor(value: unknown, size: number) {
    this.#value = value
    this.#size = size
  }

  /** The same bytes as those of JSON.stringify. */
  async write(): Promise<Buffer> {
    const texts: string[] = []
    const outline = toJson(withoutTexts(this.#value, texts))
    const out = new GrowingText(this.#size + outline.length)
    let began = performance.now()
    for (const [index, part] of outline.split(placeholder).entries()) {
      out.add(part)
      for (const piece of piecesOf(texts[index] ?? '')) {
        // Without the quotes, which are in the outline.
        out.add(JSON.stringify(piece).slice(1, -1))
        if (performance.now() - began < stepMs) continue
        await nextTurn()
        began = performance.now()
      }
    }
    return out.end()
  }
}

export interface RequestContent {
  body: string
  largeBody?: LargeJson
}

/** The body of an upstream request that was translated from the client's. */
export function contentOf(value: unknown, { raw }: { raw: Uint8Array }): RequestContent {
  return raw.length > largeRequest
    ? { body: '', largeBody: new LargeJson(value, raw.length) }
    : { body: toJson(value) }
}

/** A copy in which placeholders stand for the long strings, which are added to the array in their order. */
function withoutTexts(value: unknown, texts: string[]): unknown {
  if (typeof value === 'string' && value.length > longString) {
    texts.push(value)
    return placeholder
  }
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, texts))
  if (!isObject(value)) return value
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const member = withoutTexts(value[key], texts)
    if (key === '__proto__') Object.defineProperty(copy, key, { value: member, enumerable: true })
    else copy[key] = member
  }
  return copy
}

/** A pair of surrogates is not cut: each half alone would be escaped. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + pieceLength, text.length)
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to -= 1
    yield text.slice(from, to)
    from = to
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00

class GrowingText {
  #bytes: Buffer
  #length = 0

  constructor(capacity: number) {
    this.#bytes = allocate(capacity)
  }

  add(text: string): void {
    const length = this.#length + Buffer.byteLength(text)
    if (length > this.#bytes.length) {
      const grown = allocate(2 * length)
      this.#bytes.copy(grown, 0, 0, this.#length)
      this.#bytes = grown
    }
    this.#length += this.#bytes.write(text, this.#length)
  }

  end(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
