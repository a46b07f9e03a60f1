import { AsyncResource } from 'node:async_hooks'
import type pg from 'pg'
import { isDatabaseDown } from '#kernel/db'
import { Fault, faults, messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { timeOfId } from '#kernel/uuid'
import type { NewEvent, StoredEvent } from './event.ts'
import { storeEvents, type StoreResult } from './store/event-store.ts'
import { ensureDays } from './store/partitions.ts'
import { WordMaker, wordsOf } from './word-maker.ts'
import { Waiting, type Batch, type Call, type OfferedEvent } from './waiting.ts'

export interface WriterDeps {
  pool: pg.Pool
  log: Log
  /** Names this process in the news to the others. */
  sender: string
  /** Events of this process, those of a group in the order of its stream, once they are committed. */
  onStored(events: readonly StoredEvent[]): void
  /** A call failed, so it is not known whether its events were committed. */
  onUnknown(): void
  /** The group of events that concern the whole installation. */
  firstGroup(): Promise<string>
  /** Makes the event that reports how many were lost. */
  lossEvent(lost: number): OfferedEvent
}

/** What producers inside may have waiting while the database is unavailable. */
export const maxOffered = 10_000
/** What calls may have waiting while the database is slow. */
const maxQueued = 50_000
/** Gathers events of producers inside, so that a busy gateway writes ten times a second and not a hundred times. */
const gatherMs = 100
const retryMs = { first: 200, last: 5_000 }
/** Batches of different groups that are stored at the same time; each has a connection. */
const maxAtOnce = 4

/**
 * Stores events: a batch at a time for each group, everything of a group that waits together, and several groups at the
 * same time. Calls wait for the commit of their events. Events of producers inside are kept while the database is
 * unavailable, up to a limit, and what is lost beyond it is reported by an event.
 */
export class EventWriter {
  readonly #deps: WriterDeps
  readonly #maker = new WordMaker()
  readonly #waiting = new Waiting()
  readonly #running = new Set<Promise<void>>()
  #lost = 0
  #gathering: NodeJS.Timeout | undefined
  /** While the database is unavailable, events of producers inside wait; calls are tried, and fail at once. */
  #isPaused = false
  #retry: NodeJS.Timeout | undefined
  #retryMs = retryMs.first
  #isStopping = false
  /** A batch has events of many callers, so it is not the work of the one that has woken the writer. */
  readonly #wake = AsyncResource.bind(() => this.#begin())

  constructor(deps: WriterDeps) {
    this.#deps = deps
  }

  /** Events of one group. Resolves with the ids once the events are committed. */
  store(events: readonly NewEvent[]): Promise<string[]> {
    const [first] = events
    if (!first) return Promise.resolve([])
    if (this.#maker.waiting + this.#waiting.called + events.length > maxQueued)
      throw new Fault(
        faults.unavailable,
        'Too many events are waiting to be stored. Try again in a moment.',
        {
          headers: { 'retry-after': '2' },
        },
      )
    return this.#maker.wordsOf(first.groupId, events).then(
      (words) =>
        new Promise((resolve, reject) => {
          this.#waiting.addCall(first.groupId, { events, words, resolve, reject })
          this.#wake()
        }),
    )
  }

  /** For producers inside: never waits and never fails. */
  offer(event: OfferedEvent): void {
    if (this.#waiting.offered >= maxOffered) {
      this.#lost++
      return
    }
    this.#waiting.addOffered(event)
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      this.#wake()
    }, gatherMs)
  }

  /** Stores what waits, unless the database is unavailable. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#maker.ended()
    this.#endPause()
    this.#wake()
    while (this.#running.size > 0) await Promise.all(this.#running)
    clearTimeout(this.#gathering)
    if (this.#waiting.offered > 0)
      this.#deps.log.warn({ events: this.#waiting.offered }, 'console events were not stored before the stop')
  }

  #begin(): void {
    while (this.#running.size < maxAtOnce) {
      const batch = this.#waiting.take(this.#isPaused)
      if (!batch) return
      const running = this.#storeBatch(batch).finally(() => {
        this.#running.delete(running)
        this.#begin()
      })
      this.#running.add(running)
    }
  }

  async #storeBatch(batch: Batch): Promise<void> {
    let isKept = false
    try {
      await this.#storeTogether(batch.calls, await this.#withGroups(batch.offered))
      this.#endPause()
    } catch (error) {
      this.#deps.onUnknown()
      isKept = isDatabaseDown(error)
      if (isKept) {
        for (const call of batch.calls) call.reject(error)
        this.#pause()
      } else {
        await this.#storeApart(batch, error)
      }
    }
    this.#waiting.done(batch, isKept)
    if (!isKept) this.#reportLoss()
  }

  #pause(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    if (this.#isStopping) return
    this.#retry = setTimeout(() => {
      this.#isPaused = false
      this.#wake()
    }, this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, retryMs.last)
  }

  #endPause(): void {
    clearTimeout(this.#retry)
    this.#isPaused = false
    this.#retryMs = retryMs.first
  }

  async #storeTogether(calls: readonly Call[], own: readonly NewEvent[]): Promise<void> {
    const events = [...calls.flatMap((call) => call.events), ...own]
    const words = [...calls.flatMap((call) => call.words), ...(await wordsOf(own))]
    const { ids, stored } = await this.#store(events, words)
    this.#deps.onStored(stored)
    let from = 0
    for (const call of calls) call.resolve(ids.slice(from, (from += call.events.length)))
  }

  /** One of them cannot be stored: the others must not suffer for it. */
  async #storeApart({ calls, offered }: Batch, error: unknown): Promise<void> {
    const isAlone = calls.length + offered.length === 1
    for (const call of calls) {
      if (isAlone) call.reject(error)
      else await this.#storeTogether([call], []).catch(call.reject)
    }
    for (const event of offered) {
      const stored = isAlone
        ? Promise.reject(error)
        : this.#withGroups([event]).then((own) => this.#storeTogether([], own))
      await stored.catch((reason: unknown) =>
        this.#deps.log.error(
          { reason: messageOf(reason), event: event.title },
          'a console event was not stored',
        ),
      )
    }
  }

  async #store(events: readonly NewEvent[], words: readonly Buffer[]): Promise<StoreResult> {
    const { pool, sender } = this.#deps
    try {
      return await storeEvents(pool, events, words, sender)
    } catch (error) {
      if (!isMissingTable(error)) throw error
      await ensureDays(
        pool,
        events.map(({ id }) => timeOfId(id).getTime()),
      )
      return storeEvents(pool, events, words, sender)
    }
  }

  async #withGroups(offered: readonly OfferedEvent[]): Promise<readonly NewEvent[]> {
    if (offered.every(isOfGroup)) return offered
    const first = await this.#deps.firstGroup()
    return offered.map((event) => ({ ...event, groupId: event.groupId ?? first }))
  }

  #reportLoss(): void {
    if (this.#lost === 0 || this.#waiting.offered >= maxOffered) return
    const event = this.#deps.lossEvent(this.#lost)
    this.#lost = 0
    this.offer(event)
  }
}

const isOfGroup = (event: OfferedEvent): event is NewEvent => event.groupId !== null

/** A row that no partition takes is reported as one that fails a check. */
function isMissingTable(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string }
  return code === '23514' && message.startsWith('no partition of relation')
}
