import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { waitAtMost } from './wait-at-most.ts'
import type { LedgerMetrics } from './metrics.ts'
import type { Source, WaitingRow } from './source.ts'

export interface CopierDeps {
  log: Log
  metrics: LedgerMetrics
  /** One batch from each in turn, in this order. */
  sources: readonly Source[]
  deliver(rows: readonly WaitingRow[]): Promise<void>
}

/**
 * Requests that end within this time share a batch. Each batch costs the database milliseconds before the first row;
 * reading the log from this process starts a batch at once.
 */
const gatherMs = 400
const backoffMs = { first: 100, max: 2_000 }

/** Copies waiting rows to the database and retries until it succeeds. */
export class Copier {
  #deps: CopierDeps
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isWanted = false
  #isStopped = false
  #backoff: number = backoffMs.first
  #outage: Incident

  constructor(deps: CopierDeps) {
    this.#deps = deps
    this.#outage = new Incident(deps.log, {
      began:
        'usage cannot be copied to the database; requests are still served, and the journal waits on the disk',
      ended: 'usage is being copied to the database again',
    })
  }

  get isFailing(): boolean {
    return this.#outage.isActive
  }

  /** Schedules a batch; rows that come in the next moment join it. */
  wake(): void {
    this.#isWanted = true
    if (!this.#timer && !this.#running && !this.#isStopped) this.#schedule(gatherMs)
  }

  /** Copies everything that waits now. */
  async copyNow(): Promise<void> {
    if (this.#running) await this.#running
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#running ??= this.#run()
    await this.#running
  }

  /** Copies a last time, for at most `limitMs`. The remaining rows stay where they are. */
  async stop(limitMs: number): Promise<void> {
    this.#isStopped = true
    await waitAtMost(limitMs, this.copyNow())
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
      this.#outage.end()
    } catch (error) {
      this.#isWanted = true
      this.#deps.metrics.copyFailed()
      this.#outage.begin(messageOf(error))
      pause = this.#backoff
      this.#backoff = Math.min(backoffMs.max, this.#backoff * 2)
    }
    this.#running = undefined
    if (this.#isWanted && !this.#isStopped) this.#schedule(pause)
  }

  /** Copies a batch from each source; true when more rows wait. */
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

/** A failure that lasts for a while: logged once when it begins and once when it is over. */
export class Incident {
  #log: Log
  #messages: { began: string; ended: string }
  #since: number | undefined

  constructor(log: Log, messages: { began: string; ended: string }) {
    this.#log = log
    this.#messages = messages
  }

  get isActive(): boolean {
    return this.#since !== undefined
  }

  begin(reason: string): void {
    if (this.#since !== undefined) return
    this.#since = Date.now()
    this.#log.error({ reason }, this.#messages.began)
  }

  end(): void {
    if (this.#since === undefined) return
    this.#log.info({ seconds: Math.round((Date.now() - this.#since) / 1000) }, this.#messages.ended)
    this.#since = undefined
  }
}
