/** Around each vector: its key, the entry of the map, the typed array's own head. */
const overheadBytes = 400

/** The vectors used last, up to so many bytes. */
export class VectorCache {
  readonly mostBytes: number
  readonly #vectors = new Map<string, Float32Array>()
  #bytes = 0
  hits = 0
  misses = 0

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes
  }

  get(key: string): Float32Array | undefined {
    const vector = this.#vectors.get(key)
    if (vector === undefined) {
      this.misses += 1
      return undefined
    }
    this.hits += 1
    // The map keeps the order of insertion: the last used one goes to the end.
    this.#vectors.delete(key)
    this.#vectors.set(key, vector)
    return vector
  }

  set(key: string, vector: Float32Array): void {
    const size = vector.byteLength + overheadBytes
    if (size > this.mostBytes || this.#vectors.has(key)) return
    this.#vectors.set(key, vector)
    this.#bytes += size
    for (const [oldest, dropped] of this.#vectors) {
      if (this.#bytes <= this.mostBytes) break
      this.#vectors.delete(oldest)
      this.#bytes -= dropped.byteLength + overheadBytes
    }
  }

  get count(): number {
    return this.#vectors.size
  }

  get bytes(): number {
    return this.#bytes
  }
}
