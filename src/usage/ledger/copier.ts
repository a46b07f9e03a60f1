import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { within } from './limit.ts'
import type { LedgerMetrics } from './metrics.ts'
import type { Source, WaitingRow } from './source.ts'
import { Trouble } from './trouble.ts'

export interface CopierDeps {
  log: Log
  metrics: LedgerMetrics
  /** The first goes first, and none has to wait for another to be empty. */
  sources: readonly Source[]
  deliver(rows: readonly WaitingRow[]): Promise<void>
}

/**
 * Requests that end within this time share a journey. Each journey costs the database milliseconds before the first
 * row; whoever reads the log from this process makes it go at once.
 */
const gatherMs = 400
const backoffMs = { first: 100, most: 2_000 }

/** Takes rows from where they wait to the database, again and again until they are there. */
export class Copier {
  #deps: CopierDeps
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isWanted = false
  #isStopped = false
  #backoff: number = backoffMs.first
  #outage: Trouble

  constructor(deps: CopierDeps) {
    this.#deps = deps
    this.#outage = new Trouble(deps.log, {
      began: 'usage cannot be copied to the database; requests go on, and the journal waits on the disk',
      ended: 'usage is being copied to the database again',
    })
  }

  get isFailing(): boolean {
    return this.#outage.isOn
  }

  /** Something waits; it goes with whatever comes in the next moment. */
  wake(): void {
    this.#isWanted = true
    if (!this.#timer && !this.#running && !this.#isStopped) this.#schedule(gatherMs)
  }

  /** Copies at once all that waits now. */
  async pass(): Promise<void> {
    if (this.#running) await this.#running
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#running ??= this.#run()
    await this.#running
  }

  /** The last copying of all, for so long at most. What is not through by then stays where it is. */
  async stop(limitMs: number): Promise<void> {
    this.#isStopped = true
    await within(limitMs, this.pass())
    clearTimeout(this.#timer)
  }

  #schedule(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#running ??= this.#run()
    }, ms)
  }

  async #run(): Promise<void> {
    this.#isWanted = false
    let pause = gatherMs
    try {
      while (await this.#copyOnce());
      this.#backoff = backoffMs.first
      this.#outage.ended()
    } catch (error) {
      this.#isWanted = true
      this.#deps.metrics.copyFailed()
      this.#outage.began(messageOf(error))
      pause = this.#backoff
      this.#backoff = Math.min(backoffMs.most, this.#backoff * 2)
    }
    this.#running = undefined
    if (this.#isWanted && !this.#isStopped) this.#schedule(pause)
  }

  /** A batch from each source; whether it is worth going on at once. */
  async #copyOnce(): Promise<boolean> {
    let hasMore = false
    for (const source of this.#deps.sources) {
      const batch = await source.take()
      if (!batch) continue
      await this.#deps.deliver(batch.rows)
      await batch.done()
      hasMore ||= batch.hasMore
    }
    return hasMore
  }
}
