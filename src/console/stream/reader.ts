import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { EventStream } from '#kernel/http'
import { maxReplay } from '../contract.ts'
import type { EventFilter } from '../filter.ts'
import { countRange, readRange } from '../store/event-store.ts'
import { frameOf, gapFrame, positionFrame, type Batch } from './frames.ts'
import type { GroupStream, HubReader } from './group-stream.ts'

export interface ReaderDeps {
  pool: pg.Pool
  /** Of the group that the filter names. */
  group: GroupStream
  stream: EventStream
  filter: EventFilter
  /** The last sequence that the client has. */
  position: number
}

/** What may wait in memory for one client. */
const maxBuffered = 1_048_576
const pageSize = 200
/** No index has every filter: one statement compares at most this many events. */
const compared = 50_000
const retryMs = 500

/**
 * One client of the stream. While it keeps up it gets events as they come. When more waits for it than it may have in
 * memory, it gets nothing until it has read that, and then continues from the table; so a slow client loses nothing
 * until it is too far behind, which is reported as a gap.
 */
export class StreamReader implements HubReader {
  readonly filter: EventFilter
  readonly #deps: ReaderDeps
  readonly #filterKey: string
  #position: number
  #isLive = false

  constructor(deps: ReaderDeps) {
    this.#deps = deps
    this.filter = deps.filter
    this.#filterKey = JSON.stringify(deps.filter)
    this.#position = deps.position
  }

  /** Sends what the client has missed, then follows live. */
  open(): void {
    const { stream, group } = this.#deps
    group.readers.add(this)
    stream.onClose(() => group.readers.delete(this))
    void this.#catchUp()
  }

  deliver(batch: Batch, upTo: number): void {
    if (!this.#isLive) return
    const text = batch.textFor(this.filter, this.#filterKey)
    if (text.length + this.#deps.stream.buffered > maxBuffered) {
      this.#isLive = false
      void this.#catchUp()
      return
    }
    this.#position = upTo
    if (text !== '') this.#deps.stream.write(text)
  }

  beat(): void {
    this.#deps.stream.beat(positionFrame('keep-alive', this.#position))
  }

  recheck(): void {
    void this.#deps.stream.recheck()
  }

  end(): void {
    this.#deps.stream.end()
  }

  async #catchUp(): Promise<void> {
    const { group, stream } = this.#deps
    let replayed = 0
    await stream.drained()
    while (!stream.isClosed) {
      // From here to the return nothing else runs, so no event can come between.
      if (this.#position >= group.head) {
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
    const { pool, group, stream } = this.#deps
    const range = { after: this.#position, upTo: Math.min(group.head, this.#position + compared) }
    const size = Math.min(pageSize, limit)
    const events = await stream.whenFree(() => readRange(pool, this.filter, range, size))
    for (const event of events) {
      if (stream.isClosed) break
      stream.write(frameOf(event))
      this.#position = event.sequence
      await stream.drained()
    }
    if (events.length < size) this.#position = range.upTo
    return events.length
  }

  /** Too much was missed: tells how much, and continues with what comes now. */
  async #skip(): Promise<number> {
    const { pool, group, stream } = this.#deps
    const range = { after: this.#position, upTo: group.head }
    const count = await stream.whenFree(() => countRange(pool, this.filter, range))
    if (count > 0) stream.write(gapFrame({ from: range.after + 1, to: range.upTo, count }))
    this.#position = range.upTo
    return 0
  }
}
