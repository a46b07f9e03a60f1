import { invalid, invalidField } from '#kernel/errors'
import { readPartHead, type PartHead } from './part-head.ts'

/**
 * What a form consists of, in order. The bytes of all segments together, values included, are the bytes that went
 * in; a field's value comes whole, so that it can be replaced.
 */
export type Segment =
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'field'; name: string; value: Buffer }
  /** A file begins; its content follows as bytes. */
  | { kind: 'file'; name: string; filename: string }

const maxFieldBytes = 64 * 1024
const maxHeadBytes = 16 * 1024
const maxParts = 100
const carriage = 0x0d
const nothing = Buffer.alloc(0)
const lineEnd = Buffer.from('\r\n')

/** Reads a multipart form as it passes, whatever the boundaries of the pieces, and keeps no file content. */
export class MultipartScanner {
  readonly #marker: Buffer
  #state: 'start' | 'head' | 'content' | 'over' = 'start'
  // The first boundary has no line before it; with this in front it looks like the others.
  #held: Buffer = lineEnd
  #addedBytes = lineEnd.length
  #part: PartHead = { name: '', filename: undefined }
  #value: Buffer[] = []
  #valueBytes = 0
  #parts = 0
  #found: Segment[] = []

  constructor(boundary: string) {
    this.#marker = Buffer.from(`\r\n--${boundary}`, 'latin1')
  }

  /** The last piece ended inside the content of a file. */
  get isInFile(): boolean {
    return this.#state === 'content' && this.#part.filename !== undefined
  }

  push(piece: Buffer): Segment[] {
    let rest = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece])
    this.#found = []
    for (let isStuck = false; !isStuck && rest.length > 0;) {
      const [state, length] = [this.#state, rest.length]
      rest = this.#step(rest)
      isStuck = this.#state === state && rest.length === length
    }
    this.#held = rest
    return this.#found
  }

  /** The body has ended. */
  finish(): void {
    if (this.#state === 'over') return
    throw invalid('The form is cut off: its closing boundary never came.')
  }

  /** Reads what it can from the front and returns what must wait for more. */
  #step(bytes: Buffer): Buffer {
    if (this.#state === 'start') return this.#start(bytes)
    if (this.#state === 'head') return this.#head(bytes)
    if (this.#state === 'content') return this.#content(bytes)
    // Whatever a reader might take for another part must not slip through unseen.
    if (bytes.some((byte) => byte !== carriage && byte !== 0x0a))
      throw invalid('The form continues after its closing boundary.')
    this.#pass(bytes)
    return nothing
  }

  #start(bytes: Buffer): Buffer {
    const at = bytes.indexOf(this.#marker)
    if (at > lineEnd.length || (at < 0 && bytes.length >= this.#marker.length + lineEnd.length))
      throw invalid('The form does not begin with the boundary that its content type names.')
    if (at < 0) return bytes
    this.#pass(bytes.subarray(0, at))
    this.#state = 'head'
    return bytes.subarray(at)
  }

  /** From the boundary to the blank line after the headers of a part. */
  #head(bytes: Buffer): Buffer {
    const start = this.#marker.length
    if (bytes.length < start + 2) return bytes
    if (bytes.toString('latin1', start, start + 2) === '--') {
      this.#pass(bytes.subarray(0, start + 2))
      this.#state = 'over'
      return bytes.subarray(start + 2)
    }
    const end = bytes.indexOf('\r\n\r\n', start)
    if (end > maxHeadBytes || (end < 0 && bytes.length > maxHeadBytes))
      throw invalid('The headers of a part of the form are too large.')
    if (end < 0) return bytes
    const [padding = '', ...lines] = bytes.toString('utf8', start, end).split('\r\n')
    if (padding.trim() !== '') throw invalid('A boundary line of the form is damaged.')
    this.#open(readPartHead(lines.join('\r\n')))
    this.#pass(bytes.subarray(0, end + 4))
    return bytes.subarray(end + 4)
  }

  #open(part: PartHead): void {
    this.#parts++
    if (this.#parts > maxParts) throw invalid(`The form has more than ${maxParts} parts.`)
    this.#part = part
    this.#state = 'content'
    if (part.filename !== undefined)
      this.#found.push({ kind: 'file', name: part.name, filename: part.filename })
  }

  #content(bytes: Buffer): Buffer {
    const at = bytes.indexOf(this.#marker)
    if (at < 0) {
      const safe = this.#possibleMarker(bytes)
      this.#keep(bytes.subarray(0, safe))
      return bytes.subarray(safe)
    }
    this.#keep(bytes.subarray(0, at))
    if (this.#part.filename === undefined) {
      this.#found.push({ kind: 'field', name: this.#part.name, value: Buffer.concat(this.#value) })
      this.#value = []
      this.#valueBytes = 0
    }
    this.#state = 'head'
    return bytes.subarray(at)
  }

  /** The position where a boundary may start at the end; usually none, so that nothing has to be copied. */
  #possibleMarker(bytes: Buffer): number {
    let at = bytes.indexOf(carriage, Math.max(0, bytes.length - this.#marker.length + 1))
    while (at >= 0 && !this.#marker.subarray(0, bytes.length - at).equals(bytes.subarray(at)))
      at = bytes.indexOf(carriage, at + 1)
    return at < 0 ? bytes.length : at
  }

  #keep(bytes: Buffer): void {
    if (this.#part.filename !== undefined) return this.#pass(bytes)
    this.#valueBytes += bytes.length
    if (this.#valueBytes > maxFieldBytes) {
      const name = this.#part.name.slice(0, 100)
      throw invalidField(name, 'is larger than 64 KiB')
    }
    this.#value.push(bytes)
  }

  #pass(bytes: Buffer): void {
    const own = bytes.subarray(Math.min(this.#addedBytes, bytes.length))
    this.#addedBytes -= bytes.length - own.length
    if (own.length > 0) this.#found.push({ kind: 'bytes', bytes: own })
  }
}
