/** Writes numbers, small ones in one byte. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(4_096)
  #length = 0

  varint(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow()
    let rest = value
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  get length(): number {
    return this.#length
  }

  clear(): void {
    this.#length = 0
  }

  /** Appends what another one has written. */
  append(other: ByteWriter): void {
    while (this.#length + other.#length > this.#bytes.length) this.#grow()
    other.#bytes.copy(this.#bytes, this.#length, 0, other.#length)
    this.#length += other.#length
  }

  /** What was written since the last call. */
  take(): Buffer {
    const bytes = Buffer.from(this.#bytes.subarray(0, this.#length))
    this.clear()
    return bytes
  }

  #grow(): void {
    const larger = Buffer.allocUnsafe(this.#bytes.length * 2)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array
  place = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.place >= this.#bytes.length
  }

  varint(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.place++] ?? 0
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
  }
}
