import { LRUCache } from 'lru-cache'
import { register, type CacheCounts } from './statistics.ts'

/** How large values may be together, by a measure such as bytes. */
interface SizeLimit<V> {
  maxSize: number
  /** At least 1. */
  sizeOf(value: V): number
}

/** Keeps up to `max` values; the least recently used one is dropped first. One larger than all may be is not kept. */
export class BoundedCache<K extends string | number, V extends object | string> {
  readonly #entries: LRUCache<K, V>
  readonly #counts: CacheCounts

  constructor(name: string, max: number, limit?: SizeLimit<V>) {
    this.#entries = new LRUCache<K, V>({
      max,
      ...(limit && { maxSize: limit.maxSize, sizeCalculation: limit.sizeOf }),
    })
    this.#counts = register(name, this)
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) this.#counts.misses += 1
    else this.#counts.hits += 1
    return value
  }

  set(key: K, value: V): void {
    this.#entries.set(key, value)
  }

  clear(): void {
    this.#entries.clear()
  }

  get size(): number {
    return this.#entries.size
  }
}
