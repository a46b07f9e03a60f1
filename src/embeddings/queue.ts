import type { BatchLimits } from './drivers/driver.ts'

/** In the order in which they are served: few texts that somebody waits for, many such texts, and all others. */
const lanes = ['interactive', 'bulk', 'background'] as const
export type Lane = (typeof lanes)[number]

/** The share of the room that a lane may help to fill. */
const shares: Record<Lane, number> = { interactive: 1, bulk: 0.75, background: 0.5 }
const maxInARow = 2
const bulkFirst: readonly Lane[] = ['bulk', 'interactive', 'background']

/** One text on its way to the model. */
export interface Work {
  readonly text: string
  readonly bytes: number
  lane: Lane
  state: 'queued' | 'running' | 'over'
  /** The batch that it runs in. */
  batch: Batch | undefined
  /** Whether nobody waits for it any more. */
  isAbandoned: boolean
  settle(result: Float32Array | Error): void
}

interface Batch {
  works: readonly Work[]
  cancel: AbortController
}

export interface QueueOptions {
  limits: BatchLimits
  run(texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | Error)[]>
  maxTexts?: number
  maxBytes?: number
}

/**
 * Gathers the texts of all callers into batches. An idle model gets what is there at once; while it works the next
 * batch gathers. Interactive texts go first: however many bulk or background texts wait, they wait for no more than
 * the batches that run. Bulk texts still get every third batch, and neither fill all of the room nor all of the
 * driver's slots.
 */
export class BatchQueue {
  readonly maxTexts: number
  readonly #maxBytes: number
  readonly #options: QueueOptions
  readonly #waiting: Record<Lane, Work[]> = { interactive: [], bulk: [], background: [] }
  readonly #counts: Record<Lane, number> = { interactive: 0, bulk: 0, background: 0 }
  #bytes = 0
  #running = 0
  /** Interactive batches since the last other one. */
  #inARow = 0
  #isWoken = false

  constructor(options: QueueOptions) {
    this.#options = options
    this.maxTexts = options.maxTexts ?? 16_384
    this.#maxBytes = options.maxBytes ?? 134_217_728
  }

  get waiting(): { interactive: number; background: number } {
    const { interactive, bulk, background } = this.#counts
    return { interactive: interactive + bulk, background }
  }

  get running(): number {
    return this.#running
  }

  hasRoomFor(count: number, bytes: number, lane: Lane): boolean {
    const waiting = this.#counts.interactive + this.#counts.bulk + this.#counts.background
    const share = shares[lane]
    const hasBytes = this.#bytes + bytes <= this.#maxBytes * share || waiting === 0
    return waiting + count <= this.maxTexts * share && hasBytes
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
    this.#counts[work.lane] -= 1
    this.#counts.interactive += 1
    work.lane = 'interactive'
    this.#waiting.interactive.push(work)
  }

  /** Nobody waits for it any more: it is passed over when its turn comes, and a batch of nothing else is cancelled. */
  drop(work: Work): void {
    work.isAbandoned = true
    if (work.state === 'queued') {
      work.state = 'over'
      this.#leave(work)
    }
    if (work.state === 'running' && work.batch?.works.every(({ isAbandoned }) => isAbandoned))
      work.batch.cancel.abort()
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
    const { concurrency } = this.#options.limits
    // The last slot is for callers that wait for a single text.
    const isLastSlot = concurrency > 1 && this.#running === concurrency - 1
    for (const lane of this.#inARow >= maxInARow ? bulkFirst : lanes) {
      if (isLastSlot && lane !== 'interactive') continue
      const batch = this.#takeFrom(lane)
      if (batch.length === 0) continue
      this.#inARow = lane === 'interactive' ? this.#inARow + 1 : 0
      return batch
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
    const cancel = new AbortController()
    for (const work of batch) work.batch = { works: batch, cancel }
    const results = await this.#options.run(
      batch.map(({ text }) => text),
      cancel.signal,
    )
    this.#running -= 1
    batch.forEach((work, index) => {
      work.state = 'over'
      work.settle(results[index] ?? new Error('The model returned no vector for a text.'))
    })
    this.#wake()
  }
}
