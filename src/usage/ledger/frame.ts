import { crc32 } from 'node:zlib'
import { withRoom } from './room.ts'

/**
 * A record as it stands in a segment:
 *   u32 length of all after the checksum | u32 crc32 of the same | u8 type | 16 bytes id | JSON
 * Big endian. The length's first byte is always 0, which JSON text never holds, so that a record cannot be mistaken
 * for the text inside another.
 */
const headBytes = 8
const idBytes = 16
const leastLength = 1 + idBytes
export const mostLength = 0xff_ffff

export const recordTypes = { open: 1, settle: 2 } as const
export type RecordType = (typeof recordTypes)[keyof typeof recordTypes]

export interface Frame {
  type: RecordType
  /** The request's uuid, 32 hexadecimal digits. */
  id: string
  payload: Buffer
  /** Where the next one begins. */
  end: number
}

const usualBytes = 64 * 1024

/** Records on their way to the disk, gathered for one write. */
export class FrameBuffer {
  #bytes = Buffer.allocUnsafe(usualBytes)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Good until the next change. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** How many bytes it takes. */
  add(type: RecordType, id: string, json: string): number {
    this.#bytes = withRoom(this.#bytes, this.#length, headBytes + leastLength + json.length * 3)
    const bytes = this.#bytes
    const start = this.#length
    const body = start + headBytes
    const length = leastLength + bytes.write(json, body + leastLength, 'utf8')
    if (length > mostLength) throw new RangeError(`a journal record of ${length} bytes is too long`)
    bytes[body] = type
    bytes.write(id, body + 1, idBytes, 'hex')
    bytes.writeUInt32BE(length, start)
    bytes.writeUInt32BE(crc32(bytes.subarray(body, body + length)), start + 4)
    this.#length = body + length
    return headBytes + length
  }

  clear(): void {
    this.#length = 0
    // One very long record should not be paid for ever after.
    if (this.#bytes.length > 16 * usualBytes) this.#bytes = Buffer.allocUnsafe(usualBytes)
  }
}

/** `short`: the bytes end before the record does. `damaged`: what stands there is no record. */
export function readFrame(bytes: Buffer, at: number): Frame | 'short' | 'damaged' {
  if (at + headBytes > bytes.length) return 'short'
  const length = bytes.readUInt32BE(at)
  if (length < leastLength || length > mostLength) return 'damaged'
  const start = at + headBytes
  const end = start + length
  if (end > bytes.length) return 'short'
  const type = bytes[start]
  if (type !== recordTypes.open && type !== recordTypes.settle) return 'damaged'
  if (crc32(bytes.subarray(start, end)) !== bytes.readUInt32BE(at + 4)) return 'damaged'
  const payload = bytes.subarray(start + leastLength, end)
  return { type, id: bytes.toString('hex', start + 1, start + leastLength), payload, end }
}

/** Where the next whole record begins after damage; undefined when there is none. */
export function nextFrameAfter(bytes: Buffer, damage: number): number | undefined {
  for (let at = bytes.indexOf(0, damage + 1); at !== -1; at = bytes.indexOf(0, at + 1)) {
    if (typeof readFrame(bytes, at) === 'object') return at
  }
  return undefined
}
