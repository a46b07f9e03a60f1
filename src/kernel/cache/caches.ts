import { LRUCache } from 'lru-cache'
import { register, type CacheCounts } from './statistics.ts'

/** How large values may be together, by a measure such as bytes. */
interface SizeLimit<V> {
  maxSize: number
  /** At least 1. */
  sizeOf(value: V): number
}

/** Each value has the size 1: so the index grows with what is kept. The option `max` would allocate all of it at once. */
const atMost = (max: number) => ({ maxSize: max, sizeCalculation: () => 1 })

/** Keeps up to `max` values; the least recently used one is dropped first. One larger than all may be is not kept. */
export class BoundedCache<K extends string | number, V extends object | string> {
  readonly #entries: LRUCache<K, V>
  readonly #counts: CacheCounts

  constructor(name: string, max: number, limit?: SizeLimit<V>) {
    this.#entries = new LRUCache<K, V>(
      limit ? { max, maxSize: limit.maxSize, sizeCalculation: limit.sizeOf } : atMost(max),
    )
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

  delete(key: K): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  get size(): number {
    return this.#entries.size
  }
}

export interface ReadCacheOptions<V> {
  /** Its label in the metrics. */
  name: string
  /** Values kept; the least recently used one is dropped first. */
  max: number
  /** Keys without a value are kept apart, so that they never push out a value. */
  maxMissing?: number
  read(key: string): Promise<V | undefined>
  /** Whether an error of `read` means that the source is unavailable. */
  isOutage(error: unknown): boolean
  /** What callers get during an outage when no value is known. */
  unavailable(cause: unknown): Error
}

interface Entry<V> {
  readonly value: V
  generation: number
  /** From then on the next use reads it again, without waiting for the result. */
  refreshAt: number
  /** From then on the next use waits for a new read. */
  goodUntil: number
}

interface Reading<V> {
  generation: number
  value: Promise<V | undefined>
}

/**
 * A change is normally announced. These limits hold where the announcement gets lost: what is in use is read again
 * after `refreshMs`, and nothing older than `maxAgeMs` is used while the source can be read.
 */
const refreshMs = 5_000
const maxAgeMs = 10_000
/** After a read that failed. */
const retryMs = 1_000
const defaultMaxMissing = 1_000

/**
 * Values read from the database and kept in memory. A hit is synchronous. `invalidate` makes every value be read
 * again on its next use, and no value is kept for longer than ten seconds. During an outage known values stay good.
 */
export class ReadCache<V extends object | string> {
  readonly #options: ReadCacheOptions<V>
  readonly #entries: LRUCache<string, Entry<V>>
  /** The generation in which a key was last found to have no value. */
  readonly #missing: LRUCache<string, number>
  readonly #reading = new Map<string, Reading<V>>()
  readonly #counts: CacheCounts
  #generation = 0

  constructor(options: ReadCacheOptions<V>) {
    this.#options = options
    this.#entries = new LRUCache(atMost(options.max))
    this.#missing = new LRUCache(atMost(options.maxMissing ?? defaultMaxMissing))
    this.#counts = register(options.name, this)
  }

  /** Undefined: the key has no value. A promise only where the source has to be asked. */
  get(key: string): V | undefined | Promise<V | undefined> {
    const entry = this.#entries.get(key)
    if (entry ? this.#isGood(key, entry) : this.#missing.get(key) === this.#generation) {
      this.#counts.hits += 1
      return entry?.value
    }
    this.#counts.misses += 1
    const reading = this.#reading.get(key)
    // A read that began before the last change may return what was there before it.
    return reading?.generation === this.#generation ? reading.value : this.#read(key)
  }

  /** Whether it has been a value, or is known to have none now: all others are new to this process. */
  knows(key: string): boolean {
    return this.#entries.has(key) || this.#missing.peek(key) === this.#generation
  }

  /** Something changed at the source. Reads under way are neither joined any more nor kept as current. */
  invalidate(): void {
    this.#generation += 1
  }

  get size(): number {
    return this.#entries.size + this.#missing.size
  }

  #isGood(key: string, entry: Entry<V>): boolean {
    const now = performance.now()
    if (entry.generation !== this.#generation || now >= entry.goodUntil) return false
    // Callers that wait for this read get its error; here the known value is good for now.
    if (now >= entry.refreshAt && !this.#reading.has(key)) this.#read(key).catch(() => undefined)
    return true
  }

  #read(key: string): Promise<V | undefined> {
    const generation = this.#generation
    const value = this.#options
      .read(key)
      .then(
        (found) => this.#keep(key, found, generation),
        (error: unknown) => this.#keepOld(key, error, generation),
      )
      .finally(() => {
        if (this.#reading.get(key)?.value === value) this.#reading.delete(key)
      })
    this.#reading.set(key, { generation, value })
    return value
  }

  #keep(key: string, value: V | undefined, generation: number): V | undefined {
    const known = this.#entries.peek(key)?.generation ?? this.#missing.peek(key) ?? -1
    // A read that began later has finished first: what it found is newer.
    if (known > generation) return value
    if (value === undefined) {
      this.#entries.delete(key)
      this.#missing.set(key, generation)
    } else {
      this.#missing.delete(key)
      this.#entries.set(key, { value, generation, ...lifetime(refreshMs) })
    }
    return value
  }

  #keepOld(key: string, error: unknown, generation: number): V {
    const entry = this.#entries.peek(key)
    if (!this.#options.isOutage(error)) {
      if (entry) entry.refreshAt = lifetime(retryMs).refreshAt
      throw error
    }
    // That a key had no value before the outage is no reason to refuse it now.
    if (!entry) throw this.#options.unavailable(error)
    Object.assign(entry, lifetime(retryMs), { generation: Math.max(entry.generation, generation) })
    return entry.value
  }
}

function lifetime(nextReadMs: number): { refreshAt: number; goodUntil: number } {
  // The clock of the machine may be set back, and a value must not live longer for it.
  const now = performance.now()
  return { refreshAt: now + nextReadMs, goodUntil: now + maxAgeMs }
}
