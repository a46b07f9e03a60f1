import { crc32 } from 'node:zlib'

/**
 * The format of a record in a segment:
 *   u32 length of all after the checksum | u32 crc32 of the same | u8 type | 16 bytes id | JSON
 * Big endian. The first byte of the length is always 0, which JSON never contains, so the JSON inside a record cannot be
 * mistaken for another record.
 */
const headBytes = 8
const idBytes = 16
const minLength = 1 + idBytes
export const maxLength = 0xff_ffff

const maxJson = maxLength - minLength

/** Whether a record with this JSON can be written: asked before, so that no other record suffers from one that cannot. */
export const fits = (json: string): boolean =>
  json.length * 3 <= maxJson || Buffer.byteLength(json) <= maxJson

export const tooLong = (): Error => new RangeError('a journal record is too long')

export const recordTypes = { open: 1, settle: 2 } as const
export type RecordType = (typeof recordTypes)[keyof typeof recordTypes]

export interface Frame {
  type: RecordType
  /** The request's uuid, 32 hexadecimal digits. */
  id: string
  payload: Buffer
  /** Offset of the next record. */
  end: number
}

const initialBytes = 64 * 1024

/** Collects records for one write to the disk. */
export class FrameBuffer {
  #bytes = Buffer.allocUnsafe(initialBytes)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Valid until the next call. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Returns the size of the record in bytes. */
  add(type: RecordType, id: string, json: string): number {
    this.#bytes = ensureCapacity(this.#bytes, this.#length, headBytes + minLength + json.length * 3)
    const bytes = this.#bytes
    const start = this.#length
    const body = start + headBytes
    const length = minLength + bytes.write(json, body + minLength, 'utf8')
    if (length > maxLength) throw tooLong()
    bytes[body] = type
    bytes.write(id, body + 1, idBytes, 'hex')
    bytes.writeUInt32BE(length, start)
    bytes.writeUInt32BE(crc32(bytes.subarray(body, body + length)), start + 4)
    this.#length = body + length
    return headBytes + length
  }

  clear(): void {
    this.#length = 0
    // One very long record must not keep its memory for ever.
    if (this.#bytes.length > 16 * initialBytes) this.#bytes = Buffer.allocUnsafe(initialBytes)
  }
}

/** `short`: the bytes end before the record does. `damaged`: there is no valid record at this offset. */
export function readFrame(bytes: Buffer, at: number): Frame | 'short' | 'damaged' {
  if (at + headBytes > bytes.length) return 'short'
  const length = bytes.readUInt32BE(at)
  if (length < minLength || length > maxLength) return 'damaged'
  const start = at + headBytes
  const end = start + length
  if (end > bytes.length) return 'short'
  const type = bytes[start]
  if (type !== recordTypes.open && type !== recordTypes.settle) return 'damaged'
  if (crc32(bytes.subarray(start, end)) !== bytes.readUInt32BE(at + 4)) return 'damaged'
  const payload = bytes.subarray(start + minLength, end)
  return { type, id: bytes.toString('hex', start + 1, start + minLength), payload, end }
}

/** Offset of the next valid record after damage; undefined when there is none. */
export function nextFrameAfter(bytes: Buffer, damage: number): number | undefined {
  for (let at = bytes.indexOf(0, damage + 1); at !== -1; at = bytes.indexOf(0, at + 1)) {
    if (typeof readFrame(bytes, at) === 'object') return at
  }
  return undefined
}

/** The same bytes when they have room for `more` after those in use, otherwise a larger copy. */
export function ensureCapacity(bytes: Buffer<ArrayBuffer>, used: number, more: number): Buffer<ArrayBuffer> {
  const needed = used + more
  if (needed <= bytes.length) return bytes
  const larger = Buffer.allocUnsafe(needed * 2)
  bytes.copy(larger, 0, 0, used)
  return larger
}
