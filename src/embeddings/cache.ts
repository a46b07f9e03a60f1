import { dimensions } from './embedder.ts'

/** Blocks are allocated once and reused, so that the garbage collector has nothing to do. */
const vectorsInBlock = 256
/** A vector, its key and the entry of the map. */
const bytesEach = dimensions * 4 + 200

/** The most recently used vectors, up to `maxBytes`. */
export class VectorCache {
  readonly maxBytes: number
  readonly #maxCount: number
  readonly #blocks: Float32Array[] = []
  /** Where each vector lies; in the order of use. */
  readonly #places = new Map<string, number>()
  hits = 0
  misses = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
    this.#maxCount = Math.floor(maxBytes / bytesEach)
  }

  get(key: string): Float32Array | undefined {
    const place = this.#places.get(key)
    if (place === undefined) {
      this.misses += 1
      return undefined
    }
    this.hits += 1
    // The map keeps the order of insertion: the last used one goes to the end.
    this.#places.delete(key)
    this.#places.set(key, place)
    return this.#at(place).slice()
  }

  set(key: string, vector: Float32Array): void {
    if (this.#maxCount === 0 || this.#places.has(key)) return
    const place = this.#places.size < this.#maxCount ? this.#places.size : this.#freeOldest()
    this.#at(place).set(vector)
    this.#places.set(key, place)
  }

  #freeOldest(): number {
    for (const [key, place] of this.#places) {
      this.#places.delete(key)
      return place
    }
    return 0
  }

  #at(place: number): Float32Array {
    const block = (this.#blocks[Math.floor(place / vectorsInBlock)] ??= new Float32Array(
      vectorsInBlock * dimensions,
    ))
    const from = (place % vectorsInBlock) * dimensions
    return block.subarray(from, from + dimensions)
  }

  get count(): number {
    return this.#places.size
  }

  get bytes(): number {
    return this.#places.size * bytesEach
  }
}
