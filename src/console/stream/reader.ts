import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { maxReplay } from '../contract.ts'
import type { EventFilter } from '../filter.ts'
import { countRange, readRange } from '../store/event-store.ts'
import { eventFrame, gapFrame, positionFrame, type Batch } from './frames.ts'
import type { HubReader, StreamHub } from './hub.ts'

export interface ReaderDeps {
  pool: pg.Pool
  hub: StreamHub
  response: ServerResponse
  filter: EventFilter
  /** Whether the client may still read the group. */
  isAllowed(): Promise<boolean>
  /** The last sequence that the client has. */
  position: number
}

/** What may wait in memory for one client. */
const maxBuffered = 1_048_576
const pageSize = 200
const retryMs = 500
/** A client that takes nothing for so long is disconnected; it resumes where it was. */
const maxBlockedMs = 120_000
/** A stream ends after this time, so that a client that resumes it is authenticated again. */
const maxAgeMs = 600_000

/**
 * One client of the stream. While it keeps up it gets events as they come. When more waits for it than it may have in
 * memory, it gets nothing until it has read that, and then continues from the table; so a slow client loses nothing
 * until it is too far behind, which it is told as a gap.
 */
export class StreamReader implements HubReader {
  readonly filter: EventFilter
  readonly #deps: ReaderDeps
  readonly #filterKey: string
  readonly #openedAt = Date.now()
  #position: number
  #isLive = false
  #blockedSince: number | null = null

  constructor(deps: ReaderDeps) {
    this.#deps = deps
    this.filter = deps.filter
    this.#filterKey = JSON.stringify(deps.filter)
    this.#position = deps.position
  }

  /** Sends what the client has missed, then follows live. */
  open(): void {
    const { response, hub } = this.#deps
    hub.add(this)
    response.once('close', () => hub.remove(this))
    response.on('drain', () => (this.#blockedSince = null))
    response.write(`retry: 2000\n${positionFrame('connected', this.#position)}`)
    void this.#catchUp()
  }

  deliver(batch: Batch, upTo: number): void {
    if (!this.#isLive) return
    const text = batch.textFor(this.filter, this.#filterKey)
    if (text.length + this.#deps.response.writableLength > maxBuffered) {
      this.#isLive = false
      void this.#catchUp()
      return
    }
    this.#position = upTo
    if (text !== '') this.#write(text)
  }

  beat(): void {
    const now = Date.now()
    if (now - this.#openedAt > maxAgeMs) return this.end()
    if (this.#blockedSince !== null && now - this.#blockedSince > maxBlockedMs) return this.#destroy()
    this.recheck()
    if (this.#deps.response.writableNeedDrain) return
    this.#write(positionFrame('keep-alive', this.#position))
  }

  recheck(): void {
    void this.#endUnlessAllowed()
  }

  async #endUnlessAllowed(): Promise<void> {
    const { hub, isAllowed } = this.#deps
    if (!(await hub.reads.run(isAllowed))) this.end()
  }

  end(): void {
    this.#deps.hub.remove(this)
    if (this.#deps.response.writableNeedDrain) return this.#destroy()
    this.#deps.response.end()
  }

  #destroy(): void {
    this.#deps.hub.remove(this)
    this.#deps.response.destroy()
  }

  async #catchUp(): Promise<void> {
    const { hub } = this.#deps
    let replayed = 0
    await this.#drained()
    while (!this.#isClosed) {
      // From here to the return nothing else runs, so no event can come between.
      if (this.#position >= hub.head) {
        this.#isLive = true
        return
      }
      try {
        replayed =
          replayed < maxReplay ? replayed + (await this.#replay(maxReplay - replayed)) : await this.#skip()
      } catch {
        // The database is unavailable; the hub reports it.
        await sleep(retryMs)
      }
    }
  }

  /** One page of what was missed. Returns how many events it had. */
  async #replay(limit: number): Promise<number> {
    const { pool, hub } = this.#deps
    const range = { after: this.#position, upTo: hub.head }
    const size = Math.min(pageSize, limit)
    const events = await hub.reads.run(() => readRange(pool, this.filter, range, size))
    for (const event of events) {
      if (this.#isClosed) break
      this.#write(eventFrame(event))
      this.#position = event.sequence
      await this.#drained()
    }
    if (events.length < size) this.#position = range.upTo
    return events.length
  }

  /** Too much was missed: tells how much, and continues with what comes now. */
  async #skip(): Promise<number> {
    const { pool, hub } = this.#deps
    const range = { after: this.#position, upTo: hub.head }
    const count = await hub.reads.run(() => countRange(pool, this.filter, range))
    if (count > 0) this.#write(gapFrame({ from: range.after + 1, to: range.upTo, count }))
    this.#position = range.upTo
    return 0
  }

  #write(text: string): void {
    if (this.#isClosed) return
    if (!this.#deps.response.write(text)) this.#blockedSince ??= Date.now()
  }

  async #drained(): Promise<void> {
    const { response } = this.#deps
    if (this.#isClosed || !response.writableNeedDrain) return
    const closed = new AbortController()
    const { signal } = closed
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(
      () => undefined,
    )
    closed.abort()
  }

  get #isClosed(): boolean {
    const { response } = this.#deps
    return response.destroyed || response.writableEnded
  }
}
