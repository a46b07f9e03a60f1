import { invalid } from '#kernel/errors'

/** Reads the wire format of Protocol Buffers, as far as log messages use it. */

export interface Field {
  number: number
  /** 64-bit values; also those of 32 bits. */
  integer: bigint
  /** Strings, bytes and messages; empty for the others. */
  bytes: Buffer
}

const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const

const malformed = () => invalid('The body is not a valid Protocol Buffers message.')

/** How many fields a whole request may still have. */
export interface FieldCount {
  left: number
}

/** The fields of a message, in the order in which they come. */
export function* fieldsOf(message: Buffer, count: FieldCount): Generator<Field> {
  const reader = new Reader(message)
  while (!reader.isAtEnd) {
    if (count.left-- === 0) throw invalid('The body has too many fields. Send it in several requests.')
    const tag = Number(reader.varint())
    const number = tag >>> 3
    if (number === 0) throw malformed()
    yield { number, ...readValue(reader, tag & 7) }
  }
}

const nothing = Buffer.alloc(0)

function readValue(reader: Reader, type: number): Omit<Field, 'number'> {
  switch (type) {
    case wire.varint:
      return { integer: reader.varint(), bytes: nothing }
    case wire.fixed64:
      return { integer: reader.take(8).readBigUInt64LE(), bytes: nothing }
    case wire.fixed32:
      return { integer: BigInt(reader.take(4).readUInt32LE()), bytes: nothing }
    case wire.bytes:
      return { integer: 0n, bytes: reader.take(Number(reader.varint())) }
    default:
      throw malformed()
  }
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw malformed()
    return this.#bytes.subarray(this.#at, (this.#at += length))
  }

  varint(): bigint {
    // Most are one byte: tags, lengths of short texts.
    const first = this.#bytes[this.#at]
    if (first !== undefined && first < 0x80) {
      this.#at += 1
      return BigInt(first)
    }
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw malformed()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw malformed()
  }
}
