import type pg from 'pg'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { StoredEvent } from '../event.ts'
import type { EventFilter } from '../filter.ts'
import { readGroup } from '../store/event-store.ts'
import { Batch } from './frames.ts'

/** One open stream. */
export interface HubReader {
  readonly filter: EventFilter
  /** Events up to this sequence; one that is behind reads them from the table instead. */
  deliver(batch: Batch, upTo: number): void
  beat(): void
  /** Ends the stream if its client may no longer read the group. */
  recheck(): void
  end(): void
}

const pageSize = 1_000
const retryMs = 500

/**
 * The stream of one group in this process: brings every committed event of the group to its readers, in the order of
 * sequences. Events of this process come from memory, those of others from the table.
 */
export class GroupStream {
  readonly groupId: string
  readonly readers = new Set<HubReader>()
  /** Everything up to this sequence was brought to the live readers. */
  head = 0
  readonly #pool: pg.Pool
  readonly #log: Log
  /** The newest sequence that is known to be committed. */
  #target = 0
  /** Events of this process that wait for those before them. */
  #own: (readonly StoredEvent[])[] = []
  #pumping = false
  #hasFailed = false

  constructor(groupId: string, { pool, log }: { pool: pg.Pool; log: Log }) {
    this.groupId = groupId
    this.#pool = pool
    this.#log = log
  }

  /** Events that this process has committed. */
  publish(events: readonly StoredEvent[]): void {
    if (this.readers.size > 0) this.#own.push(events)
    this.advance(events.at(-1)?.sequence ?? 0)
  }

  /** All events of the group up to this sequence are committed. */
  advance(sequence: number): void {
    if (sequence <= this.#target) return
    this.#target = sequence
    void this.#pump()
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return
    this.#pumping = true
    try {
      while (this.head < this.#target) await this.#step()
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed)
        this.#log.warn({ reason: messageOf(error) }, 'events for open streams could not be read')
      this.#hasFailed = true
      setTimeout(() => void this.#pump(), retryMs).unref()
    } finally {
      this.#pumping = false
    }
  }

  async #step(): Promise<void> {
    if (this.readers.size === 0) {
      this.#own = []
      this.head = this.#target
      return
    }
    // Calls that wait for each other in the database may be told of their commits in another order.
    this.#own = this.#own
      .filter((events) => (events.at(-1)?.sequence ?? 0) > this.head)
      .toSorted((a, b) => (a[0]?.sequence ?? 0) - (b[0]?.sequence ?? 0))
    const [next] = this.#own
    const first = next?.[0]?.sequence
    if (next && first === this.head + 1) return this.#deliver(next, next.at(-1)?.sequence ?? first)
    const upTo = first !== undefined && first > this.head ? first - 1 : this.#target
    const events = await readGroup(this.#pool, this.groupId, { after: this.head, upTo }, pageSize)
    const isWhole = events.length < pageSize
    this.#deliver(events, isWhole ? upTo : (events.at(-1)?.sequence ?? upTo))
  }

  #deliver(events: readonly StoredEvent[], upTo: number): void {
    this.head = upTo
    const batch = new Batch(events)
    for (const reader of this.readers) reader.deliver(batch, upTo)
  }
}
