import type pg from 'pg'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { StoredEvent } from '../event.ts'
import type { EventFilter } from '../filter.ts'
import { readGroups, readHead } from '../store/event-store.ts'
import { Batch } from './frames.ts'

export interface HubDeps {
  pool: pg.Pool
  log: Log
  heartbeatMs: number
}

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
 * The stream in this process: brings every committed event to the readers, in the order of sequences. Events of this
 * process come from memory, those of others from the table when their news arrives. What news was lost with a
 * connection is read when it is back, and asked for with every heartbeat.
 */
export class StreamHub {
  /** Everything up to this sequence was brought to the live readers. */
  head = 0
  readonly #deps: HubDeps
  readonly #readers = new Set<HubReader>()
  /** The newest sequence that is known to be committed. */
  #target = 0
  /** Events of this process that wait for those before them. */
  #own: (readonly StoredEvent[])[] = []
  #pumping = false
  #hasFailed = false
  #heartbeat: NodeJS.Timeout | undefined

  constructor(deps: HubDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#heartbeat = setInterval(() => this.#beat(), this.#deps.heartbeatMs).unref()
  }

  /** Ends every stream; clients resume elsewhere. */
  stop(): void {
    clearInterval(this.#heartbeat)
    for (const reader of this.#readers) reader.end()
    this.#readers.clear()
  }

  /** Called before a reader takes its position: without readers the news is not followed. */
  async refresh(): Promise<void> {
    this.advance(await readHead(this.#deps.pool))
  }

  /** Keys, members or groups have changed. */
  recheck(): void {
    for (const reader of this.#readers) reader.recheck()
  }

  add(reader: HubReader): void {
    this.#readers.add(reader)
  }

  remove(reader: HubReader): void {
    this.#readers.delete(reader)
  }

  /** Events that this process has committed. */
  publish(events: readonly StoredEvent[]): void {
    const last = events.at(-1)
    if (!last) return
    if (this.#readers.size > 0) this.#own.push(events)
    this.advance(last.sequence)
  }

  /** All events up to this sequence are committed. */
  advance(sequence: number): void {
    if (sequence <= this.#target) return
    this.#target = sequence
    void this.#pump()
  }

  /** After an error it is not known what was committed. */
  check(): void {
    if (this.#readers.size === 0) return
    this.refresh().catch(() => setTimeout(() => this.check(), retryMs).unref())
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return
    this.#pumping = true
    try {
      while (this.head < this.#target) await this.#step()
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed)
        this.#deps.log.warn({ reason: messageOf(error) }, 'events for open streams could not be read')
      this.#hasFailed = true
      setTimeout(() => void this.#pump(), retryMs).unref()
    } finally {
      this.#pumping = false
    }
  }

  async #step(): Promise<void> {
    if (this.#readers.size === 0) {
      this.#own = []
      this.head = this.#target
      return
    }
    this.#own = this.#own.filter((events) => (events.at(-1)?.sequence ?? 0) > this.head)
    const [next] = this.#own
    const first = next?.[0]?.sequence
    if (next && first === this.head + 1) return this.#deliver(next, next.at(-1)?.sequence ?? first)
    const upTo = first !== undefined && first > this.head ? first - 1 : this.#target
    const groups = [...new Set([...this.#readers].map(({ filter }) => filter.groupId))]
    const range = { after: this.head, upTo }
    const events = await readGroups(this.#deps.pool, groups, range, pageSize)
    const isWhole = events.length < pageSize
    this.#deliver(events, isWhole ? upTo : (events.at(-1)?.sequence ?? upTo))
  }

  #deliver(events: readonly StoredEvent[], upTo: number): void {
    this.head = upTo
    const batch = new Batch(events)
    for (const reader of this.#readers) reader.deliver(batch, upTo)
  }

  #beat(): void {
    for (const reader of this.#readers) reader.beat()
    this.check()
  }
}
