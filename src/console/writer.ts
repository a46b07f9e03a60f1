import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isDatabaseDown } from '#kernel/db'
import { Fault, faults, messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { NewEvent, StoredEvent } from './event.ts'
import { timeOfId } from './event-id.ts'
import { storeEvents, type StoreResult } from './store/event-store.ts'
import { ensureDays } from './store/partitions.ts'

export interface WriterDeps {
  pool: pg.Pool
  log: Log
  /** Names this process in the news to the others. */
  sender: string
  /** Events of this process, in the order of the stream, once they are committed. */
  onStored(events: readonly StoredEvent[]): void
  /** A call failed, so it is not known whether its events were committed. */
  onUnknown(): void
  /** The group of events that concern the whole installation. */
  firstGroup(): Promise<string>
  /** Makes the event that reports how many were lost. */
  lossEvent(lost: number): OfferedEvent
}

/** An event of a producer inside; without a group it goes to the first one. */
export type OfferedEvent = Omit<NewEvent, 'groupId'> & { groupId: string | null }

interface Call {
  events: readonly NewEvent[]
  resolve(ids: string[]): void
  reject(error: unknown): void
}

/** A large batch has fewer sums to update per event, and one commit. */
const maxBatch = 5_000
/** What producers inside may have waiting while the database is unavailable. */
export const maxOffered = 10_000
/** What calls may have waiting while the database is slow. */
const maxQueued = 50_000
/** Gathers events of producers inside, so that a busy gateway writes ten times a second and not a hundred times. */
const gatherMs = 100
const retryMs = { first: 200, last: 5_000 }

/**
 * The one lane by which this process stores events: a batch at a time, everything that waits together. Calls wait for
 * the commit of their events. Events of producers inside are kept while the database is unavailable, up to a limit, and
 * what is lost beyond it is reported by an event.
 */
export class EventWriter {
  readonly #deps: WriterDeps
  #calls: Call[] = []
  #queued = 0
  #offered: OfferedEvent[] = []
  #lost = 0
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  readonly #stopping = new AbortController()

  constructor(deps: WriterDeps) {
    this.#deps = deps
  }

  /** Resolves with the ids once the events are committed. */
  store(events: readonly NewEvent[]): Promise<string[]> {
    if (events.length === 0) return Promise.resolve([])
    if (this.#queued + events.length > maxQueued)
      throw new Fault(
        faults.unavailable,
        'Too many events are waiting to be stored. Try again in a moment.',
        {
          headers: { 'retry-after': '2' },
        },
      )
    this.#queued += events.length
    return new Promise((resolve, reject) => {
      this.#calls.push({ events, resolve, reject })
      this.#wake()
    })
  }

  /** For producers inside: never waits and never fails. */
  offer(event: OfferedEvent): void {
    if (this.#offered.length >= maxOffered) {
      this.#lost++
      return
    }
    this.#offered.push(event)
    this.#timer ??= setTimeout(() => this.#wake(), gatherMs)
  }

  /** Stores what waits, unless the database is unavailable. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake()
    await this.#running
    if (this.#offered.length > 0)
      this.#deps.log.warn({ events: this.#offered.length }, 'console events were not stored before the stop')
  }

  #wake(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // Something may have come between the last look and now.
      if (this.#calls.length > 0) this.#wake()
    })
  }

  async #run(): Promise<void> {
    let wait = retryMs.first
    while (this.#calls.length + this.#offered.length > 0) {
      if (await this.#storeNext()) {
        wait = retryMs.first
        continue
      }
      if (this.#stopping.signal.aborted) return
      if (this.#calls.length === 0) await this.#pause(wait)
      wait = Math.min(wait * 2, retryMs.last)
    }
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }

  /** False: the database is unavailable. */
  async #storeNext(): Promise<boolean> {
    const calls = this.#takeCalls()
    const count = calls.reduce((sum, { events }) => sum + events.length, 0)
    const offered = this.#offered.splice(0, Math.max(0, maxBatch - count))
    try {
      const own = await this.#withGroups(offered)
      await this.#storeTogether(calls, own)
      this.#reportLoss()
      return true
    } catch (error) {
      this.#deps.onUnknown()
      if (!isDatabaseDown(error)) {
        await this.#storeApart(calls, offered, error)
        return true
      }
      for (const call of calls) call.reject(error)
      this.#offered.unshift(...offered)
      this.#lost += this.#offered.splice(maxOffered).length
      return false
    }
  }

  #takeCalls(): Call[] {
    let count = 0
    const at = this.#calls.findIndex(({ events }) => (count += events.length) > maxBatch)
    // One call alone may be larger than a batch.
    const taken = this.#calls.splice(0, at < 0 ? this.#calls.length : Math.max(1, at))
    for (const { events } of taken) this.#queued -= events.length
    return taken
  }

  async #storeTogether(calls: readonly Call[], own: readonly NewEvent[]): Promise<void> {
    const { ids, stored } = await this.#store([...calls.flatMap(({ events }) => events), ...own])
    this.#deps.onStored(stored)
    let from = 0
    for (const { events, resolve } of calls) resolve(ids.slice(from, (from += events.length)))
  }

  /** One of them cannot be stored: the others must not suffer for it. */
  async #storeApart(calls: readonly Call[], offered: readonly OfferedEvent[], error: unknown): Promise<void> {
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

  async #store(events: readonly NewEvent[]): Promise<StoreResult> {
    const { pool, sender } = this.#deps
    try {
      return await storeEvents(pool, events, sender)
    } catch (error) {
      if (!isMissingTable(error)) throw error
      await ensureDays(
        pool,
        events.map(({ id }) => timeOfId(id).getTime()),
      )
      return storeEvents(pool, events, sender)
    }
  }

  async #withGroups(offered: readonly OfferedEvent[]): Promise<readonly NewEvent[]> {
    if (offered.every(isOfGroup)) return offered
    const first = await this.#deps.firstGroup()
    return offered.map((event) => ({ ...event, groupId: event.groupId ?? first }))
  }

  #reportLoss(): void {
    if (this.#lost === 0) return
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
