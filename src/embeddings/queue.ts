import type { BatchLimits } from './drivers/driver.ts'

export const lanes = ['interactive', 'background'] as const
export type Lane = (typeof lanes)[number]

/** One text on its way to the model. */
export interface Work {
  readonly text: string
  readonly bytes: number
  lane: Lane
  state: 'queued' | 'running' | 'over'
  settle(result: Float32Array | Error): void
}

export interface QueueOptions {
  limits: BatchLimits
  run(texts: readonly string[]): Promise<(Float32Array | Error)[]>
  maxTexts?: number
  maxBytes?: number
}

/**
 * Gathers the texts of all callers into batches. An idle model gets what is there at once; while it works the next
 * batch gathers. Interactive texts go first, and background ones may never fill more than half of the room.
 */
export class BatchQueue {
  readonly maxTexts: number
  readonly #maxBytes: number
  readonly #options: QueueOptions
  readonly #waiting: Record<Lane, Work[]> = { interactive: [], background: [] }
  readonly #counts: Record<Lane, number> = { interactive: 0, background: 0 }
  #bytes = 0
  #running = 0
  #isWoken = false

  constructor(options: QueueOptions) {
    this.#options = options
    this.maxTexts = options.maxTexts ?? 16_384
    this.#maxBytes = options.maxBytes ?? 134_217_728
  }

  get waiting(): Readonly<Record<Lane, number>> {
    return this.#counts
  }

  get running(): number {
    return this.#running
  }

  hasRoomFor(count: number, bytes: number, lane: Lane): boolean {
    const waiting = this.#counts.interactive + this.#counts.background
    const limit = lane === 'background' ? this.maxTexts / 2 : this.maxTexts
    return waiting + count <= limit && (this.#bytes + bytes <= this.#maxBytes || waiting === 0)
  }

  add(work: Work): void {
    this.#counts[work.lane] += 1
    this.#bytes += work.bytes
    this.#waiting[work.lane].push(work)
    this.#wake()
  }

  /** An interactive caller waits for the same text. */
  hurry(work: Work): void {
    if (work.state !== 'queued' || work.lane === 'interactive') return
    this.#counts.background -= 1
    this.#counts.interactive += 1
    work.lane = 'interactive'
    this.#waiting.interactive.push(work)
  }

  /** Nobody wants it any more; it is passed over when its turn comes. */
  drop(work: Work): void {
    if (work.state !== 'queued') return
    work.state = 'over'
    this.#leave(work)
  }

  #leave(work: Work): void {
    this.#counts[work.lane] -= 1
    this.#bytes -= work.bytes
  }

  /** At the end of this turn of the event loop, so that all texts of one call come along. */
  #wake(): void {
    if (this.#isWoken) return
    this.#isWoken = true
    setImmediate(() => {
      this.#isWoken = false
      while (this.#running < this.#options.limits.concurrency) {
        const batch = this.#take()
        if (batch.length === 0) return
        void this.#run(batch)
      }
    })
  }

  #take(): Work[] {
    for (const lane of lanes) {
      const batch = this.#takeFrom(lane)
      if (batch.length > 0) return batch
    }
    return []
  }

  #takeFrom(lane: Lane): Work[] {
    const { texts, bytes } = this.#options.limits
    const waiting = this.#waiting[lane]
    const batch: Work[] = []
    let size = 0
    let taken = 0
    for (const work of waiting) {
      const isHere = work.state === 'queued' && work.lane === lane
      if (isHere && batch.length > 0 && (batch.length >= texts || size + work.bytes > bytes)) break
      taken += 1
      if (!isHere) continue
      batch.push(work)
      size += work.bytes
    }
    waiting.splice(0, taken)
    for (const work of batch) {
      work.state = 'running'
      this.#leave(work)
    }
    return batch
  }

  async #run(batch: readonly Work[]): Promise<void> {
    this.#running += 1
    const results = await this.#options.run(batch.map(({ text }) => text))
    this.#running -= 1
    batch.forEach((work, index) => {
      work.state = 'over'
      work.settle(results[index] ?? new Error('The model returned no vector for a text.'))
    })
    this.#wake()
  }
}
